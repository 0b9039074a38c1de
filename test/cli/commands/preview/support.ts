/** Builds checked plans for tests, from events of the engine. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { PlannedWrites } from "../../../../automation/plan/planned-writes.js";
import type { CheckedPlan } from "../../../../automation/policy/checked-plan.js";
import {
  fingerprintHashes,
  type FingerprintScope,
  hashPlan,
} from "../../../../automation/policy/plan-fingerprint.js";
import type { ReportView } from "../../../../automation/report/report-view.js";
import { planView, type PreviewFacts } from "../../../../reports/views/preview-view.js";
import { done, SECRET, told, UNKNOWN } from "../../../automation/events.js";

export const scope: FingerprintScope = {
  baseUrl: "https://us.example.com",
  workspace: "acme",
  project: "shop",
  stack: "us",
  declared: [],
};

export const run: PreviewFacts = {
  tool: { name: "workspacectl", version: "0.1.0" },
  generatedAt: "2026-11-21T12:00:00.000Z",
  seconds: 4.3,
  workspace: "acme",
  baseUrl: "https://us.example.com",
  stack: "us",
  file: "workspace.yaml",
  result: "changes",
  exitCode: 0,
};

/** A plan with an operation of each kind that the engine reports. */
export const usual: readonly EngineEvent[] = [
  done("refresh", ["Group", "groups/QA"], { name: "QA", description: "Testers" }, { name: "QA" }),
  done("create", ["Variable", "variables/REGION"], undefined, { key: "REGION", value: "us-east" }),
  done("create", ["Action", "projects/web/actions/Build"], undefined, { name: "Build", pipeline: UNKNOWN }),
  done(
    "update",
    ["Group", "groups/QA"],
    { name: "QA", description: "Hobby club" },
    { name: "QA", description: "Testers" },
  ),
  done(
    "update",
    ["Variable", "variables/TOKEN"],
    { key: "TOKEN", value: SECRET },
    { key: "TOKEN", value: SECRET },
  ),
  done("delete", ["Group", "groups/Old"], { name: "Old" }),
  done("same", ["Group", "groups/Same"], { name: "Same" }, { name: "Same" }),
];

export function planOf(events: readonly EngineEvent[], more: Partial<CheckedPlan> = {}): CheckedPlan {
  const recorded = told(events);
  const hashes = hashPlan(recorded, scope);
  return {
    ...recorded,
    milliseconds: 4321,
    writes: new PlannedWrites(),
    taken: [],
    remedies: [],
    missingSecrets: [],
    contents: [],
    verdicts: [],
    budget: { made: { reads: 20, writes: 0 }, needed: { reads: 0, writes: 3 }, reserve: 0 },
    access: { impacts: [], lines: [] },
    possibleRenames: [],
    fingerprint: fingerprintHashes(hashes.values(), scope),
    hashes,
    notCovered: [],
    loosened: [],
    guardsRecorded: true,
    unprotected: [],
    ...more,
  };
}

/** A plan that is refused for every reason, and that changes what people may do. */
export const refused = planOf(usual, {
  verdicts: [
    {
      guard: "max-deletes",
      message: "14 objects would be deleted, and at most 10 may be",
      objects: ["groups/Old"],
      remedy: "--max-deletes 14",
      ignored: false,
    },
    { guard: "minimum-admins", message: "one stays", objects: [], remedy: "wait", ignored: true },
  ],
  taken: [{ type: "Variable", name: "variables/REGION", what: 'variable "REGION" (7)', adoptable: true }],
  remedies: ["Choose other names"],
  access: { impacts: [], lines: ["bob@example.com loses read/write access to the repository of web"] },
  notes: ["a note of the engine"],
});

/** A plan with no operations that loosens guards: an entry of each kind. */
export const loosening = planOf([], {
  loosened: [
    { setting: "maxDeletes", before: 10, now: 100 },
    { setting: "protectedKinds", before: ["Group", "Pipeline"], now: [] },
    { setting: "protect", before: true, now: false, objects: ["groups/QA"] },
  ],
  guardsRecorded: false,
});

export function viewOf(plan: CheckedPlan, more: Partial<PreviewFacts> = {}): ReportView {
  return planView(plan, { ...run, ...more });
}
