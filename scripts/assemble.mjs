// Copies the contents of the three npm packages to packages/, after tsc and bundle.mjs, because npm packs only files in the
// folder of a package.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { draft07Of, inDraft07 } from "./draft-07.mjs";
import { rooms } from "./rooms.cjs";

/** Returns a room and all that it may import. */
const withImports = (room) => [...new Set([room, ...rooms[room].flatMap(withImports)])].sort();

/** Contents by package: path in the repository, and path in the package. */
const contents = {
  library: [
    ...withImports("sdk").map((room) => [`dist/${room}`]),
    ["schema"],
    ["dist/plugin", "plugin/dist"],
    ["schema/pulumi.schema.json", "plugin/dist/pulumi.schema.json"],
    ["CHANGELOG.md"],
  ],
  workspacectl: [
    ["dist/bin"],
    ["docs"],
    ["examples"],
    ["toolchain/digests.json"],
    ["README.md"],
    ["CHANGELOG.md"],
  ],
  emulator: [["dist/emulator", "dist"]],
};

/** Names that are not shipped: files of users who tried an example. */
const left = ["node_modules", ".pulumi-state", ".workspacectl"];
/** Parts of the rooms that only the command and the plugin use, in their bundles. */
const inBundle = [
  ...["access", "edit", "format", "lint", "runs", "write"].map((folder) => ["workspace-file", folder]),
  ...["dynamic-service", "failure", "grpc", "plugin", "property-diff", "service"].map((gRPC) => [
    "provider",
    "adapters",
    gRPC,
  ]),
  ...["git", "start-program"].map((name) => ["trust", name]),
].map((path) => join("dist", ...path));
const isShipped = (path) => !left.includes(basename(path)) && !inBundle.some((part) => path.startsWith(part));

for (const [name, parts] of Object.entries(contents)) {
  const folder = join("packages", name);
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  for (const [from, to = from] of [...parts, ["LICENSE"]]) {
    // Removes files whose source was deleted.
    rmSync(join(folder, to), { recursive: true, force: true });
    cpSync(from, join(folder, to), { recursive: true, filter: isShipped });
  }
}

// The types of the API, with what they import: nothing of a program may depend on what is only in the bundle.
const api = ["cli/api/index.d.ts"];
for (const file of api) {
  const text = readFileSync(join("dist", file), "utf8");
  for (const [, imported] of text.matchAll(/from "([^"]+)"/g)) {
    const path = join(dirname(file), imported).replace(/\.js$/, ".d.ts");
    if (!/^(automation|cli\/api)\//.test(path))
      throw new Error(`${file} imports ${imported}, which is not public`);
    if (!api.includes(path)) api.push(path);
  }
  cpSync(join("dist", file), join("packages/workspacectl/dist/types", file));
}

// An example of a clone takes the packages from their folders; that of a release takes the files of the same release.
const examples = "packages/workspacectl/examples";
const released = (folder) => {
  const { name, version } = JSON.parse(readFileSync(join("packages", folder, "package.json"), "utf8"));
  return `file:vendor/${name}-${version}.tgz`;
};
for (const name of readdirSync(examples, { recursive: true }).filter(
  (path) => basename(path) === "package.json",
)) {
  const file = join(examples, name);
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replaceAll(/file:(?:\.\.\/)+packages\/(\w+)/g, (_, folder) => released(folder)),
  );
}

for (const [from, to] of inDraft07)
  writeFileSync(join("packages/library/schema", to), draft07Of(readFileSync(join("schema", from), "utf8")));
