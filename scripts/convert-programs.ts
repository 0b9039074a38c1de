/** Converts the example programs of all types to Python, Go and Java, with Pulumi's own generators: needs Go. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { languageProgram } from "../test/e2e/language-hosts.js";
import {
  type Converted,
  CONVERTED_FILE,
  listAllExamples,
  withPackageName,
} from "./generate/package-schema/converted.js";
import { completeJava, type JavaSchema } from "./generate/package-schema/java.js";

const SCHEMA = "schema/pulumi.schema.json";

/** Returns the content of the file, as it should be. */
export async function convertPrograms(): Promise<string> {
  const examples = Object.fromEntries(listAllExamples().map(({ id, pcl }) => [id, pcl]));
  const program = join(await languageProgram("convert-programs"), "convert-programs");
  const schema = JSON.parse(readFileSync(SCHEMA, "utf8")) as JavaSchema;
  const { stdout } = await execa(program, [SCHEMA], { input: JSON.stringify(examples) });
  const converted = JSON.parse(stdout) as Record<string, Omit<Converted, "pcl">>;
  const entries = Object.entries(examples).map(([id, pcl]) => {
    const { python = "", go = "", java = "" } = converted[id] ?? {};
    return [id, { pcl, python, go: withPackageName(go), java: completeJava(java, schema) }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(CONVERTED_FILE, await convertPrograms());
