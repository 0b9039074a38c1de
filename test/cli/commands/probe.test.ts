/** Tests the probe against services with random behaviors, refusals and faults: it finds out how they behave, and leaves nothing. */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assumedBehavior, type Behavior } from "../../../assumptions/behavior.js";
import { assumptions } from "../../../assumptions/list-of-assumptions.js";
import type { Profile } from "../../../assumptions/profile.js";
import { type ProbeReport, probeReportSchema } from "../../../cli/commands/probe/probe-report.js";
import type { Emulator } from "../../../emulator/index.js";
import { Engine } from "../../provider/engine.js";
import { otherService } from "../../provider/other-service.js";
import { emulated, personAt } from "../service-support.js";
import { temporaryFolder } from "../support.js";
import { probeSeed as seed } from "./probe-seed.js";

/** Everything in the workspace, as a service that hides nothing shows it. */
async function contents(emulator: Emulator): Promise<string> {
  const { settings } = emulator;
  const before = { ...settings };
  Object.assign(settings, { ...assumedBehavior, maxPerPage: 1000 });
  const read = async (path: string) =>
    (await emulator.edit({ method: "GET", path: `/workspaces/acme${path}` })).body;
  const lists = ["members", "groups", "permissions", "variables", "projects"].map((list) => read(`/${list}`));
  const { pipelines } = (await read("/projects/web/pipelines?per_page=1000")) as {
    pipelines: { id: number }[];
  };
  const whole = pipelines.map(({ id }) => read(`/projects/web/pipelines/${id}`));
  const text = JSON.stringify(await Promise.all([...lists, read("/variables?projectName=web"), ...whole]));
  Object.assign(settings, before);
  return text;
}

interface Probed {
  readonly code: number;
  readonly report: ProbeReport;
  readonly output: string;
}

async function probe(emulator: Emulator, ...more: readonly string[]): Promise<Probed> {
  const person = personAt(emulator);
  const env = { ...person.env, WORKSPACE_AUTOMATION_JOURNAL: temporaryFolder() };
  Object.assign(person.env, env);
  const { code, stdout, stderr } = await person.types(["probe", "--json", ...more]);
  if (!stdout.startsWith("{")) throw new Error(stderr);
  return { code, report: probeReportSchema.parse(JSON.parse(stdout)), output: stdout + stderr };
}

const WRITING = ["--write", "--project", "scratch"];

const behavior = fc.record<Behavior>({
  maxPerPage: fc.integer({ min: 3, max: 60 }),
  largePages: fc.constantFrom("reduced", "refused"),
  missingStatus: fc.constantFrom(404, 400, 403),
  singleActionPaths: fc.boolean(),
  embeddedActions: fc.constantFrom("full", "summary"),
  listedActions: fc.constantFrom("full", "summary"),
  embeddedActionStatusField: fc.constantFrom("status", "last_execution_status"),
  movableActions: fc.boolean(),
  echoMemberEmail: fc.boolean(),
  encryptedValues: fc.constantFrom("stable", "changing"),
  clearedBy: fc.constantFrom("null", "empty"),
  strictBodies: fc.boolean(),
  showSchedule: fc.boolean(),
  cronUpdates: fc.boolean(),
});

/** What a profile says is true, and what it does not say is reported as not decidable. */
function expectTrue({ report }: Probed, actual: Behavior): void {
  const { profile, assumptions: all } = report;
  const untold = assumptions.flatMap(({ id, behavior: name }) =>
    name !== undefined && profile.behavior[name] === undefined ? [id] : [],
  );
  expect(actual).toMatchObject(profile.behavior);
  for (const id of untold) expect(all.find((one) => one.id === id)).toMatchObject({ verdict: "undecided" });
}

