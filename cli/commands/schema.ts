import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes } from "../exit-codes.js";
import type { Io } from "../io.js";
import { packageRoot } from "../toolchain/locations.js";

/** Prints the JSON Schema of workspace files. */
export async function schema(_options: object, io: Io): Promise<number> {
  io.stdout.write(await readFile(join(packageRoot(), "schema", "workspace.schema.json")));
  return exitCodes.ok;
}
