/** Tests by their text that the jobs of examples/ci run nothing of a change next to a secret, and that the pages say what each job has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { component, readGitLab } from "./gitlab-file.js";
import {
  action,
  commands,
  folder,
  type Job,
  readWorkflow,
  scriptOf,
  type Step,
  TOOL,
  type Workflow,
  workflows,
} from "./workflow.js";

/** Programs and functions that a step may start. None of them runs a file of the folder that it is started in. */
const harmless = "refuse workspacectl git gh jq mkdir rm cat echo grep exit [ [[ node head sed".split(" ");
const shellWords = /^(exec|if|then|else|elif|fi|case|esac|in|for|do|done|break|refuse\(\)|!|\{|\}|:)$/;

/** Returns the first words of the commands of a script. */
function programsOf(script: string): string[] {
  return script
    .replace(/\\\n\s*/g, " ")
    .replace(/'[^']*'/g, "''")
    .replace(/case .*\n(.*\n)*?\s*esac/g, "")
    .replace(/\bfor \w+ in (\$\w+)?/g, "")
    .split(/\n|;|&&|\|\|?|\$\(/)
    .map((command) => {
      const words = command.trim().split(/\s+/);
      while (words[0] !== undefined && (shellWords.test(words[0]) || /^\w+=/.test(words[0]))) words.shift();
      return words[0]?.replace(/^"?\)?"?/, "") ?? "";
    })
    .filter((word) => word !== "" && !word.startsWith("#"));
}

interface Named {
  readonly name: string;
  readonly workflow: Workflow;
  readonly job: Job;
}
const compare = "../us-eu/github/compare.yml";
const jobs: readonly Named[] = [...workflows, compare].flatMap((path) => {
  const workflow = readWorkflow(path);
  const short = path.replace(/^(fleet\/)?github\/(workflows\/)?/, "$1");
  return Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${short} ${name}`, workflow, job }));
});
const each = jobs.map((one) => [one.name, one] as const);
const permissionsOf = ({ workflow, job }: Named) => job.permissions ?? workflow.permissions ?? {};
const checkouts = ({ steps }: Job) => steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
const readsChange = (job: Job) => checkouts(job).some((step) => step.with?.["path"] === "change");
const hasSecret = (value: unknown) => JSON.stringify(value ?? "").includes("secrets.");
const withoutEnv = ({ env: _, ...step }: Step) => step;

describe("the workflows of GitHub", () => {
  it.each(each)("%s: passes each secret to one command of workspacectl only", (_, { workflow, job }) => {
    expect(hasSecret([workflow.env, job.env, job.outputs, job.steps.map(withoutEnv)])).toBe(false);
    for (const step of job.steps.filter(({ env }) => hasSecret(env))) {
      const programs = programsOf(scriptOf(step));
      expect(programs.filter((name) => name === "workspacectl")).toHaveLength(1);
      expect(programs).not.toContain("node");
      expect(programs).not.toContain("gh");
    }
  });

  it.each(each)("%s: starts only programs that run no file of a checkout", (_, { job }) => {
    for (const step of job.steps) {
      const { uses } = step;
      const run = scriptOf(step);
      expect(programsOf(run).filter((program) => !harmless.includes(program))).toEqual([]);
      for (const [command] of run.matchAll(/\bnode .*/g))
        expect(command).toMatch(/^node trusted\/\.github\/comment\.mjs /);
      if (uses !== undefined && uses !== TOOL) expect(uses).toMatch(/^actions\/[\w/-]+@[0-9a-f]{40}$/);
      // An expression in a script would be pasted into it.
      expect(run).not.toContain("${{");
    }
  });

  it.each(each)(
    "%s: checks out without credentials, and each commit into its own folder",
    (_, { workflow, job }) => {
      for (const step of checkouts(job)) {
        expect(step.with).toMatchObject({ "persist-credentials": false });
        const ref = String(step.with?.["ref"] ?? "");
        if (step.with?.["path"] === "change") continue;
        expect(step.with?.["path"]).toBe("trusted");
        const ofChange = ["pull_request", "merge_group"].some((event) => event in workflow.on);
        const allowed = ofChange
          ? /^\$\{\{ github\.event\.repository\.default_branch \}\}$/
          : /^$|^main$|^\$\{\{ needs\.\w+\.outputs\.commit \}\}$/;
        expect(ref).toMatch(allowed);
      }
      const order = job.steps.flatMap(({ uses, with: given }) =>
        uses === TOOL ? ["tool"] : String(given?.["path"] ?? ""),
      );
      if (readsChange(job)) expect(order.indexOf("change")).toBeGreaterThan(order.indexOf("tool"));
    },
  );

  it.each(each)("%s: has either a token that writes to GitHub, or secrets, or the change", (_, one) => {
    const { job } = one;
    const writes = Object.values(permissionsOf(one)).includes("write");
    const has = [writes, hasSecret(job.steps)].filter(Boolean);
    expect(has.length).toBeLessThan(2);
    if (writes) expect(readsChange(job)).toBe(false);
    if (hasSecret(job.steps)) {
      expect(JSON.stringify(job)).not.toContain("github.token");
      expect(permissionsOf(one)).toEqual({ contents: "read" });
    }
    expect(Object.keys(permissionsOf(one))).not.toEqual([]);
  });

  it.each(each)(
    "%s: has an environment if it has secrets, in a workflow of the default branch",
    (_, { workflow, job }) => {
      expect(job.environment !== undefined).toBe(hasSecret(job.steps));
      if (job.environment === undefined) return;
      // Events whose workflow and GITHUB_REF are those of the default branch.
      const { push, ...others } = workflow.on;
      if (push !== undefined) expect(push).toEqual({ branches: ["main"] });
      for (const event of Object.keys(others))
        expect(["workflow_run", "schedule", "workflow_dispatch", "issue_comment"]).toContain(event);
      if (job.environment === "production") {
        // A change that is not merged only for a comment, and only the commit that was reviewed, by its hash.
        expect(readsChange(job)).toBe("issue_comment" in others);
        for (const { with: given } of checkouts(job).filter((step) => step.with?.["path"] === "change"))
          expect(given?.["ref"]).toBe("${{ needs.command.outputs.commit }}");
        const started = ["workflow_dispatch", "issue_comment"];
        expect(Object.keys(others).filter((event) => !started.includes(event))).toEqual([]);
      } else for (const step of job.steps) expect(scriptOf(step)).not.toMatch(/workspacectl (fleet )?up\b/);
    },
  );

  it("have an action that installs only when it sets up, and then gets no secret", () => {
    expect([...commands.keys()].filter((name) => name !== undefined).toSorted()).toEqual([
      ...["drift", "preview", "setup", "up"],
    ]);
    for (const step of action.runs.steps) {
      const isSetup = step.if?.startsWith("inputs.command == 'setup'") === true;
      expect(isSetup || commands.has(/'(\w+)'/.exec(step.if ?? "")?.[1])).toBe(true);
      if (!isSetup)
        expect([step.uses, programsOf(step.run ?? "")]).toEqual([
          undefined,
          expect.not.arrayContaining(["npm", "npx", "node"]),
        ]);
    }
    for (const { job } of jobs)
      for (const step of job.steps.filter(
        ({ uses, with: given }) => uses === TOOL && given?.["command"] === undefined,
      ))
        expect(step.env).toBeUndefined();
  });

  it("take a comment as one of two words, and nothing else of it", () => {
    const { on, jobs: parts } = readWorkflow("github/comments/comments.yml");
    expect(on).toEqual({ issue_comment: { types: ["created"] } });
    const used = JSON.stringify(parts)
      .match(/[^{(&|]*comment\.body[^)&|}]*/g)
      ?.map((one) => one.trim());
    for (const one of used ?? []) expect(one).toMatch(/^github\.event\.comment\.body == '\/(plan|apply)'$/);
    expect(used).toHaveLength(4);
  });

  it("need no pull_request_target", () => {
    for (const { workflow } of jobs) expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
  });

  it("are described by the pages", () => {
    const rows = [
      ...tableOf("github"),
      ...tableOf("fleet").map((row) => ({ ...row, job: `fleet/${row.job}` })),
    ];
    const described = rows.map(({ job, environment, ...more }) => ({
      ...{ job, environment },
      ...("GitHub's token may" in more ? { token: more["GitHub's token may"] } : {}),
      ...("reads the change" in more ? { reads: more["reads the change"] === "yes" } : {}),
    }));
    const real = jobs
      .filter(({ name }) => !name.startsWith(compare))
      .map((one) => ({
        job: one.name,
        environment: one.job.environment ?? "none",
        ...(one.name.startsWith("fleet/")
          ? {}
          : {
              token: Object.entries(permissionsOf(one))
                .map(([scope, right]) => `${scope}: ${right}`)
                .toSorted()
                .join(", "),
              reads: readsChange(one.job),
            }),
      }));
    const byName = (a: { job: string }, b: { job: string }) => a.job.localeCompare(b.job);
    expect(described.toSorted(byName)).toEqual(real.toSorted(byName));
  });
});

/** Returns the rows of the table "What each job can leak" of a page, without marks of code. */
function tableOf(page: string): { job: string; environment: string; [column: string]: string }[] {
  const text = readFileSync(join(folder, page, "README.md"), "utf8");
  const [, section = ""] = text.split("## What each job can leak\n");
  const lines = section.split("\n").slice(section.split("\n").findIndex((line) => line.startsWith("|")));
  const cells = (line: string) =>
    line
      .replaceAll("`", "")
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = [], , ...rows] = lines.slice(0, lines.indexOf("")).map(cells);
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [head[index] ?? "", cell])) as never);
}

