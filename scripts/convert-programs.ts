/** Converts the example programs of all types to Python and Go, with Pulumi's own generators: needs Go. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { languageProgram } from "../test/e2e/language-hosts.js";
import {
  allExamples,
  CONVERTED_FILE,
  withPackageName,
  type Converted,
} from "./generate/package-schema/converted.js";

/** Returns the content of the file, as it should be. */
export async function convertedPrograms(): Promise<string> {
  const examples = Object.fromEntries(allExamples().map(({ id, pcl }) => [id, pcl]));
  const program = join(await languageProgram("convert-programs"), "convert-programs");
  const { stdout } = await execa(program, ["schema/pulumi.schema.json"], { input: JSON.stringify(examples) });
  const converted = JSON.parse(stdout) as Record<string, Omit<Converted, "pcl">>;
  const entries = Object.entries(examples).map(([id, pcl]) => {
    const { python = "", go = "" } = converted[id] ?? {};
    return [id, { pcl, python, go: withPackageName(go) }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(CONVERTED_FILE, await convertedPrograms());
