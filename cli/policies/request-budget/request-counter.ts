/** File in which the processes of a command count their requests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { METER_VARIABLE } from "../../../provider/index.js";
import type { Io } from "../../terminal/io.js";

/** Returns an Io whose requests are counted in a file, which is removed at the end of the process. */
export function countingRequests(io: Io): { readonly io: Io; readonly file: string } {
  const before = io.env[METER_VARIABLE];
  if (before) return { io, file: before };
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "requests");
  return { io: { ...io, env: { ...io.env, [METER_VARIABLE]: file } }, file };
}
