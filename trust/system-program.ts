/** Runs programs of the system for the library, which has none of what starts other ones. */
import { execFileSync } from "node:child_process";

/** Runs a program by its path, and returns what it prints. */
export function runSystemProgram(path: string, args: readonly string[]): string {
  return execFileSync(path, args, { encoding: "utf8", cwd: "/", env: { LC_ALL: "C" } }).trim();
}
