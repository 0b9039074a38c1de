/** Generates the JSON Schemas of the workspace file and its types. */
export { documentJsonSchema } from "./document/index.js";
export { workspaceTypes } from "./document/typescript.js";
