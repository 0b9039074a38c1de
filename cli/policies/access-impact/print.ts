import { print, type Io } from "../../terminal/io.js";

/** What a plan means for who may do what. */
export function printAccess(lines: readonly string[], io: Io): void {
  if (lines.length === 0) return;
  print(io, `\n${io.colors.bold("Access:")}`);
  for (const line of lines) print(io, `  ${line}`);
}
