/** A report of a fleet that somebody has changed between preview and up: it applies the approved plans, or nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FleetEntry } from "../../../../cli/commands/fleet/fleet-file.js";
import { computeFleetFingerprint } from "../../../../cli/commands/fleet/outcome.js";
import type { FleetResult } from "../../../../cli/commands/fleet/result.js";
import { readApprovedPlans } from "../../../../cli/commands/fleet/saved-reports.js";
import { forge } from "../../../trust/forgery.js";
import { temporaryFolder } from "../../support.js";

const result = (name: string, plan: FleetResult["plan"]): FleetResult => ({
  ...{ name, file: `${name}.yaml`, stack: name, workspace: "acme", baseUrl: "https://example.com" },
  ...{ result: plan === "refused" ? "refused" : "ok", exitCode: 0, summary: "1 to create", seconds: 1.5 },
  ...{
    plan: plan ?? "changes",
    fingerprint: `sha256:${name}`,
    requests: 3,
    objects: 7,
    report: { version: 2 },
  },
});
const results = [
  result("lab", "changes"),
  result("us", "nothing"),
  result("eu", "changes"),
  result("uk", "refused"),
];
const report = {
  ...{ version: 2, tool: { name: "workspacectl", version: "1.0.0" }, command: "preview", exitCode: 0 },
  fingerprint: computeFleetFingerprint({ command: "preview", results }),
  ...{
    groups: [],
    notes: [{ workspaces: ["lab"], name: "ok", title: "Fine", lines: [] }],
    workspaces: results,
  },
};
const entries = [...results.map(({ name }) => name), "other"].map((name) => ({ name }) as FleetEntry);

/** The plans that are applied, or why none is. */
function read(value: unknown): [string, string][] | Error {
  const file = join(temporaryFolder(), "report.json");
  writeFileSync(file, JSON.stringify(value));
  try {
    return [...readApprovedPlans(file, report.fingerprint, entries)].toSorted();
  } catch (error) {
    return error as Error;
  }
}

const approved = [
  ["eu", "sha256:eu"],
  ["lab", "sha256:lab"],
  ["uk", "sha256:uk"],
];

it("applies the approved plans, and none where nothing was to be done", () => {
  expect(read({ ...report, notes: [] })).toEqual(approved);
});

it("applies these or nothing, whatever somebody has changed", () => {
  const forgeries = [...forge({ ...report, notes: [] })];
  expect(forgeries.length).toBeGreaterThan(500);
  const refused = forgeries.filter(({ what, value }) => {
    const found = read(value);
    if (found instanceof Error) return true;
    expect(found, what).toEqual(approved);
    return false;
  });
  expect(refused.length).toBeGreaterThan(200);
});

it("refuses a plan that is added as one without operations, and two of one workspace", () => {
  const added = { ...result("us", "nothing"), name: "other", fingerprint: "sha256:evil" };
  expect(read({ ...report, notes: [], workspaces: [...results, added] })).toEqual(approved);
  const twice = { ...result("lab", "nothing"), fingerprint: "sha256:evil" };
  expect(read({ ...report, notes: [], workspaces: [...results, twice] })).toMatchObject({
    message: expect.stringContaining("pass each report only once") as string,
  });
});
