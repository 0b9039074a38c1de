import { exitCodes } from "../../exit-codes.js";
import { print, type Io } from "../../terminal/io.js";
import { version } from "../../version.js";

export function printVersion(_options: object, io: Io): Promise<number> {
  print(io, version());
  return Promise.resolve(exitCodes.ok);
}