describe("a service with random behavior", () => {
  it("is recovered by reads alone, with at most 60 requests", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(behavior, async (actual) => {
        const emulator = await emulated({ seed, ...actual });
        const before = await contents(emulator);
        emulator.journal.clear();
        const probed = await probe(emulator);
        expect(emulator.journal.writes()).toEqual([]);
        expect(emulator.journal.requests.length).toBeLessThanOrEqual(60);
        expect(await contents(emulator)).toBe(before);
        expectTrue(probed, actual);
        const told = Object.keys(probed.report.profile.behavior);
        expect(told).toEqual(
          expect.arrayContaining(["singleActionPaths", "encryptedValues", "missingStatus", "largePages"]),
        );
        await emulator.close();
      }),
      { numRuns: 8 },
    );
  });

  it("is recovered by changes in a scratch project, which is removed", { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(behavior, async (actual) => {
        const emulator = await emulated({ seed, ...actual });
        const before = await contents(emulator);
        const probed = await probe(emulator, ...WRITING);
        expect(await contents(emulator)).toBe(before);
        expectTrue(probed, actual);
        const { behavior: told } = probed.report.profile;
        const hidden = [
          ...(actual.singleActionPaths ? [] : ["movableActions"]),
          ...(actual.showSchedule || (actual.strictBodies && !actual.cronUpdates) ? [] : ["cronUpdates"]),
        ];
        // Pages are only seen as far as a list fills them.
        const unseen = actual.largePages === "reduced" && actual.maxPerPage >= 26 ? ["maxPerPage"] : [];
        const all = Object.keys(actual).filter((name) => ![...hidden, ...unseen].includes(name));
        expect(Object.keys(told).toSorted()).toEqual(all.toSorted());
        await emulator.close();
      }),
      { numRuns: 8 },
    );
  });

  it(
    "is not misjudged by a token with few rights, faults or the rate limit",
    { timeout: 600_000 },
    async () => {
      const world = fc.record({
        actual: behavior,
        scopes: fc.subarray(["WORKSPACE", "EXECUTION_INFO", "VARIABLE_INFO"] as const, { minLength: 1 }),
        user: fc.constantFrom("owner@example.com", "weak@example.com"),
        remaining: fc.integer({ min: 2, max: 60 }),
        status: fc.constantFrom(500, 502),
        skip: fc.nat(20),
        kind: fc.constantFrom("status" as const, "garbage" as const, "reset-after" as const),
      });
      await fc.assert(
        fc.asyncProperty(world, async ({ actual, scopes, user, remaining, status, skip, kind }) => {
          const emulator = await emulated({ seed, ...actual });
          const before = await contents(emulator);
          const token = await emulator.createToken({ user, scopes });
          emulator.setRemaining(remaining, user);
          emulator.faults.add({ kind, status, skip, count: 5, path: /projects|members|variables/ });
          const person = personAt({
            ...emulator,
            baseUrl: emulator.baseUrl,
            workspace: "acme",
            token,
          });
          const { stdout } = await person.types(["probe", "--json"]);
          const parsed = JSON.parse(stdout) as object;
          // Without the right to read the workspace, there is an error and no report.
          if (!("error" in parsed))
            expectTrue({ report: probeReportSchema.parse(parsed), code: 0, output: "" }, actual);
          expect(await contents(emulator)).toBe(before);
          await emulator.close();
        }),
        { numRuns: 10 },
      );
    },
  );
});

describe("the result", () => {
  it("is a profile with which the provider works at a service where it fails without", async () => {
    const emulator = await emulated({ seed, ...otherService });
    const file = join(temporaryFolder(), "profile.json");
    const { code } = await probe(emulator, ...WRITING, "--save-profile", file);
    expect(code).toBe(7);
    const profile = JSON.parse(readFileSync(file, "utf8")) as Profile;
    // test/provider/lifecycle.test.ts tests all types with this behavior.
    expect(profile.behavior).toMatchObject(otherService);
    const { baseUrl, token, workspace } = emulator;
    const args = { key: "SECRET", value: "v", encrypted: true };
    await expect(new Engine(baseUrl, token, workspace).create("Variable", args)).rejects.toThrow(/per_page/);
    const engine = new Engine(baseUrl, token, workspace, "dynamic", profile.behavior);
    const state = await engine.create("Variable", args);
    expect((await engine.refresh(state))?.outs).toEqual(state.outs);
  });

  it("contains no name and no value of the workspace but its domain", async () => {
    const emulator = await emulated({ seed, token: "canary-token" });
    const { output } = await probe(emulator, ...WRITING);
    expect(output).not.toMatch(/canary|deploy|nightly|owner@|PLAIN|HIDDEN/);
  });

  it("is the same in Markdown and text", async () => {
    const emulator = await emulated({ seed });
    const folder = temporaryFolder();
    const person = personAt(emulator);
    const markdown = join(folder, "probe.md");
    const { code, stdout } = await person.types([
      "probe",
      "--format",
      "text",
      "--format",
      `markdown=${markdown}`,
    ]);
    expect(code).toBe(7);
    expect(stdout).toMatch(/^missing-status +holds +GET of a pipeline that does not exist: HTTP 404$/m);
    expect(readFileSync(markdown, "utf8")).toContain(
      "| An object that does not exist (missing-status) | holds |",
    );
  });

  it("has exit code 0 where nothing differs", async () => {
    const emulator = await emulated({ seed, echoMemberEmail: true });
    const { code, report } = await probe(emulator);
    expect([code, report.counts.differs]).toEqual([0, 0]);
  });
});

