/** Example programs in the languages for which Pulumi's own generators make them: `npm run generate -- --programs` writes them. */
import { readFileSync } from "node:fs";
import { definitions } from "../../../provider/index.js";
import { type ExamplePrograms, listExamplePrograms } from "./examples.js";

export const CONVERTED_FILE = "scripts/generate/package-schema/converted.json";

export const convertedLanguages = { python: "Python", go: "Go", java: "Java" } as const;
export type ConvertedLanguage = keyof typeof convertedLanguages;

/** Programs by language, with the program in PCL that they were made of. */
export type Converted = Readonly<Record<ConvertedLanguage | "pcl", string>>;

let converted: Readonly<Record<string, Converted>> | undefined;

/** Returns the programs of an example; undefined until they are converted, or after the example has changed. */
export function findConverted({ id, pcl }: ExamplePrograms): Converted | undefined {
  converted ??= JSON.parse(readFileSync(CONVERTED_FILE, "utf8")) as Record<string, Converted>;
  const known = converted[id];
  const isComplete = Object.keys(convertedLanguages).every((language) => language in (known ?? {}));
  return isComplete && known?.pcl === pcl ? known : undefined;
}

/** Returns the examples of all types. */
export function listAllExamples(): ExamplePrograms[] {
  return definitions.flatMap(listExamplePrograms);
}

/** Corrects the name of the package in lists of enumerations, which the generator writes with its hyphen. */
export function withPackageName(go: string): string {
  return go.replaceAll("workspace - automation.", "workspaceautomation.");
}
