// Whether node_modules is what package-lock.json says, and making it so.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./process.mjs";

/** Why node_modules cannot be used as it is; undefined when it can. */
export function modulesProblem(root) {
  const wanted = packagesIn(join(root, "package-lock.json"));
  // npm writes this file last, so half an installation has none.
  const installed = packagesIn(join(root, "node_modules/.package-lock.json"));
  if (!installed) return "none yet";
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === "" || (optional && !installed[path])) continue;
    if (installed[path]?.version !== version) return `${path} is not ${version}, as package-lock.json has it`;
  }
  return undefined;
}

/** Installs exactly what package-lock.json says. */
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
