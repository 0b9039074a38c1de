// `npm run release:check` tests a release: packs the three packages, installs them in an empty folder with npm, runs the demo
// and the guide of the first day from there, and prints their dependencies (SBOM).
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireKnownFiles } from "./packed-files.mjs";
import { bundleFiles, requireThirdParty } from "./third-party.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));
const packages = ["library", "workspacectl", "emulator"].map((name) =>
  read("packages", name, "package.json"),
);
/** Where packages have bundled code of others. */
const bundles = { workspacectl: "dist/bin", "pulumi-workspace-automation": "plugin/dist" };
const folder = mkdtempSync(join(tmpdir(), "release-check-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and shows its output. */
function run(command, args, { cwd = folder, env = process.env } = {}) {
  console.log(`\n$ ${[command, ...args].join(" ")}`);
  execFileSync(command, args, { cwd, env, stdio: "inherit" });
}

function output(command, args, cwd = folder) {
  return execFileSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
}

function step(title) {
  console.log(`\n== ${title}`);
}

if (Object.keys(read("toolchain/digests.json").archives).length === 0)
  console.log(
    "Warning: the package has no digests of Pulumi's release. Run `node scripts/pin-pulumi.mjs` where get.pulumi.com can be reached.",
  );

step("pack");
const packed = JSON.parse(
  output("npm", ["pack", "--workspaces", "--silent", "--json", "--pack-destination", folder], root),
);
for (const { filename, files, size, integrity } of packed)
  console.log(`${filename}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB, ${integrity}`);
for (const manifest of packages) {
  const { files } = packed.find(({ name }) => name === manifest.name);
  const paths = files.map(({ path }) => path);
  requireAllEntries(manifest, paths);
  requireKnownFiles(manifest.name, paths);
  const bundle = bundles[manifest.name];
  const lacking =
    bundle === undefined ? [] : bundleFiles.filter((file) => !paths.includes(`${bundle}/${file}`));
  if (lacking.length > 0) throw new Error(`${manifest.name} lacks ${lacking.join(" and ")} in ${bundle}`);
}
for (const [name, bundle] of Object.entries(bundles))
  requireThirdParty(join(root, "packages", name === "workspacectl" ? name : "library", bundle));
const tarballs = packed.map(({ filename }) => join(folder, filename));

step("install in empty folders");
const project = install("project", tarballs);
if (existsSync(join(project, "node_modules/@pulumi")))
  throw new Error("workspacectl installs Pulumi's SDK, which only programs need");
const program = install("program", [
  tarballs.find((file) => file.includes("pulumi-workspace-automation")),
  `@pulumi/pulumi@${packages[0].peerDependencies["@pulumi/pulumi"]}`,
]);
for (const { name, exports } of packages)
  for (const entry of Object.keys(exports).filter((one) => !/json$/.test(one))) {
    const path = name + entry.slice(1);
    const cwd = path === "pulumi-workspace-automation" ? program : project;
    run("node", ["--input-type=module", "-e", `await import(${JSON.stringify(path)})`], { cwd });
  }
run("npx", ["--no-install", "workspacectl", "--version"], { cwd: project });

step("demo");
run("npx", ["--no-install", "workspacectl", "demo"], { cwd: project });

step("the first day");
run("npx", ["--no-install", "vitest", "run", "test/e2e/first-day.long.test.ts"], {
  cwd: root,
  env: { ...process.env, RELEASE_TARBALLS: tarballs.join(delimiter) },
});

step("software bill of materials");
const sbom = JSON.parse(output("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], project));
for (const { name, version, licenses = [] } of sbom.components) {
  const license = licenses.map((one) => one.expression ?? one.license.id ?? one.license.name).join(", ");
  console.log(`${name} ${version}  ${license || "(no license given)"}`);
}
const sbomFile = join(root, `workspacectl-${read("package.json").version}.sbom.json`);
writeFileSync(sbomFile, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`\n${sbom.components.length} packages; the whole of it, in CycloneDX, is ${sbomFile}`);

/** Installs packages in a new folder with npm, and returns its path. */
function install(name, specifiers) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  run("npm", ["init", "--yes", "--silent"], { cwd });
  run("npm", ["install", "--save-exact", "--no-audit", "--no-fund", ...specifiers], { cwd });
  return cwd;
}

/** Requires a package to contain every file that its package.json names. */
function requireAllEntries({ name, bin = {}, exports }, files) {
  const named = [
    ...Object.values(bin),
    ...Object.values(exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry),
    ),
  ].map((path) => path.replace(/^\.\//, ""));
  const isThere = (path) => {
    const [start, end] = path.split("*");
    return end === undefined
      ? files.includes(path)
      : files.some((file) => file.startsWith(start) && file.endsWith(end));
  };
  const missing = named.filter((path) => !isThere(path));
  if (missing.length > 0) throw new Error(`${name} lacks what its package.json names: ${missing.join(", ")}`);
}
