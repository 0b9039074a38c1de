// Puts into packages/ what each of the three npm packages ships, after tsc and bundle.mjs: npm packs only what lies in a
// package's own folder, and the sources lie in the rooms at the top.
import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const rooms = ["client", "diff", "provider", "schema", "sdk", "workspace-file"];

/** By package: from which path of the repository to which path of the package. */
const contents = {
  library: [...rooms.map((room) => [`dist/${room}`]), ["schema"], ["CHANGELOG.md"]],
  workspacectl: [["dist/bin"], ["docs"], ["examples"], ["toolchain"], ["README.md"], ["CHANGELOG.md"]],
  emulator: [["dist/emulator", "dist"]],
};

/** What somebody left who tried an example, and the rules of `workspacectl lint`: no entry of the library leads to them. */
const left = ["node_modules", ".pulumi-state", ".workspacectl"];
const isShipped = (path) => !left.includes(basename(path)) && path !== join("dist", "workspace-file", "lint");

for (const [name, parts] of Object.entries(contents)) {
  const folder = join("packages", name);
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  for (const [from, to = from] of [...parts, ["LICENSE"]]) {
    // What is gone from the sources must not be shipped.
    rmSync(join(folder, to), { recursive: true, force: true });
    cpSync(from, join(folder, to), { recursive: true, filter: isShipped });
  }
}
