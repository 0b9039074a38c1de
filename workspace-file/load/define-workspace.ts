/** `defineWorkspace`: a workspace file in TypeScript. */
import type { WorkspaceDocument } from "../../schema/workspace-document.js";

/**
 * Declares a workspace in a module: the same document as a workspace file in YAML, checked by the compiler.
 *
 * ```ts
 * import { defineWorkspace } from "pulumi-workspace-automation";
 *
 * export default defineWorkspace({
 *   version: 1,
 *   workspace: "acme",
 *   projects: { web: { displayName: "Web shop" } },
 * });
 * ```
 *
 * `workspacectl -f workspace.ts` and `loadWorkspace("workspace.ts")` accept the module.
 * @returns the document itself
 */
export function defineWorkspace(document: WorkspaceDocument): WorkspaceDocument {
  return document;
}
