/** Runs the scripts of examples/ci/fleet as the CI systems do: each job in its own process, with its own copy of the files. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import { bin, emulatorForTests, isolated, repository, temporaryFolder, workspacectl } from "./support.js";

const FILE = `version: 1
workspace: acme
groups: { QA: { description: Testers } }
projects:
  web: { protect: false }
`;
const names = ["one", "two", "three", "four", "five"];

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly "working-directory"?: string;
}
const example = (file: string): unknown =>
  parse(readFileSync(join(repository, "examples/ci/fleet", file), "utf8"));
const jobsOf = (file: string) =>
  (example(`github/${file}`) as { jobs: Record<string, { steps: Step[] }> }).jobs;
const github = jobsOf("drift.yml");
type GitlabJobs = Record<string, { script: string[] }>;
const gitlab = Object.assign(
  {},
  ...[".gitlab-ci.yml", "fleet-shards.gitlab-ci.yml"].map((file) => example(`gitlab/${file}`)),
) as GitlabJobs;

let emulators: Emulator[];
/** The requests that each service has received by the end of `up`. */
let counted: number[];
let folder: string;
let checkout: string;
let env: NodeJS.ProcessEnv;

/** Runs a script as a runner does. @param where the folder of the job, without the artifacts of others */
async function job(script: string, where: string, more: NodeJS.ProcessEnv = {}) {
  if (!existsSync(where)) cpSync(checkout, where, { recursive: true });
  return execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: where,
    env: { ...env, ...more },
    extendEnv: false,
    reject: false,
  });
}

/** Runs the step of a GitHub job that has a name and a script. @param where the workspace of the job, with the checkout in `trusted` */
async function step(of: string, where: string, more: NodeJS.ProcessEnv = {}, jobs = github, title?: string) {
  const found = jobs[of]?.steps.find(
    ({ name, run }) => run !== undefined && (title === undefined ? name !== undefined : name === title),
  );
  if (!existsSync(join(where, "trusted"))) cpSync(checkout, join(where, "trusted"), { recursive: true });
  const temp = join(where, "temp");
  mkdirSync(temp, { recursive: true });
  return job(found?.run ?? "", join(where, found?.["working-directory"] ?? "."), {
    RUNNER_TEMP: temp,
    ...more,
  });
}

const scriptOf = (of: string, jobs = gitlab) => jobs[of]?.script.join("\n") ?? "";

