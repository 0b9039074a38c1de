// Copies the contents of the three npm packages to packages/, after tsc and bundle.mjs, because npm packs only files in the
// folder of a package.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { draft07Of, inDraft07 } from "./draft-07.mjs";

const rooms = [
  "assumptions",
  "client",
  "diff",
  "provider",
  "recovery",
  "schema",
  "sdk",
  "trust",
  "workspace-file",
];

/** Contents by package: path in the repository, and path in the package. */
const contents = {
  library: [
    ...rooms.map((room) => [`dist/${room}`]),
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

// An example of a clone takes the library from its folder; that of a release takes the file of the same release.
const { version } = JSON.parse(readFileSync("packages/library/package.json", "utf8"));
const examples = "packages/workspacectl/examples";
for (const name of readdirSync(examples, { recursive: true }).filter(
  (path) => basename(path) === "package.json",
)) {
  const file = join(examples, name);
  const released = `file:vendor/pulumi-workspace-automation-${version}.tgz`;
  writeFileSync(file, readFileSync(file, "utf8").replace(/file:(\.\.\/)+packages\/library/, released));
}

for (const [from, to] of inDraft07)
  writeFileSync(join("packages/library/schema", to), draft07Of(readFileSync(join("schema", from), "utf8")));
