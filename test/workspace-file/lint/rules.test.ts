/** Checks that every lint rule reports its bad example, but not the good one. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { definitions } from "../../../provider/index.js";
import { formatYaml } from "../../../workspace-file/format/format.js";
import { lint, lintRules } from "../../../workspace-file/lint/lint.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

/** Returns the codes of the findings in a text, each with its line. */
async function found(text: string): Promise<string[]> {
  const { findings } = await lint(fileIn(folder, "workspace.yaml", text), { env: {} });
  return findings.map(({ code, place }) => `${place.line} ${code}`);
}

const codes = (lines: readonly string[]) => lines.map((line) => line.split(" ")[1]);

/** Reads the examples of a code: a file with a finding, and the same file without it. */
function examplesOf(code: string): { bad: string; good: string } {
  const file = new URL(`../../../workspace-file/lint/rules/${code}.yaml`, import.meta.url);
  const [bad = "", good = "", ...more] = readFileSync(file, "utf8").split("\n---\n");
  expect(more).toEqual([]);
  return { bad: `${bad}\n`, good };
}

describe.each(lintRules)("$code", ({ code }) => {
  const examples = examplesOf(code);

  it("has examples formatted like the output of `workspacectl fmt`", () => {
    for (const text of [examples.bad, examples.good])
      expect(formatYaml(`${code}.yaml`, text, definitions)).toEqual({ text });
  });

  it("reports the bad example", async () => {
    expect(codes(await found(examples.bad))).toContain(code);
  });

  it("does not report the good example", async () => {
    expect(codes(await found(examples.good))).not.toContain(code);
  });
});

describe("the rules", () => {
  it("have unique codes in kebab-case", () => {
    const all = lintRules.map(({ code }) => code);
    expect(new Set(all).size).toBe(all.length);
    for (const code of all) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it("report at most one other finding in a bad example", async () => {
    const others = await Promise.all(
      lintRules.map(async ({ code }) => {
        const rest = codes(await found(examplesOf(code).bad)).filter((other) => other !== code);
        return rest.length > 1 ? `${code}: ${rest.join(", ")}` : "";
      }),
    );
    expect(others.filter((line) => line !== "")).toEqual([]);
  });
});

describe("messages", () => {
  it("do not contain a secret that a placeholder inserts into a name", async () => {
    const text = `version: 1
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Push, type: PUSH, triggerTime: ON_EVERY_EXECUTION, gitAuthMode: ENV_KEY, pushUrl: a@b.example.com:c.git, envKey: "\${secret:env:KEY}" }
`;
    const { findings } = await lint(fileIn(folder, "secret.yaml", text), {
      env: { WORKSPACE_VAR_KEY: "told-to-nobody" },
    });
    const messages = findings.filter(({ code }) => code === "key-variable").map(({ message }) => message);
    expect(messages).toEqual(['no variable "[secret]" is declared where this action sees it']);
  });
});

it("a permission set of a complete list of members is used, and so is one of an entry", async () => {
  const set = "{ description: x, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }";
  const text = (exclusive: boolean) => `version: 1
members: { ann@example.com: { admin: true } }
permissionSets: { testers: ${set}, others: ${set} }
projects: { web: { exclusive: ${exclusive}, members: { ann@example.com: testers } } }
`;
  for (const exclusive of [true, false]) {
    const { findings } = await lint(fileIn(folder, "workspace.yaml", text(exclusive)), { env: {} });
    const unused = findings.filter(({ code }) => code === "unused-permission-set");
    expect(unused.map(({ message }) => message)).toEqual([
      'permission set "others" is not assigned to any member',
    ]);
  }
});
