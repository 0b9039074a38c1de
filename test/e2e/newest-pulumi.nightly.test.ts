/** Runs the life of a workspace, programs and what the engine's rules decide with the newest Pulumi that there is as a Go module. */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, it, vi } from "vitest";
import { buildPulumi } from "../../scripts/toolchain/gobuild.js";
import { makeEntry, readEntry } from "../../toolchain/cache.js";
import { createProgressPrinter } from "../../toolchain/index.js";
import { executables, listCacheFolders, platformKey } from "../../toolchain/locations.js";
import { missingGo } from "./language-hosts.js";
import { runTests } from "./other-runtime.js";
import { repository, temporaryFolder } from "./support.js";

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 3_600_000 });

const stories = [
  ...["story", "adopt", "drift", "drift-accept", "components", "program-drift"].map(
    (name) => `test/e2e/${name}.test.ts`,
  ),
  ...["recovery", "preview-and-up", "plain-lock", "plugin", "references"].map(
    (name) => `test/e2e/${name}.long.test.ts`,
  ),
  ...["engine-rules", "engine-replacements", "plain-guards", "names-and-imports", "secrets"].map(
    (name) => `test/e2e/${name}.nightly.test.ts`,
  ),
];
const noGo = await missingGo();
const cli = "github.com/pulumi/pulumi/pkg/v3";
let newest: { readonly version: string; readonly bin: string };

/** Finds the newest release, and builds it unless it was built before. */
beforeAll(async () => {
  if (noGo !== undefined) return;
  const module = join(temporaryFolder(), "pulumi-cli");
  cpSync(join(repository, "scripts/toolchain/pulumi-cli"), module, { recursive: true });
  const { env } = process;
  const go = (...args: string[]) =>
    execa("go", args, { cwd: module, env: { GOFLAGS: "-mod=mod", GOWORK: "off" } });
  const { stdout } = await go("list", "-m", "-f", "{{.Version}}", `${cli}@latest`);
  const version = stdout.slice(1);
  const folder = join(listCacheFolders().base, `pulumi-newest-${version}-${platformKey}`);
  newest = { version, bin: join(folder, "bin") };
  if ((await readEntry(folder, [executables.cli], env)) !== undefined) return;
  const sdk = "github.com/pulumi/pulumi/sdk/v3";
  await go("get", `${cli}/cmd/pulumi@v${version}`, `${sdk}@v${version}`);
  const fill = async (root: string) => {
    const context = { env, checkouts: [], onProgress: createProgressPrinter(process.stderr) };
    await buildPulumi(root, context, { module: resolve(module), version, what: `the Pulumi CLI ${version}` });
    return { version, checkedAgainst: "the Go checksum database" };
  };
  await makeEntry(folder, "build", fill, env);
});

it.for(stories)("%s passes with it", async (story, { skip }) => {
  if (noGo !== undefined) skip(noGo);
  const { version, bin } = newest;
  expect({ version, ...(await runTests([story], { PULUMI_BIN: bin })) }).toEqual({
    version,
    code: 0,
    failures: "",
  });
});
