/** Tests what the programmatic API does without an engine: its options, errors, cancellation, and the formats of reports. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { guardCodes } from "../../../automation/policy/guards/types.js";
import { AutomationError, openWorkspace, render, type WorkspaceOptions } from "../../../cli/api/index.js";
import { fileIn, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const us = fileIn(
  folder,
  "us.yaml",
  "version: 1\nworkspace: acme\ngroups:\n  QA: { description: Testers }\n",
);
const eu = fileIn(folder, "eu.yaml", "version: 1\nworkspace: acme\ngroups:\n  QA: { description: People }\n");
const bad = fileIn(
  folder,
  "bad.yaml",
  "version: 1\nworkspace: acme\ngroups:\n  QA: { descripton: Testers }\n",
);

/** A workspace that knows nothing of this machine. */
const open = (options: WorkspaceOptions = {}) =>
  openWorkspace({ file: us, env: { HOME: folder, PATH: process.env["PATH"] }, ...options });

async function fail(work: Promise<unknown>): Promise<AutomationError> {
  const error: unknown = await work.then(
    () => undefined,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(AutomationError);
  return error as AutomationError;
}

describe("an error", () => {
  it("has the code and the location of what is wrong in a file", async () => {
    const error = await fail(open({ file: bad }).preview());
    expect(error).toMatchObject({ name: "AutomationError", code: "unknown-property" });
    expect(error.location).toMatchObject({ file: bad, line: 4 });
    expect(error.message).toContain("descripton");
  });

  it("says which option an operation needs that asks, where nobody answers", async () => {
    for (const operation of ["up", "destroy"] as const) {
      const error = await fail(open()[operation]());
      expect(error.code).toBe("not-confirmed");
      expect(error.remedy).toContain("yes: true");
    }
  });

  it("is thrown for an option that does not exist, because it may be a misspelled guard", async () => {
    const misspelled = { maxDelete: 0 } as object;
    expect(await fail(open().preview(misspelled))).toMatchObject({ code: "usage" });
    expect(() => openWorkspace({ files: us } as object)).toThrow(
      /openWorkspace does not accept these options/,
    );
    expect(await fail(open().up({ yes: true, approved: "sha256:12" }))).toMatchObject({ code: "usage" });
    expect(await fail(open().preview({ maxDeletes: NaN }))).toMatchObject({ code: "usage" });
  });

  it("is that of the connection, where there is none", async () => {
    const error = await fail(open().preview());
    expect([error.code, error.remedy]).toEqual([
      expect.stringMatching(/^[a-z-]+$/),
      expect.stringMatching(/./),
    ]);
  });
});

describe("a signal", () => {
  it("that is aborted already keeps an operation from beginning", async () => {
    const signal = AbortSignal.abort();
    expect(await fail(open({ signal }).preview())).toMatchObject({ code: "interrupted" });
    expect(await fail(open().compare({ right: eu, signal }))).toMatchObject({ code: "interrupted" });
  });
});

it("a listener that throws ends the operation with its error", async () => {
  const failure = new Error("the listener is broken");
  const on = () => {
    throw failure;
  };
  const env = {
    HOME: folder,
    WORKSPACE_AUTOMATION_BASE_URL: "http://127.0.0.1:9",
    WORKSPACE_AUTOMATION_TOKEN: "t",
    WORKSPACE_AUTOMATION_DEBUG: "1",
  };
  await expect(open({ on, env }).preview()).rejects.toBe(failure);
});

describe("a report", () => {
  it("is what the command prints as JSON, and can be rendered in each format that the command has", async () => {
    const report = await open().compare({ right: `file:${eu}` });
    const schema = readFileSync(
      join(resolve(import.meta.dirname, "../../.."), "schema/compare-report.schema.json"),
      "utf8",
    );
    expect(new Ajv2020({ validateFormats: false }).compile(JSON.parse(schema) as object)(report)).toBe(true);
    expect(report).toMatchObject({ result: "different", counts: { changed: 1 } });
    expect(report.findings[0]).toMatchObject({ name: "groups/QA", left: "Testers", right: "People" });
    expect(JSON.parse(await render(report, "json"))).toEqual(report);
    expect(await render(report, "text")).toContain("groups/QA");
    expect(await render(report, "markdown")).toContain("groups/QA");
    expect(await render(report, "html")).toMatch(/^<!doctype html>/i);
    expect(await render(report, "junit")).toContain("<testsuite");
    expect(JSON.parse(await render(report, "sarif"))).toMatchObject({ version: "2.1.0" });
  });

  it("of two workspaces at once does not contain anything of the other", async () => {
    const same = { result: "same", counts: { changed: 0 } };
    const both = [
      open().compare({ right: `file:${eu}` }),
      open({ file: eu }).compare({ right: `file:${eu}` }),
    ];
    expect(await Promise.all(both)).toMatchObject([{ result: "different" }, same]);
  });

  it("cannot be rendered in a format that it does not have, or that nobody has returned", async () => {
    const report = await open().compare({ right: `file:${eu}` });
    const copy = structuredClone(report);
    expect(JSON.parse(await render(copy, "json"))).toEqual(report);
    expect(await fail(render(copy, "html"))).toMatchObject({ code: "format" });
    expect((await fail(render(report, "yaml" as "json"))).remedy).toContain("sarif");
  });
});

it("nothing stays behind in the process", async () => {
  const events = ["SIGINT", "SIGTERM", "SIGHUP", "exit", "uncaughtException"];
  const count = () => events.map((event) => process.listenerCount(event));
  const [before, env] = [count(), { ...process.env }];
  await open().compare({ right: `file:${eu}` });
  await fail(open().preview());
  expect([count(), { ...process.env }]).toEqual([before, env]);
});

it("every guard can be named", async () => {
  for (const guard of guardCodes)
    expect(await fail(open({ file: bad }).preview({ ignoreGuard: [guard as "max-deletes"] }))).toMatchObject({
      code: "unknown-property",
    });
});
