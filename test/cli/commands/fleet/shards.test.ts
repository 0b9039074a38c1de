/** Tests cli/commands/fleet/shards.ts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { assignShards } from "../../../../cli/commands/fleet/shards.js";
import { parseShardChoice } from "../../../../cli/options/option-values.js";
import { run } from "../../support.js";

const folder = mkdtempSync(join(tmpdir(), "workspacectl-shards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, value: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
};

const names = ["large", "a", "b", "c", "new"];
const fleet = write(
  "fleet.yaml",
  `version: 1\nworkspaces: { ${names.map((name) => `${name}: {}`).join(", ")} }\n`,
);
const of = (requests: number, objects: number) => ({ requests, objects });
const figures = { large: of(60, 40), a: of(20, 20), b: of(20, 10), c: of(15, 15) };
write("fleet.figures.json", { version: 1, workspaces: figures });

/** A report as a shard writes it. */
const shards = { large: 1, a: 2, b: 2 };
const ended = (name: string, result: string, exitCode: number) => ({
  ...{ name, file: `/ops/${name}.yaml`, stack: name, result, exitCode, summary: `${result} <of> ${name}` },
  ...{ seconds: 1, requests: 7, objects: 5 },
});
const report = (index: number, workspaces: object[], more: object = {}) =>
  write(`shard-${index}.json`, {
    ...{ version: 2, tool: { name: "workspacectl", version: "0.1.0" } },
    ...{ command: "drift", exitCode: 0, shard: { index, count: 2, of: shards }, workspaces },
    ...more,
  });
const merge = (...argv: string[]) => run(["fleet", "merge", ...argv]);

describe("the shards of a fleet", () => {
  it("are balanced by requests and objects, and a workspace without figures counts as an average one", async () => {
    const { stdout, code } = await run(["fleet", "plan", fleet, "--shards", "2"]);
    expect({ code, ...(JSON.parse(stdout) as object) }).toEqual({
      code: 0,
      version: 1,
      shards: [
        { shard: "1/2", workspaces: ["large", "c"], requests: 75, objects: 55 },
        { shard: "2/2", workspaces: ["a", "b", "new"], requests: 40, objects: 30 },
      ],
      withoutFigures: ["new"],
    });
  });

  it("differ in load by no more than the largest workspace", () => {
    const entries = Array.from({ length: 100 }, (_, index) => ({ name: `w${index}` }));
    const known = new Map(entries.map(({ name }, index) => [name, of(1 + ((index * 37) % 50), index % 7)]));
    const loads = Array.from({ length: 8 }, () => 0);
    for (const [name, shard] of Object.entries(assignShards(entries, known, 8))) {
      const { requests, objects } = known.get(name)!;
      loads[shard - 1]! += requests + objects;
    }
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(56);
  });

  it("are printed for GitHub and GitLab, without shards that would have no workspace", async () => {
    const plan = async (format: string) =>
      (await run(["fleet", "plan", fleet, "--shards", "8", "--format", format])).stdout;
    const shard = [1, 2, 3, 4, 5].map((index) => `${index}/8`);
    const matrix = await plan("github-matrix");
    expect([matrix.trimEnd().includes("\n"), JSON.parse(matrix)]).toEqual([false, { shard }]);
    expect(parse(await plan("gitlab-parallel"))).toEqual({
      ".fleet-shards": { parallel: { matrix: [{ SHARD: shard }] } },
    });
    const many = await run([
      ...[
        "fleet",
        "plan",
        write(
          "many.yaml",
          `version: 1\nworkspaces: { ${Array.from({ length: 250 }, (_, index) => `w${index}: {}`).join(", ")} }\n`,
        ),
      ],
      ...["--shards", "250", "--format", "gitlab-parallel"],
    ]);
    expect([many.code, many.stderr]).toEqual([1, expect.stringContaining("set --shards 200")]);
  });

  it("are named by number and count", () => {
    expect(parseShardChoice("2/8")).toEqual({ index: 2, count: 8 });
    for (const wrong of ["0/4", "5/4", "1", "1/257", "a/b"])
      expect(() => parseShardChoice(wrong)).toThrow("such as 1/4");
  });

  it("do not accept another file as figures", async () => {
    const other = await run(["fleet", "plan", fleet, "--shards", "2", "--figures", fleet]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("choose another with --figures")]);
  });
});

describe("the reports of shards", () => {
  const first = report(1, [ended("large", "drift", 7)]);
  const second = report(2, [ended("b", "ok", 0), ended("a", "ok", 0)]);

  it("become one report in the order of the fleet file, with the worst exit code", async () => {
    const { code, stdout } = await merge(second, first);
    expect(code).toBe(7);
    expect(stdout).toMatch(/^large .*\na .*\nb .*\n\n[^]*3 workspaces: 1 drift, 2 ok/m);
    const json = JSON.parse((await merge(first, second, "--format", "json")).stdout) as object;
    expect(json).toMatchObject({ command: "drift", exitCode: 7, workspaces: [{ name: "large" }, {}, {}] });
  });

  it("are written in every form at once", async () => {
    const forms = ["json", "markdown", "junit", "sarif", "html", "github"];
    const file = (form: string) => join(folder, `all.${form}`);
    const each = forms.flatMap((form) => ["--format", `${form}=${file(form)}`]);
    expect(await merge(first, second, "--format", "table", ...each)).toMatchObject({ code: 7 });
    const text = Object.fromEntries(forms.map((form) => [form, readFileSync(file(form), "utf8")]));
    expect(text["junit"]).toContain('<testsuites name="fleet drift" tests="11" failures="2" errors="0"');
    expect(text["junit"]).toContain('<testsuite name="workspaces" tests="3" failures="1"');
    expect(text["sarif"]).toContain('"ruleId": "fleet/drift"');
    expect(text["html"]).toContain("drift &lt;of&gt; large");
    expect(text["github"]).toMatch(/^::error title=fleet result::3 workspaces: 1 drift, 2 ok/);
    expect(text["markdown"]).toContain("3 workspaces: 1 drift, 2 ok");
  });

  it("do not hide a lost shard", async () => {
    const { code, stdout } = await merge(first);
    expect(code).toBe(1);
    expect(stdout).toContain("there is no report of shard 2/2");
    expect(stdout).toContain("3 workspaces: 2 error, 1 drift");
  });

  it("are refused when they do not belong together", async () => {
    const refused = async (...files: string[]) => {
      const { code, stderr } = await merge(...files);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refused(first, first)).toContain("large is in");
    const elsewhere = { shard: { index: 3, count: 3, of: { large: 1, a: 3, b: 2 } } };
    expect(await refused(first, report(3, [], elsewhere))).toContain(
      "split the workspaces into different shards",
    );
    expect(await refused(first, report(4, [], { command: "up" }))).toContain(
      "merge only reports of the same command",
    );
    expect(await refused(first, write("cut.json", '{"version": 1, "wor'))).toContain("is not a report");
    expect(await refused(join(folder, "none.json"))).toContain("cannot be read: there is no such file");
  });

  it("update the figures for the next run", async () => {
    const file = write("next.json", { version: 1, workspaces: { a: of(1, 1), old: of(2, 2) } });
    await merge(first, second, "--figures", file);
    const both = of(7, 5);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      version: 1,
      workspaces: { a: both, b: both, large: both, old: of(2, 2) },
    });
  });
});
