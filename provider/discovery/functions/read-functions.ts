/** Functions that read the service: every list and every single object, also those that are no resources. */
import type { FunctionDefinition } from "./define.js";
import { peopleFunctions } from "./people.js";
import { pipelineFunctions } from "./pipelines.js";
import { projectFunctions } from "./projects.js";

export const functions = { ...peopleFunctions, ...projectFunctions, ...pipelineFunctions } satisfies Readonly<
  Record<string, FunctionDefinition>
>;
export type FunctionName = keyof typeof functions;

/** @returns undefined when there is no such function */
export function findFunction(name: string): FunctionDefinition | undefined {
  return Object.hasOwn(functions, name) ? functions[name as FunctionName] : undefined;
}
