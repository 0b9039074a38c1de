// Checks whether dist/ is up to date, and builds it.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { npm } from "./process.mjs";

/** Files that determine the build or become part of the packages. */
const settings = [
  ...["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"],
  ...["scripts/bundle.mjs", "scripts/assemble.mjs", "scripts/draft-07.mjs"],
  ...["library", "workspacectl", "emulator"].map((name) => `packages/${name}/package.json`),
  ...["README.md", "CHANGELOG.md", "LICENSE"],
];
const shipped = ["docs", "examples", "toolchain"];
const stamp = (root) => join(root, "dist/.sources.json");

/** Reports whether no source has changed since the last complete build. */
export function isBuilt(root) {
  const last = lastBuild(root);
  const now = sources(root);
  return last !== undefined && isDeepStrictEqual(last, now);
}

/** Builds. Removes the previous output when a source file was deleted. */
export async function build(root) {
  const now = sources(root);
  const last = lastBuild(root);
  if (!last || Object.keys(last).some((file) => !(file in now)))
    rmSync(join(root, "dist"), { recursive: true, force: true });
  await npm(
    ["run", "--silent", "build"],
    root,
    "mend the errors above (`npm run typecheck` shows them all).",
  );
  writeFileSync(stamp(root), JSON.stringify(now));
}

function lastBuild(root) {
  try {
    return JSON.parse(readFileSync(stamp(root), "utf8"));
  } catch {
    return undefined;
  }
}

/** Returns every source file with its size and modification time. */
function sources(root) {
  const { include } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));
  const files = [
    ...settings,
    ...filesIn(root, include).filter((file) => /\.(ts|json)$/.test(file)),
    ...filesIn(root, shipped),
  ].filter((file) => existsSync(join(root, file)));
  const entries = files.sort().map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, `${size} ${mtimeMs}`];
  });
  return Object.fromEntries(entries);
}

function filesIn(root, folders) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    );
}