beforeAll(async () => {
  folder = temporaryFolder();
  checkout = join(folder, "checkout");
  mkdirSync(join(folder, "bin"));
  mkdirSync(checkout);
  const installed = join(folder, "bin/workspacectl");
  writeFileSync(installed, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(installed, 0o755);
  emulators = await Promise.all(names.map(() => emulatorForTests()));
  const entries = names.map((name) => {
    const upper = name.toUpperCase();
    return `  ${name}: { environment: { WORKSPACE_AUTOMATION_BASE_URL: ${upper}_WORKSPACE_AUTOMATION_BASE_URL, WORKSPACE_AUTOMATION_TOKEN: ${upper}_WORKSPACE_AUTOMATION_TOKEN } }\n`;
  });
  for (const argv of [
    ["init", "--quiet"],
    ["commit", "--quiet", "--allow-empty", "--message", "Begin"],
  ])
    await execa("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...argv], { cwd: checkout });
  const state = pathToFileURL(join(folder, "state")).href;
  writeFileSync(join(checkout, "workspace.yaml"), FILE);
  writeFileSync(join(checkout, "fleet.yaml"), `version: 1\nworkspaces:\n${entries.join("")}`);
  mkdirSync(join(folder, "state"));
  env = isolated(folder, {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    PULUMI_BACKEND_URL: state,
  });
  for (const [index, { baseUrl, token }] of emulators.entries()) {
    env[`${names[index]?.toUpperCase()}_WORKSPACE_AUTOMATION_BASE_URL`] = baseUrl;
    env[`${names[index]?.toUpperCase()}_WORKSPACE_AUTOMATION_TOKEN`] = token;
  }
  const up = await workspacectl(
    ["fleet", "up", "fleet.yaml", "--yes", "--quiet", "--", "--create-stack"],
    checkout,
    env,
  );
  expect([up.code, up.stderr]).toEqual([0, expect.not.stringContaining("error:")]);
  counted = emulators.map(({ journal }) => journal.requests.length);
  await edited(emulators[2]!);
}, 300_000);

async function edited(emulator: Emulator): Promise<void> {
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
  const [group] = (body as { groups: { id: number }[] }).groups;
  const path = `/workspaces/acme/groups/${group?.id}`;
  await emulator.edit({ method: "PATCH", path, body: { description: "By hand" } });
}

interface Merged {
  readonly exitCode: number;
  readonly workspaces: readonly { name: string; result: string; requests: number; objects: number }[];
}

describe("the jobs of a fleet", { timeout: 600_000 }, () => {
  it("count the requests and objects of each workspace for the next run", () => {
    const figures = JSON.parse(readFileSync(join(checkout, "fleet.figures.json"), "utf8")) as {
      workspaces: Record<string, { requests: number; objects: number }>;
    };
    expect(Object.keys(figures.workspaces).toSorted()).toEqual(names.toSorted());
    expect(names.map((name) => figures.workspaces[name])).toEqual(
      counted.map((requests) => ({ requests, objects: 2 })),
    );
  });

  it("of GitHub run every workspace once, and end with one report and one exit code", async () => {
    const plan = join(folder, "github-plan");
    const output = join(folder, "output");
    const planned = await step("plan", plan, { GITHUB_OUTPUT: output });
    expect(planned).toMatchObject({ exitCode: 0 });
    const [, matrix = ""] = /^matrix=(.*)$/m.exec(readFileSync(output, "utf8")) ?? [];
    const { shard: shards } = JSON.parse(matrix) as { shard: string[] };
    expect(shards).toEqual(["1/4", "2/4", "3/4", "4/4"]);
    const merge = join(folder, "github-merge");
    const before = emulators.map(({ journal }) => journal.requests.length);
    await Promise.all(
      shards.map(async (SHARD, index) => {
        const where = join(folder, `github-${index}`);
        expect(await step("shard", where, { SHARD })).toMatchObject({ exitCode: 0 });
        mkdirSync(join(merge, "reports", `report-${index}`), { recursive: true });
        cpSync(join(where, "temp/report.json"), join(merge, "reports", `report-${index}`, "report.json"));
      }),
    );
    const summary = join(folder, "summary.md");
    const merged = await step("merge", merge, { GITHUB_STEP_SUMMARY: summary });
    expect(merged).toMatchObject({ exitCode: 7 });
    expect(merged.stdout).toContain("5 workspaces: 1 drift, 4 ok");
    expect(readFileSync(summary, "utf8")).toContain(
      "- 4 workspaces (not three): clean\n- three: 1 changed\n",
    );
    expect(readFileSync(join(merge, "fleet.xml"), "utf8")).toContain('failures="1"');
    const reports = shards.map((_, index) => join(merge, "reports", `report-${index}`, "report.json"));
    const each = reports.map((file) => JSON.parse(readFileSync(file, "utf8")) as Merged);
    expect(each.flatMap(({ workspaces }) => workspaces.map(({ name }) => name)).toSorted()).toEqual(
      names.toSorted(),
    );
    const made = new Map(each.flatMap(({ workspaces }) => workspaces.map((one) => [one.name, one.requests])));
    expect(names.map((name) => made.get(name))).toEqual(
      emulators.map(({ journal }, index) => journal.requests.length - before[index]!),
    );
    expect(each.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 0, 0, 7]);
    // A lost shard is an error.
    const lost = await workspacectl(["fleet", "merge", ...reports.slice(1)], merge, env);
    expect([lost.code, lost.stdout]).toEqual([1, expect.stringContaining("there is no report of shard 1/4")]);
  });

  it("of GitLab do the same", async () => {
    const plan = join(folder, "gitlab-plan");
    expect(await job(scriptOf("plan"), plan)).toMatchObject({ exitCode: 0 });
    const { ".fleet-shards": of } = parse(readFileSync(join(plan, "shards.yml"), "utf8")) as {
      ".fleet-shards": { parallel: { matrix: [{ SHARD: string[] }] } };
    };
    const merge = join(folder, "gitlab-merge");
    cpSync(checkout, merge, { recursive: true });
    const codes = await Promise.all(
      of.parallel.matrix[0].SHARD.map(async (SHARD, index) => {
        const where = join(folder, `gitlab-${index}`);
        const ended = await job(scriptOf("shard"), where, { SHARD, CI_NODE_INDEX: String(index + 1) });
        cpSync(join(where, "reports"), join(merge, "reports"), { recursive: true });
        return ended.exitCode;
      }),
    );
    expect(codes.toSorted()).toEqual([0, 0, 0, 7]);
    const merged = await job(scriptOf("merge"), merge);
    expect(merged).toMatchObject({ exitCode: 7 });
    expect(merged.stdout).toContain("5 workspaces: 1 drift, 4 ok");
    expect(existsSync(join(merge, "fleet.html"))).toBe(true);
  });

  describe("in waves", () => {
    const waves = "waves: [{ name: canary, workspaces: [one], gate: { drift: clean } }]\n";
    const writes = () => emulators.map(({ journal }) => journal.writes().length);

    /** Makes a checkout with waves and another description of the group. @returns how many requests each service gets that write */
    async function changed(
      description: string,
      update: (where: string) => Promise<void>,
      into = ".",
    ): Promise<number[]> {
      const job = join(folder, description);
      const where = join(job, into);
      cpSync(checkout, where, { recursive: true });
      appendFileSync(join(where, "fleet.yaml"), waves);
      writeFileSync(join(where, "workspace.yaml"), FILE.replace("Testers", description));
      const before = writes();
      await update(job);
      return writes().map((count, index) => count - before[index]!);
    }

    const shardsOf = (matrix: string) => (JSON.parse(matrix) as { shard: string[] }).shard;

    it("of GitHub update the canary, and then the others", async () => {
      const up = jobsOf("up.yml");
      const written = await changed(
        "github-up",
        async (where) => {
          const canary = await step("canary", where, {}, up);
          expect([canary.exitCode, canary.stdout]).toEqual([
            0,
            expect.stringContaining("1 workspace: all ok"),
          ]);
          const output = join(folder, "output-of-up");
          expect(await step("plan", where, { GITHUB_OUTPUT: output }, up)).toMatchObject({ exitCode: 0 });
          const shards = shardsOf(readFileSync(output, "utf8").replace("matrix=", ""));
          expect(shards).toEqual(["1/4", "2/4", "3/4", "4/4"]);
          for (const SHARD of shards)
            expect(await step("rest", where, { SHARD }, up)).toMatchObject({ exitCode: 0 });
        },
        "trusted",
      );
      expect(written).toEqual([1, 1, 1, 1, 1]);
    });

    it("of GitHub apply only the plans that the pull request showed", async () => {
      const [preview, up] = [jobsOf("preview.yml"), jobsOf("on-merge/up.yml")];
      const report = join(folder, "github-approved/temp/report");
      const written = await changed(
        "github-approved",
        async (where) => {
          cpSync(join(where, "trusted"), join(where, "change"), { recursive: true });
          const summary = { GITHUB_STEP_SUMMARY: join(folder, "summary") };
          const planned = await step("plan", where, summary, preview, "What would change");
          expect([planned.exitCode, planned.stderr]).toEqual([0, expect.any(String)]);
          expect(readFileSync(join(report, "preview.md"), "utf8")).toMatch(
            /^## 🔵 Plan for 5 workspaces: 0 to create, 5 to update/,
          );
          writeFileSync(
            join(folder, "bin/gh"),
            `#!/bin/sh\ncase "$1" in run) mkdir approved && cp "${report}/preview.json" approved/ ;; esac\n`,
          );
          chmodSync(join(folder, "bin/gh"), 0o755);
          const output = join(folder, "output-of-approved");
          const given = { GIVEN: "7", GITHUB_OUTPUT: output };
          expect(await step("approved", where, given, up)).toMatchObject({ exitCode: 0 });
          const FINGERPRINT = readFileSync(output, "utf8").trim().replace("fingerprint=", "");
          expect(FINGERPRINT).toMatch(/^sha256:[0-9a-f]{64}$/);
          expect(await step("canary", where, { FINGERPRINT }, up)).toMatchObject({ exitCode: 0 });
          const other = { FINGERPRINT: `sha256:${"0".repeat(64)}`, SHARD: "1/4" };
          expect((await step("rest", where, other, up)).stderr).toContain(
            "does not contain the approved plans",
          );
          for (const SHARD of ["1/4", "2/4", "3/4", "4/4"])
            expect(await step("rest", where, { SHARD, FINGERPRINT }, up)).toMatchObject({ exitCode: 0 });
        },
        "trusted",
      );
      expect(written).toEqual([1, 1, 1, 1, 1]);
    });

    it("of GitLab fail with the canary, which stops the pipeline, and continue when it is repeated", async () => {
      const rest = example("gitlab/fleet-rest.gitlab-ci.yml") as GitlabJobs;
      const written = await changed("gitlab-up", async (where) => {
        emulators[0]!.faults.add({ kind: "status", method: "PATCH", status: 400, count: 1 });
        expect((await job(scriptOf("canary"), where)).exitCode).toBe(1);
        expect(await job(scriptOf("canary"), where)).toMatchObject({ exitCode: 0 });
        expect(await job(scriptOf("plan-rest"), where)).toMatchObject({ exitCode: 0 });
        expect(await job(scriptOf("shard", rest), where, { SHARD: "1/4" })).toMatchObject({ exitCode: 0 });
      });
      expect(written.reduce((all, one) => all + one, 0)).toBeLessThan(5);
      expect(written[0]).toBeGreaterThan(0);
    });
  });
});
