// Checks whether node_modules matches package-lock.json, and installs it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./process.mjs";

/** Explains why node_modules must be installed, if so. */
export function modulesProblem(root) {
  const wanted = packagesIn(join(root, "package-lock.json"));
  // npm writes this file last, so an incomplete installation has none.
  const installed = packagesIn(join(root, "node_modules/.package-lock.json"));
  if (!installed) return "none yet";
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === "" || (optional && !installed[path])) continue;
    if (installed[path]?.version !== version) return `${path} is not ${version}, as package-lock.json has it`;
  }
  return undefined;
}

/** Installs the versions of package-lock.json. */
export async function installModules(root) {
  await npm(
    ["ci", "--no-audit", "--no-fund", "--loglevel=error"],
    root,
    "check that this machine reaches the package registry that npm is set to (`npm ping`), then run the command again.",
  );
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}
