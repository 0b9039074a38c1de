/** Plays the workflows of examples/ci/github with a real runner on pull requests that try to run programs. Needs a build. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { missingAct, play, type Played } from "./act.js";
import {
  addTool,
  examples,
  expectNoSecret,
  expectNothingForeign,
  git,
  type HostileWorld,
  makeHostileWorld,
  ranOf,
  textsIn,
} from "./hostile-world.js";

const skip = await missingAct();
const reason = skip === undefined ? "" : ` (skipped: ${skip})`;

/** Does with a secret what no job of the examples does. */
const careless = `
on: pull_request
jobs:
  careless:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@d23441a48e516b6c34aea4fa41551a30e30af803
      - run: npm install
        env: { WORKSPACE_AUTOMATION_TOKEN: "\${{ secrets.WORKSPACE_AUTOMATION_TOKEN }}" }
`;

let world: HostileWorld;
const artifacts = () => join(world.folder, "artifacts");
const statuses = () => {
  const file = join(world.folder, "statuses");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

beforeAll(async () => {
  if (skip !== undefined) return;
  world = await makeHostileWorld(async (main) => {
    await addTool(main);
    for (const part of ["workflows", "actions"])
      cpSync(join(examples, "github", part), join(main, ".github", part), { recursive: true });
    cpSync(join(main, "comment.mjs"), join(main, ".github/comment.mjs"));
    // act 0.2.89 does not know it.
    const up = join(main, ".github/workflows/up.yml");
    writeFileSync(up, readFileSync(up, "utf8").replace(/ {2}queue: max.*\n/, ""));
    writeFileSync(join(main, ".github/workflows/careless.yml"), careless);
    writeFileSync(join(main, ".github/policy.yaml"), "version: 1\nguards: { maxDeletes: 5 }\n");
  });
  world.write("bin/gh", `#!/bin/sh\necho "gh $*" >> '${join(world.folder, "statuses")}'\n`, 0o755);
}, 900_000);

/** Plays a workflow as an event starts it. @param number of the pull request */
async function job(workflow: string, trigger: string, event: object, number = 1): Promise<Played> {
  const { folder, main, emulator, secrets, backend, api, origin, write } = world;
  const repository = { full_name: "acme/workspace", default_branch: "main" };
  write("event.json", JSON.stringify({ ...event, repository }));
  return play(workflow, {
    ...{ repository: main, trigger, event: join(folder, "event.json") },
    secrets: {
      GITHUB_TOKEN: secrets.job,
      WORKSPACE_AUTOMATION_TOKEN: secrets.token,
      PULUMI_CONFIG_PASSPHRASE: secrets.passphrase,
    },
    variables: { WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl, PULUMI_BACKEND_URL: backend },
    env: {
      PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
      HOME: process.env["HOME"] ?? "",
      GITHUB_REPOSITORY: repository.full_name,
      GITHUB_API_URL: api,
      ORIGIN: pathToFileURL(origin).href,
      EVENT_REF: trigger === "pull_request" ? `refs/pull/${number}/merge` : "main",
      ARTIFACTS: artifacts(),
    },
  });
}

const checkOf = (number: number) => job("check.yml", "pull_request", { pull_request: { number } }, number);
const previewOf = (number: number, more: object = {}) =>
  job("preview.yml", "workflow_run", {
    workflow_run: {
      ...{
        conclusion: "success",
        event: "pull_request",
        head_sha: world.heads[number - 1],
        head_branch: "change",
      },
      ...{
        head_repository: { full_name: "acme/workspace" },
        pull_requests: [{ number, base: { ref: "main" } }],
      },
      ...more,
    },
  });

function expectNothingBad({ log }: Played): void {
  expectNoSecret(world, [log, statuses()], [artifacts()]);
  expectNothingForeign(world);
}

describe
  .skipIf(skip !== undefined)
  .sequential(`a hostile pull request${reason}`, { timeout: 900_000 }, () => {
    it.each([1, 2, 3])("is checked, and runs nothing (%i)", async (number) => {
      const played = await checkOf(number);
      if (number === 1)
        expect([played.code, played.log]).toEqual([0, expect.stringContaining("workspace.yaml is valid")]);
      expectNothingBad(played);
    });

    it("is previewed and commented on, and runs nothing", async () => {
      const played = await previewOf(1);
      expect([played.code, played.log]).toEqual([0, expect.stringContaining('"Testers" → "Changed"')]);
      expectNothingBad(played);
      expect(textsIn(artifacts()).join()).toContain("Changed");
      expect(world.sent.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
        "GET /repos/acme/workspace/issues/1/comments?per_page=100&page=1",
        "POST /repos/acme/workspace/issues/1/comments",
      ]);
      expect(world.sent[1]).toContain(`commit ${world.heads[0]!.slice(0, 10)}`);
      const commit = `repos/acme/workspace/statuses/${world.heads[0]}`;
      expect(statuses()).toMatch(`gh api ${commit} -f state=success -f context=preview us`);
    });

    it.each([
      ["brings a project file of Pulumi with a plugin", 2],
      ["asks for the credentials of the job in its workspace file", 3],
    ])("runs and shows nothing when it %s", async (_, number) => {
      const played = await previewOf(number);
      expect(played.log).toContain("Run Main What would change");
      expect(played.log).toContain("[Preview/report] 🏁  Job succeeded");
      expectNothingBad(played);
    });

    it.each([
      ["is of a fork", { head_repository: { full_name: "mallory/workspace" } }],
      ["is into another branch", { pull_requests: [{ number: 1, base: { ref: "evil" } }] }],
      ["was not checked successfully", { conclusion: "failure" }],
    ])("is not previewed when it %s", async (_, more) => {
      expect((await previewOf(1, more)).log).not.toContain("Run Main");
    });

    it("is not previewed in place of the commit that was checked", async () => {
      const { log } = await previewOf(1, { head_sha: world.heads[1] });
      expect(log).toContain("Failure - Main The commit that was checked, or nothing");
      expect(log).not.toContain("Run Main What would change");
    });

    it("has changed nothing in the workspace", () => {
      expect(world.emulator.journal.writes()).toHaveLength(1); // the group of `main`
    });

    it("is refused by nothing else: a change that is merged is applied, and drift finds none", async () => {
      const { main, origin, emulator, write } = world;
      write("main/workspace.yaml", "version: 1\nworkspace: acme\ngroups: { QA: { description: Merged } }\n");
      await git(main, "commit", "--quiet", "--all", "--message", "Merge");
      await git(main, "push", "--quiet", origin, "main");
      const up = await job("up.yml", "push", { ref: "refs/heads/main" });
      expect([up.code, up.log]).toEqual([0, expect.stringContaining("Done: 0 created, 1 updated")]);
      expect(emulator.journal.writes()).toHaveLength(2);
      expect((await job("up.yml", "push", { ref: "refs/heads/main" })).log).not.toContain("[Up/apply]");
      const drift = await job("drift.yml", "schedule", {});
      expect([drift.code, drift.log]).toEqual([0, expect.stringContaining("1 object as declared")]);
      expectNoSecret(world, [up.log, drift.log], [artifacts()]);
    });

    it("runs its programs, and gets the token, in a workflow that is careless", async () => {
      await job("careless.yml", "pull_request", { pull_request: { number: 1 } });
      expect(ranOf(world)).toContain("evil.sh");
      expect(ranOf(world)).toContain(world.secrets.token);
    });
  });
