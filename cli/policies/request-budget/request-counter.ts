/** The file in which the processes of one command count their requests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { METER_VARIABLE } from "../../../provider/index.js";
import type { Io } from "../../terminal/io.js";

/** The same world, in which requests are counted into a file that is gone when the process ends. */
export function countingRequests(io: Io): { readonly io: Io; readonly file: string } {
  const before = io.env[METER_VARIABLE];
  if (before) return { io, file: before };
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "requests");
  return { io: { ...io, env: { ...io.env, [METER_VARIABLE]: file } }, file };
}
