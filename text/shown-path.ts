/** Paths as reports and commands show them. */
import { isAbsolute, relative, sep } from "node:path";

/** Relative to the folder of the run, so that a report reads the same on every machine; absolute outside of it. */
export function shortenPath(path: string): string {
  const way = relative(process.cwd(), path);
  if (way === "" || isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`)) return path;
  return way.startsWith("-") ? `./${way}` : way;
}
