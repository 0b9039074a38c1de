/** Runs `workspacectl schema`. */
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { Io } from "../../../reports/io.js";
import { printResultTo } from "../../../reports/output.js";
import { findLibraryRoot } from "../../../toolchain/locations.js";
import type { SchemaOptions } from "./schema-command.js";

/** Prints the JSON Schema of workspace files or of overlays, or writes it to a file. */
export async function runSchema({ draft, overlay, output }: SchemaOptions, io: Io): Promise<number> {
  const name = `${overlay ? "overlay" : "workspace"}${draft === "07" ? ".draft-07" : ""}.schema.json`;
  const text = await readFile(join(findLibraryRoot(), "schema", name), "utf8");
  const path = output === undefined || isAbsolute(output) ? output : `./${output}`;
  const line = `# yaml-language-server: $schema=${path}`;
  printResultTo(output, text, io, `Wrote ${output}. Refer to it in the first line of a file: ${line}`);
  return exitCodes.ok;
}
