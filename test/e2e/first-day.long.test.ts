/** Runs the guide of the first day from start to end as a new user, and compares the output with the page. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { ensurePulumi } from "../../toolchain/index.js";
import { openShell, played, type Shell, withoutChance } from "./guide.js";
import { install } from "./installed-project.js";
import {
  editByHand,
  emulatorForTests,
  installedPulumi,
  isolated,
  repository,
  temporaryFolder,
  withoutProgress,
} from "./support.js";

const PAGE = join(repository, "docs/first-day.md");

it("prints the output shown in docs/first-day.md", { timeout: 600_000 }, async () => {
  const emulator = await emulatorForTests({ seed: join(repository, "examples/first-day/made-by-hand.yaml") });
  const page = readFileSync(PAGE, "utf8");
  const home = temporaryFolder();

  const shell = await newRepository(home);
  const here = page
    .replaceAll("http://127.0.0.1:8080", emulator.baseUrl)
    .replaceAll("file:///home/olga", `file://${home}`);
  const printed = await played(here, shell, (what) => byHand(emulator, what));

  const now = withoutProgress(printed)
    .replaceAll(emulator.baseUrl, "http://127.0.0.1:8080")
    .replaceAll(home, "/home/olga");
  if (withoutChance(now) !== withoutChance(page)) await expect(now).toMatchFileSnapshot(PAGE);
});

/** Creates a repository with the packages installed, as at the start of the guide. */
async function newRepository(home: string): Promise<Shell> {
  const folder = join(home, "infrastructure");
  mkdirSync(folder);
  await installRelease(folder);
  // Installs Pulumi in advance. It is not a subject of the guide, and would be built again in a new home.
  await ensurePulumi();
  const shell = openShell(folder, newUser(home));
  await shell.run("git init --quiet --initial-branch main && rm -f *.tgz");
  await shell.run("git config --global user.name Olga && git config --global user.email olga@example.com");
  return shell;
}

/** Installs with npm for the check of a release (`npm run release:check`), and copies the files otherwise. */
async function installRelease(folder: string): Promise<void> {
  const release = process.env["RELEASE_TARBALLS"];
  if (release !== undefined) {
    await execa("npm", ["install", "--no-audit", "--no-fund", ...release.split(delimiter)], { cwd: folder });
    for (const file of ["package.json", "package-lock.json"]) rmSync(join(folder, file));
    return;
  }
  await install(folder);
}

/** Removes all variables that the guide does not set. */
function newUser(home: string): NodeJS.ProcessEnv {
  const set = /^(npm_|XDG_|GIT_|PULUMI_|WORKSPACE_AUTOMATION_|WORKSPACE_VAR_)/i;
  const left = Object.entries(isolated(home)).filter(([name]) => !set.test(name));
  return {
    ...Object.fromEntries(left),
    HOME: home,
    npm_config_update_notifier: "false",
    ...installedPulumi(),
  };
}

/** Makes the changes that others make in the browser meanwhile. */
async function byHand(emulator: Emulator, what: string): Promise<void> {
  const edits: Readonly<Record<string, [list: string, name: string, body: object]>> = {
    "pipeline deploy": ["projects/web/pipelines", "deploy", { ref_name: "develop" }],
    "group QA": ["groups", "QA", { description: "Who tests before a release, and after it" }],
  };
  const [list, name, body] = edits[what] ?? expect.fail(`nobody knows how to change ${what}`);
  await editByHand(emulator, ["PATCH", list, name], body);
}
