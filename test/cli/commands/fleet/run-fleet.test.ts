/** Tests cli/commands/fleet/run-fleet.ts. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parseFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { writeFleet } from "../../../../cli/commands/fleet/fleet-report.js";
import { findWorst, type FleetRun, runFleet } from "../../../../cli/commands/fleet/run-each-workspace.js";
import type { StartChild } from "../../../../cli/commands/fleet/worker-processes.js";
import type { Format } from "../../../../reports/formats.js";
import { run, testIo } from "../../support.js";

const names = ["us", "eu", "lab", "old"];
const { entries } = parseFleet(
  "/ops/fleet.yaml",
  `version: 1\ndefaults: { environment: { WORKSPACE_VAR_TOKEN: WORKSPACE_VAR_SHARED } }\nworkspaces:\n${names.map((name) => `  ${name}: { connection: ${name} }\n`).join("")}`,
);

/** The result of each process by the name of its stack. */
type World = Record<string, { code: number; json?: object; says?: string }>;

const plan = {
  steps: [{ operation: "create" }, { operation: "create" }, { operation: "delete" }],
  drift: [{}],
};
const world: World = {
  us: { code: 0, json: { workspace: "acme", baseUrl: "http://us", plan, done: plan } },
  eu: { code: 0, json: { workspace: "acme-eu", plan: { steps: [], drift: [] } } },
  lab: { code: 1, says: "Reading ...\nerror: the token is not valid | remedy\nmore" },
  old: { code: 7, json: { workspace: "old", counts: { changed: 2, deleted: 1, added: 0 } } },
};

async function play(
  run: Partial<FleetRun>,
  of: World = world,
  env: NodeJS.ProcessEnv = { WORKSPACE_VAR_SHARED: "secret", WORKSPACE_AUTOMATION_ALLOW_ENV: "SHOP_*" },
) {
  const started: string[] = [];
  let [now, most] = [0, 0];
  const start: StartChild = async ({ argv, env: childEnv }, onLine) => {
    const stack = argv[argv.indexOf("--stack") + 1] ?? "";
    started.push(stack);
    expect(childEnv["WORKSPACE_VAR_TOKEN"]).toBe("secret");
    expect(childEnv["WORKSPACE_AUTOMATION_ALLOW_ENV"]).toBe("SHOP_*");
    most = Math.max(most, ++now);
    await sleep(2);
    now--;
    const { code, json, says } = of[stack]!;
    for (const line of says?.split("\n") ?? []) onLine(line);
    return { exitCode: code, stdout: json === undefined ? "" : JSON.stringify(json) };
  };
  const { io, written } = testIo(env);
  const all: FleetRun = { command: "preview", more: [], parallel: 4, failFast: false, start, ...run };
  const results = await runFleet(entries, all, io);
  const shown = async (format: Format) => {
    const paper = testIo();
    const steady = results.map((result) => ({
      ...result,
      ...(result.seconds === undefined ? {} : { seconds: 1 }),
    }));
    await writeFleet({ command: all.command, results: steady }, { format: [{ format }] }, paper.io);
    return paper.written().stdout;
  };
  return { results, started, most, stderr: written().stderr, shown };
}

describe("a fleet", () => {
  it("continues after a failure, and prints one table and one exit code", async () => {
    const { results, shown, stderr } = await play({});
    expect(await shown("text")).toMatchInlineSnapshot(`
      "name  workspace  stack  result
      us    acme       us     ok      2 to create, 1 to delete; 1 changed outside  1.0 s
      eu    acme-eu    eu     ok      no changes                                   1.0 s
      lab              lab    error   the token is not valid | remedy              1.0 s
      old   old        old    drift   no changes                                   1.0 s

      4 workspaces: 1 error, 1 drift, 2 ok
      "
    `);
    expect(findWorst(results)).toBe(1);
    expect(stderr).toContain("lab | error: the token is not valid | remedy\nlab | more\n");
  });

  it("is reported as Markdown and as JSON", async () => {
    const { shown } = await play({ command: "up" });
    const text = (await shown("markdown")).replace(/\d{4}-\S+Z/, "DATE");
    expect(text).toMatchInlineSnapshot(`
      "## 🔴 4 workspaces: 1 error, 1 drift, 2 ok (fleet up)

      **1 error**

      - Workspace \`lab\` the token is not valid \\| remedy

      **Workspaces**

      - us: 2 created, 1 deleted; 1 changed outside
      - eu: no changes
      - old: no changes

      **1 drift**

      - Workspace \`old\` no changes

      <sub>fleet up · DATE · 1.0 s</sub>
      "
    `);
    expect(JSON.parse(await shown("json"))).toMatchObject({
      version: 2,
      command: "up",
      exitCode: 1,
      workspaces: [
        { name: "us", summary: "2 created, 1 deleted; 1 changed outside", report: { done: plan } },
        {},
        {},
        {},
      ],
    });
  });

  it("runs at most the given number of processes at a time", async () => {
    expect((await play({ parallel: 2 })).most).toBe(2);
    expect((await play({ parallel: 1 })).started).toEqual(names);
  });

  it("starts no further processes after a failure with --fail-fast, to which drift does not count", async () => {
    const early = { ...world, us: { code: 7, json: {} }, eu: { code: 1, says: "error: no" } };
    const { results, started } = await play({ parallel: 1, failFast: true }, early);
    expect(started).toEqual(["us", "eu"]);
    expect(results.map(({ result }) => result)).toEqual(["drift", "error", "skipped", "skipped"]);
  });

  it("starts nothing if a variable is not set", async () => {
    await expect(play({}, world, {})).rejects.toThrow(
      "the workspace us of the fleet needs environment variables that are not set: WORKSPACE_VAR_SHARED",
    );
  });

  it("exits with the worst result: error, then incomplete, then drift", () => {
    const worst = (...codes: number[]) => findWorst(codes.map((exitCode) => ({ exitCode })));
    expect([worst(0, 7, 10, 1), worst(0, 7, 10), worst(0, 7), worst(0, 0), worst(130, 1), worst()]).toEqual([
      1, 10, 7, 0, 130, 1,
    ]);
  });

  it("reports the findings of drift", async () => {
    const { results } = await play({ command: "drift" });
    expect(results.at(-1)).toMatchObject({ result: "drift", exitCode: 7, summary: "2 changed, 1 deleted" });
  });

  it.each([
    ["with an option after --", ["--", "--create-stack"]],
    ["with an option of its own", ["--only", "us"]],
  ])("uses fleet.yaml %s", async (_, options) => {
    const { stderr } = await run(["fleet", "preview", ...options]);
    expect(stderr).toContain("there is no fleet file fleet.yaml");
    expect(stderr).toContain("\n    us: { connection: us }\n");
  });
});
