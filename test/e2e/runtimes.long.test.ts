/**
 * Runs tests with the later releases of Node.js, whose binaries come from the npm registry: in CI those of start-up and the demo, and nightly also a
 * workspace's story and a program.
 */
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, it, vi } from "vitest";
import { chooseStories } from "../stories.js";
import { runTests } from "./other-runtime.js";
import { temporaryFolder } from "./support.js";

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 600_000 });

const releases = ["22", "24", "26"];
const stories = chooseStories(["startup", "demo", "story", "references"], 2).map(
  (name) => `test/e2e/${name}.test.ts`,
);
const isSupported = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);
const folder = temporaryFolder();
const binaries = (release: string) => join(folder, "node_modules", `node${release}`, "bin");

beforeAll(async () => {
  if (!isSupported) return;
  const packages = releases.map((release) => `node${release}@npm:node-linux-${process.arch}@${release}`);
  await execa("npm", ["install", "--no-save", "--prefix", folder, ...packages], { cwd: folder });
});

it.skipIf(!isSupported).each(chooseStories(releases, 1))("Node.js %s passes them", async (release) => {
  const node = join(binaries(release), "node");
  const { stdout: version } = await execa(node, ["--version"]);
  expect(version).toMatch(new RegExp(`^v${release}\\.`));
  const env = { PATH: [binaries(release), process.env["PATH"]].join(delimiter) };
  expect({ version, ...(await runTests(stories, env, node)) }).toEqual({ version, code: 0, failures: "" });
});
