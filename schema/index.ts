export * from "./vocabulary.js";
export * from "./problems.js";
export * from "./interpolate.js";
export * from "./yaml.js";
export * from "./document.js";
