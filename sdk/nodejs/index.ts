/** Resources of a Workspace Automation Service workspace for Pulumi programs. */
export * from "./resources.js";
export * from "./functions.js";
export type { Camel, ListOptions, ReadOptions } from "./service.js";
export { Provider, type ProviderArgs } from "./accounts.js";
export { WorkspaceResource } from "./resource.js";
export { loadWorkspace, type LoadedWorkspace } from "./load-workspace.js";
export { WorkspaceFileError } from "../../workspace-file/load/errors.js";
export { defineWorkspace } from "../../workspace-file/load/define-workspace.js";
export {
  documentOf,
  documentText,
  type Declarations,
  type WriteOptions,
} from "../../workspace-file/write/write.js";
export type * from "./document-types.js";
