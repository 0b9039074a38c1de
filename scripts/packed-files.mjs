// Compares the files of a package with scripts/packed-files.json and with what Git tracks, so that nothing is published by mistake.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import picomatch from "picomatch";

/** The patterns of the files that each package contains, by its name. */
const allowed = JSON.parse(readFileSync(new URL("packed-files.json", import.meta.url), "utf8"));

/** Folders and files that the command's package contains as they are in the repository. */
const copied = ["docs", "examples", "toolchain/digests.json"];

/** Returns the files that no pattern of the package matches, and that are not a tracked file of a folder that is copied into it. */
export function unknownFiles(name, files) {
  const isAllowed = picomatch(allowed[name] ?? [], { dot: true });
  const cwd = dirname(dirname(fileURLToPath(import.meta.url)));
  const listing = execFileSync("git", ["ls-files", "-z", "--", ...copied], { cwd, encoding: "utf8" });
  const tracked = new Set(name === "workspacectl" ? listing.split("\0") : []);
  return files.filter((file) => !isAllowed(file) && !tracked.has(file));
}

/** @throws when a package contains a file that is not expected in it */
export function requireKnownFiles(name, files) {
  const unknown = unknownFiles(name, files);
  if (unknown.length === 0) return;
  throw new Error(
    `${name} contains ${unknown.join(", ")}: remove it from the package, or add it to Git or scripts/packed-files.json`,
  );
}
