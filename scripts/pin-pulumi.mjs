// `node scripts/pin-pulumi.mjs` writes toolchain/digests.json: the digests of the Pulumi release that this package installs. It needs the
// internet, tar and unzip. It believes a digest only if Pulumi's download server and its release on GitHub publish the same one, and
// the archive has it. Run it after a change of PULUMI_VERSION, and review what it has changed.
//
// Arguments, for tests: the addresses of both folders of files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const versions = readFileSync(join(root, "toolchain/versions.ts"), "utf8");
const version = /PULUMI_VERSION = "([\d.]+)"/.exec(versions)[1];
const [
  server = "https://get.pulumi.com/releases/sdk",
  github = `https://github.com/pulumi/pulumi/releases/download/v${version}`,
  target = join(root, "toolchain/digests.json"),
] = process.argv.slice(2);
const systems = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "windows-x64", "windows-arm64"];

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function download(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responds with HTTP ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Reads the published list of digests: name by name. */
async function published(folder) {
  const text = (await download(`${folder}/pulumi-${version}-checksums.txt`)).toString();
  const lines = text.split("\n").map((line) => line.trim().split(/\s+\*?/));
  return new Map(
    lines.filter(([digest]) => /^[0-9a-f]{64}$/.test(digest)).map(([digest, name]) => [name, digest]),
  );
}

/** Returns the digests of the programs in an archive. */
function programsIn(archive, bytes) {
  const folder = mkdtempSync(join(tmpdir(), "pin-pulumi-"));
  try {
    const [file, unpacked] = [join(folder, archive), join(folder, "unpacked")];
    writeFileSync(file, bytes);
    mkdirSync(unpacked);
    if (archive.endsWith(".zip")) execFileSync("unzip", ["-q", file, "-d", unpacked]);
    else execFileSync("tar", ["-xzf", file, "-C", unpacked]);
    const top = join(unpacked, "pulumi");
    const programs = existsSync(join(top, "bin")) ? join(top, "bin") : top;
    const names = readdirSync(programs).sort();
    return Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(programs, name)))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [ofServer, ofGithub] = await Promise.all([published(server), published(github)]);
const archives = {};
for (const system of systems) {
  const archive = `pulumi-v${version}-${system}.${system.startsWith("windows") ? "zip" : "tar.gz"}`;
  const digest = ofServer.get(archive);
  if (digest === undefined && !ofGithub.has(archive)) {
    console.log(`${archive}: not part of the release`);
    continue;
  }
  if (digest !== ofGithub.get(archive))
    throw new Error(`${archive}: ${server} publishes ${digest}, and ${github} ${ofGithub.get(archive)}`);
  const bytes = await download(`${server}/${archive}`);
  if (sha256(bytes) !== digest)
    throw new Error(`${archive}: the file has ${sha256(bytes)}, and not the published ${digest}`);
  archives[archive] = { sha256: digest, files: programsIn(archive, bytes) };
  console.log(`${archive}: ${digest}, ${Object.keys(archives[archive].files).length} programs`);
}
if (Object.keys(archives).length === 0) throw new Error(`nothing of Pulumi ${version} is published`);
writeFileSync(target, `${JSON.stringify({ version, archives }, null, 2)}\n`);