describe("the scratch project", () => {
  it("is refused when it has contents", async () => {
    const emulator = await emulated({ seed });
    const before = await contents(emulator);
    const person = personAt(emulator);
    const { code, stderr } = await person.types(["probe", "--write", "--project", "web"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("project web is not empty") as string]);
    expect(await contents(emulator)).toBe(before);
  });

  it("stays when it was given, without what the probe made in it", async () => {
    const emulator = await emulated({ seed });
    await emulator.edit({ method: "POST", path: "/workspaces/acme/projects", body: { name: "given" } });
    await probe(emulator, "--write", "--project", "given");
    const { body } = await emulator.edit({
      method: "GET",
      path: "/workspaces/acme/projects/given/pipelines",
    });
    expect(body).toMatchObject({ pipelines: [] });
    const variables = await emulator.edit({
      method: "GET",
      path: "/workspaces/acme/variables?projectName=given",
    });
    expect(variables.body).toMatchObject({ variables: [] });
  });

  it("is refused when nobody can tell whether it has contents", async () => {
    const emulator = await emulated({ seed });
    await emulator.edit({ method: "POST", path: "/workspaces/acme/projects", body: { name: "given" } });
    const before = await contents(emulator);
    for (const fault of [
      { kind: "status" as const, status: 403, path: /given\/pipelines/ },
      { kind: "status" as const, status: 403, path: /variables/ },
      { kind: "garbage" as const, path: /given\/pipelines/ },
    ]) {
      emulator.faults.clear();
      emulator.faults.add({ ...fault, count: 1000 });
      const { code, stderr } = await personAt(emulator).types(["probe", "--write", "--project", "given"]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("it cannot be found out whether") as string,
      ]);
    }
    emulator.faults.clear();
    expect(await contents(emulator)).toBe(before);
  });

  it("is named when the service refuses to delete it", async () => {
    const emulator = await emulated({ seed });
    const person = personAt(emulator);
    person.env["WORKSPACE_AUTOMATION_JOURNAL"] = temporaryFolder();
    emulator.faults.add({ kind: "status", status: 403, method: "DELETE", path: /projects\/scratch$/ });
    const first = await person.types(["probe", ...WRITING]);
    expect(first.stderr).toMatch(/project scratch was not removed \(HTTP 403\): run the same command again/);
    expect(first.code).toBe(1);
  });

  it("is removed with the last requests of the hour", { timeout: 600_000 }, async () => {
    for (const remaining of [16, 20, 30, 50]) {
      const emulator = await emulated({ seed });
      const before = await contents(emulator);
      emulator.setRemaining(remaining, "owner@example.com");
      const person = personAt(emulator);
      person.env["WORKSPACE_AUTOMATION_JOURNAL"] = temporaryFolder();
      const { stdout, stderr } = await person.types(["probe", ...WRITING]);
      expect(stdout + stderr).toContain("is kept for the removal");
      expect(await contents(emulator)).toBe(before);
      await emulator.close();
    }
  });

  it("needs both options", async () => {
    const emulator = await emulated({ seed });
    for (const options of [["--write"], ["--project", "x"]]) {
      const { code, stderr } = await personAt(emulator).types(["probe", ...options]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("creates and deletes objects") as string]);
    }
  });
});

it("is not stopped by an unreadable workspace without a reason", async () => {
  const emulator = await emulated({ seed });
  const person = personAt(emulator);
  person.env["WORKSPACE_AUTOMATION_DOMAIN"] = "other";
  const { code, stderr } = await person.types(["probe"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("workspace other") as string]);
  expect(existsSync("profile.json")).toBe(false);
});

it("does not trust a service that responds with nonsense", async () => {
  for (const body of [
    "{}",
    "[]",
    "null",
    "<html>",
    '{"projects":[null,1,{"name":".."},{"name":7}]}',
    '{"id":"x"}',
  ])
    for (const more of [[], WRITING]) {
      const server = createServer((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const person = personAt(await emulated({ seed }));
      const { port } = server.address() as AddressInfo;
      person.env["WORKSPACE_AUTOMATION_BASE_URL"] = `http://127.0.0.1:${port}`;
      const { code, stdout, stderr } = await person.types(["probe", "--json", ...more]);
      server.close();
      const { error, profile } = JSON.parse(stdout) as { error?: object; profile?: Profile };
      expect([body, more, code, stderr]).toSatisfy(() => error !== undefined || code === 7 || code === 0);
      expect(Object.keys(profile?.behavior ?? {})).not.toContain("embeddedActions");
    }
});
