// Tries a release before anybody else does: packs it, installs it in an empty folder with npm, runs the demo and the guide
// of the first day from there, and prints what it brings along (SBOM): `npm run release:check`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "release-check-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and shows what it prints. */
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

step("pack");
const [packed] = JSON.parse(
  output("npm", ["pack", "--silent", "--json", "--pack-destination", folder], root),
);
const tarball = join(folder, packed.filename);
console.log(
  `${packed.filename}: ${packed.files.length} files, ${(packed.size / 1e6).toFixed(1)} MB, ${packed.integrity}`,
);
requireAllEntries(packed.files.map(({ path }) => path));

step("install in an empty folder");
const project = join(folder, "project");
mkdirSync(project);
run("npm", ["init", "--yes", "--silent"], { cwd: project });
run("npm", ["install", "--save-exact", "--no-audit", "--no-fund", tarball], { cwd: project });
for (const name of Object.keys(manifest.exports).filter((entry) => !/json$/.test(entry)))
  run(
    "node",
    ["--input-type=module", "-e", `await import(${JSON.stringify(manifest.name + name.slice(1))})`],
    {
      cwd: project,
    },
  );
run("npx", ["--no-install", "workspacectl", "--version"], { cwd: project });

step("demo");
run("npx", ["--no-install", "workspacectl", "demo"], { cwd: project });

step("the first day");
run("npx", ["--no-install", "vitest", "run", "test/e2e/first-day.long.test.ts"], {
  cwd: root,
  env: { ...process.env, RELEASE_TARBALL: tarball },
});

step("software bill of materials");
const sbom = JSON.parse(output("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], project));
for (const { name, version, licenses = [] } of sbom.components) {
  const license = licenses.map((one) => one.expression ?? one.license.id ?? one.license.name).join(", ");
  console.log(`${name} ${version}  ${license || "(no license given)"}`);
}
const kept = join(root, `${manifest.name}-${manifest.version}.sbom.json`);
writeFileSync(kept, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`\n${sbom.components.length} packages; the whole of it, in CycloneDX, is ${kept}`);

/** Whatever package.json names has to be in the package. */
function requireAllEntries(files) {
  const named = [
    ...Object.values(manifest.bin),
    ...Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry),
    ),
  ].map((path) => path.replace(/^\.\//, ""));
  const missing = named.filter((path) => !files.includes(path));
  if (missing.length > 0) throw new Error(`the package lacks what package.json names: ${missing.join(", ")}`);
}
