/** Runs `workspacectl version`. */
import { exitCodes } from "../../errors.js";
import { print, type Io } from "../../terminal/io.js";
import { readVersion } from "../../version.js";

export function printVersion(_options: object, io: Io): Promise<number> {
  print(io, readVersion());
  return Promise.resolve(exitCodes.ok);
}
