/** What the other rooms use of the workspace file. */
export * from "./document/costly-pattern.js";
export * from "./syntax/source.js";
export * from "./syntax/diagnostics.js";
export * from "./syntax/tree.js";
export * from "./compose/placeholders.js";
export * from "./compose/stack-placeholder.js";
export * from "./syntax/parse.js";
export * from "./document/template-schema.js";
export * from "./document/properties.js";
export * from "./document/guard-settings.js";
export * from "../resources/definition/primitives.js";
export * from "../resources/definition/formats.js";
export * from "../resources/definition/problems.js";
export * from "../resources/definition/logical-name.js";
export * from "../resources/definition/placement.js";
