/** Tests since when drift says a finding has been there, which findings fail a run by their age, and `drift history`. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDriftBaseline } from "../../../../automation/drift/drift-report.js";
import { failOnlyAfter } from "../../../../cli/commands/drift/run-drift.js";
import { writeBaseline } from "../../../../reports/deliver-report.js";
import { addAges, readFindingRecord, recordFindings } from "../../../../reports/finding-record.js";
import { createDriftView } from "../../../../reports/views/drift-view.js";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { finding, reportWith, unread } from "./support.js";

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.parse("2026-11-01T00:00:00Z") + hours * HOUR);
const old = finding({ id: "a".repeat(12), name: "groups/Old" });
const fresh = finding({ id: "b".repeat(12), name: "groups/Fresh" });
const never = finding({ id: "c".repeat(12), class: "unverifiable", name: "variables/KEY" });

/** Records runs with these findings, one hour apart. */
function runs(...found: Parameters<typeof reportWith>[0][]) {
  let record: ReturnType<typeof recordFindings> = [];
  for (const [hour, facts] of found.entries())
    record = recordFindings(record, reportWith({ now: at(hour), ...facts }));
  return record;
}

describe("the record of drift", () => {
  it("says since when and how often a finding was seen, and when it ended", () => {
    const record = runs({ findings: [old, never] }, { findings: [old, fresh] }, { findings: [fresh] });
    expect(record.map(({ name, since, seen, runs, ended }) => [name, since, seen, runs, ended])).toEqual([
      ["groups/Fresh", at(1).toISOString(), at(2).toISOString(), 2, undefined],
      ["groups/Old", at(0).toISOString(), at(1).toISOString(), 2, at(2).toISOString()],
    ]);
  });

  it("is refused when it names an open finding twice", () => {
    const findings = runs({ findings: [old, fresh] });
    const file = fileIn(temporaryFolder(), "state.json", JSON.stringify({ version: 1, findings }));
    expect(readFindingRecord(file)).toHaveLength(2);
    const twice = fileIn(
      temporaryFolder(),
      "state.json",
      JSON.stringify({ version: 1, findings: [...findings, findings[0]] }),
    );
    expect(() => readFindingRecord(twice)).toThrow("more than once");
  });

  it("begins anew for a finding that had ended", () => {
    const record = runs({ findings: [old] }, { findings: [] }, { findings: [old] });
    expect(record.map(({ since, runs, ended }) => [since, runs, ended])).toEqual([
      [at(2).toISOString(), 1, undefined],
      [at(0).toISOString(), 1, at(1).toISOString()],
    ]);
  });

  it("ends nothing in a run that could not read everything", () => {
    const [only] = runs({ findings: [old] }, { findings: [], incomplete: [unread] });
    expect(only).toMatchObject({ runs: 1, seen: at(0).toISOString() });
    expect(only).not.toHaveProperty("ended");
  });

  it("is stored with the state of earlier releases, and refused if the file is another one", () => {
    const folder = temporaryFolder();
    const before = fileIn(folder, "before.json", `{ "version": 1, "fingerprint": "x", "seenAt": "y" }`);
    expect(readFindingRecord(before)).toEqual([]);
    const record = runs({ findings: [old] });
    writeBaseline(before, reportWith(), { ...createDriftBaseline(reportWith()), findings: record });
    expect(readFindingRecord(before)).toEqual(record);
    const other = fileIn(folder, "other.json", `{ "version": 2 }`);
    expect(() => readFindingRecord(other)).toThrow("is not a record of findings of workspacectl drift");
  });
});

describe("the age of findings", () => {
  const report = reportWith({ findings: [old, fresh], now: at(30) });
  const record = recordFindings(runs({ findings: [old] }), report);

  it("is in the report, and in the sentence of a finding that was seen before", () => {
    const aged = addAges(report, record);
    expect(aged.findings.map(({ runs }) => runs)).toEqual([2, 1]);
    const notes = createDriftView(aged).findings.map(({ note }) => note);
    expect(notes).toEqual(["since 2026-11-01 00:00 UTC, 2 runs", undefined]);
  });

  it("fails a run from the given age on", () => {
    const codeAfter = (hours: number) => failOnlyAfter(hours * HOUR, addAges(report, record)).exitCode;
    expect([codeAfter(30), codeAfter(31)]).toEqual([7, 0]);
    expect(failOnlyAfter(31 * HOUR, addAges(report, record)).result).toBe("drift");
    const partly = reportWith({ findings: [fresh], incomplete: [unread], now: at(30) });
    expect(failOnlyAfter(HOUR, addAges(partly, recordFindings([], partly))).exitCode).toBe(10);
  });

  it("needs a state file", async () => {
    const { code, stderr } = await run(["drift", "--fail-after", "24h"], {});
    expect([code, stderr]).toEqual([1, expect.stringContaining("add --state-file FILE")]);
  });
});

describe("drift history", () => {
  it("lists what is still there first, as text and as JSON", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "seen.json");
    const record = runs({ findings: [old] }, { findings: [fresh] });
    writeBaseline(file, reportWith(), { findings: record });
    const { code, stdout } = await run(["drift", "history", "--state-file", file], {});
    expect([code, stdout.split("\n").map((line) => line.replace(/ {2,}/g, " | "))]).toEqual([
      0,
      expect.arrayContaining([
        expect.stringMatching(
          /^groups\/Fresh description \| changed \| 2026-11-01 01:00 \| 1 \| still there/,
        ),
        expect.stringMatching(
          /^groups\/Old description \| changed \| 2026-11-01 00:00 \| 1 \| ended 2026-11-01 01:00/,
        ),
      ]),
    ]);
    const json = await run(["drift", "history", "groups/O*", "--state-file", file, "--json"], {});
    const { findings } = JSON.parse(json.stdout) as { findings: { name: string }[] };
    expect(findings.map(({ name }) => name)).toEqual(["groups/Old"]);
    const none = await run(["drift", "history", "variables/*", "--state-file", file], {});
    expect(none.stdout).toContain("No run has found drift here.");
  });

  it("says how to begin where there is no file", async () => {
    expect((await run(["drift", "history"], {})).stderr).toContain("add --state-file FILE");
    const { code, stderr } = await run(["drift", "history", "--state-file", "nowhere.json"], {});
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("workspacectl drift --state-file nowhere.json"),
    ]);
  });
});
