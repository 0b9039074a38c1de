/** Functions that read the service: every list and every single object, also of what is no resource. */
import type { FunctionDefinition } from "./define.js";
import { peopleFunctions } from "./people.js";
import { pipelineFunctions } from "./pipelines.js";
import { projectFunctions } from "./projects.js";

export const functions: readonly FunctionDefinition[] = [
  ...peopleFunctions,
  ...projectFunctions,
  ...pipelineFunctions,
];
