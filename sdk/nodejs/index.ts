/** Resources of a Workspace Automation Service workspace for Pulumi programs. */
export * from "./resources.js";
export * from "./functions.js";
export type { Camel, InputsOf, ListOptions, ReadOptions, ResultOf } from "./service.js";
export { Provider, type ProviderArgs } from "./accounts.js";
export {
  PipelineDefinition,
  type PipelineDefinitionAction,
  type PipelineDefinitionArgs,
} from "./pipeline-definition.js";
export { WorkspaceResource, type StateOf } from "./resource.js";
export {
  workspaceMocks,
  type MockedResource,
  type MockedResult,
  type WorkspaceMocks,
  type WorkspaceMocksOptions,
} from "./workspace-mocks.js";
export { loadWorkspace, type LoadedWorkspace } from "./load-workspace.js";
export { defineWorkspace } from "../../workspace-file/load/define-workspace.js";
export type * from "./document-types.js";
