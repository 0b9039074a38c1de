// Compares the files of a package with scripts/packed-files.json, so that nothing is published by mistake.
import { readFileSync } from "node:fs";
import picomatch from "picomatch";

/** The patterns of the files that each package contains, by its name. */
const allowed = JSON.parse(readFileSync(new URL("packed-files.json", import.meta.url), "utf8"));

/** Returns the files that no pattern of the package matches. */
export function unknownFiles(name, files) {
  const isAllowed = picomatch(allowed[name] ?? [], { dot: true });
  return files.filter((file) => !isAllowed(file));
}

/** @throws when a package contains a file that is not expected in it */
export function requireKnownFiles(name, files) {
  const unknown = unknownFiles(name, files);
  if (unknown.length === 0) return;
  throw new Error(
    `${name} contains ${unknown.join(", ")}: remove it from the package, or add it to scripts/packed-files.json`,
  );
}