interface GitLabJob {
  readonly script?: readonly string[];
  readonly environment?: string | { readonly name: string; readonly action?: string };
  readonly rules?: readonly { readonly if: string; readonly when?: string }[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly trigger?: { readonly include: readonly object[] };
}
const gitLabFiles = [
  component,
  "fleet/gitlab/.gitlab-ci.yml",
  "fleet/gitlab/approved.gitlab-ci.yml",
  "fleet/gitlab/approved-rest.gitlab-ci.yml",
  "fleet/gitlab/fleet-shards.gitlab-ci.yml",
  "fleet/gitlab/fleet-rest.gitlab-ci.yml",
];
/** Jobs of the file that a file includes have the properties that it does not override. */
function merged(path: string): Record<string, unknown> {
  const own = readGitLab(path);
  if (!path.endsWith("/approved.gitlab-ci.yml")) return own;
  const below = readGitLab("fleet/gitlab/.gitlab-ci.yml") as Record<string, object>;
  return Object.fromEntries(
    Object.entries(own).map(([name, job]) => [
      name,
      typeof job === "object" && job !== null ? { ...below[name], ...job } : job,
    ]),
  );
}
const gitLabJobs = gitLabFiles.flatMap((path) =>
  Object.entries(merged(path)).flatMap(([name, job]) =>
    typeof job === "object" && job !== null && ("script" in job || "trigger" in job)
      ? [[`${path} ${name}`, job as GitLabJob] as const]
      : [],
  ),
);
const environmentOf = ({ environment }: GitLabJob) =>
  (typeof environment === "object" ? environment.name : environment) ?? "none";
const isOfChange = ({ rules = [] }: GitLabJob) =>
  rules.some(({ if: condition }) => condition.includes("merge_request_event"));

describe("the jobs of GitLab", () => {
  it("install the tool outside of the checkout, from a project of its own, and without scripts", () => {
    const { default: common } = readGitLab("gitlab/tool.gitlab-ci.yml") as {
      default: { before_script: readonly string[] };
    };
    expect(
      common.before_script.map((line) => line.replace(/https?:\S+|"\$CI_SERVER\S+"/, "ADDRESS")),
    ).toEqual([
      "TOOL=$(mktemp -d)",
      'git clone --quiet --depth 1 ADDRESS "$TOOL"',
      '(cd "$TOOL" && npm ci --ignore-scripts)',
      'export PATH="$TOOL/node_modules/.bin:$PATH"',
      'if [ -f "$TOOL/policy.yaml" ]; then export WORKSPACE_AUTOMATION_POLICY="$TOOL/policy.yaml"; fi',
    ]);
    for (const path of gitLabFiles.filter((one) => one !== component)) {
      const { include, default: own } = readGitLab(path);
      const isAbove = path.endsWith("/approved.gitlab-ci.yml");
      expect([include, own]).toEqual([isAbove ? "/.gitlab-ci.yml" : "/tool.gitlab-ci.yml", undefined]);
    }
    const { include, ...others } = readGitLab("gitlab/.gitlab-ci.yml");
    expect(others).toEqual({});
    expect(include).toEqual([{ local: "/templates/workspace.yml", inputs: { stack: "us" } }]);
    // The component is whole by itself, and changes no other job of whoever includes it.
    const { default: none, include: more, ".workspacectl": base } = readGitLab(component);
    expect([none, more]).toEqual([undefined, undefined]);
    const { before_script: own } = base as { before_script: readonly string[] };
    expect(own.map((line) => line.replace(/"\$CI_SERVER\S+"/, "ADDRESS"))).toEqual([
      "TOOL=$(mktemp -d)",
      'git -C "$TOOL" init --quiet',
      'git -C "$TOOL" fetch --quiet --depth 1 ADDRESS "HEAD"',
      'git -C "$TOOL" checkout --quiet FETCH_HEAD',
      ...common.before_script.slice(2),
    ]);
  });

  it.each(gitLabJobs)("%s: starts only programs that run no file of the checkout", (_, job) => {
    for (const line of job.script ?? []) {
      expect(programsOf(line).filter((program) => !harmless.includes(program))).toEqual([]);
      for (const [command] of line.matchAll(/\bnode (?!-p ).*/g))
        expect(command).toMatch(/^node "\$TOOL\/comment\.mjs" /);
      // Scripts of sed can start programs and write files: only substitutions that the job contains.
      for (const [command] of line.matchAll(/(?<!\w)sed .*/g))
        expect(command).toMatch(/^sed -E( -e 's([/,])((?!\2)[^'])+\2((?!\2)[^'])*\2[gI]+')+ \S+ >> \S+\s*$/);
      if (isOfChange(job)) expect(line).not.toMatch(/\bnode -p/);
    }
    expect(JSON.stringify(job.trigger ?? {})).not.toContain('"local"');
  });

  it.each(gitLabJobs)("%s: has the environment of its kind", (_, job) => {
    const text = JSON.stringify(job.script ?? []);
    const environment = environmentOf(job);
    expect(environment === "production").toBe(/workspacectl (fleet )?up\b/.test(text));
    if (environment !== "production" && environment !== "none")
      expect(job.environment).toMatchObject({ action: "access" });
    if (isOfChange(job)) expect(["none", "preview", "report"]).toContain(environment);
    // A developer may schedule a pipeline of any other branch.
    else
      for (const { if: rule } of job.rules ?? [])
        expect(rule).toContain("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH");
    // Who comments sees only the report.
    expect(environment === "report").toBe(text.includes("comment.mjs"));
    if (environment === "report") expect(job.variables).toEqual({ GIT_STRATEGY: "empty" });
  });

  it("are described by the page", () => {
    const described = tableOf("gitlab").map(({ job, environment }) => [job, environment]);
    const real = gitLabJobs.filter(([name]) => name.startsWith(component));
    expect(described).toEqual(real.map(([name, job]) => [name.split(" ")[1], environmentOf(job)]));
  });
});

describe("the rules", () => {
  it("find the programs of a script", () => {
    const script = 'code=0\nif [ -f x ]; then npm ci; fi\nA=1 npx y || code=$?\necho "$(./evil)" | bash';
    expect(programsOf(script)).toEqual(["[", "npm", "npx", "echo", './evil)"', "bash"]);
  });
});
