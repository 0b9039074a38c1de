/** Prints the JSON Schemas of the workspace file, and the types that belong to it. */
export { documentJsonSchema } from "./document/index.js";
export { workspaceTypes } from "./document/typescript.js";
