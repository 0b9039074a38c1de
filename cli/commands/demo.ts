import { exitCodes } from "../exit-codes.js";
import type { Io } from "../io.js";

export function demo(_options: object, _io: Io): Promise<number> {
  return Promise.resolve(exitCodes.ok);
}
