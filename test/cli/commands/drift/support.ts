/** Builds findings and reports for tests, and findings from engine events. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { describeIncomplete, listDriftFindings } from "../../../../automation/drift/drift-findings.js";
import {
  createDriftReport,
  type DriftFinding,
  type DriftReport,
  type DriftReportFacts,
  type UnreadObject,
} from "../../../../automation/drift/drift-report.js";
import { packFingerprints } from "../../../../provider/connection/read-only-mode.js";
import type { Searched } from "../../../../provider/index.js";
import { done, type Properties, told } from "../../../automation/events.js";

export interface Sides {
  readonly applied?: Properties;
  readonly live?: Properties;
  readonly declared?: Properties;
}

export interface More {
  readonly outputs?: Properties;
  readonly id?: string;
  /** The planned operation, which is otherwise derived. */
  readonly plan?: "same" | "update" | "replace";
  /** Fingerprints by source. */
  readonly prints?: {
    applied?: Record<string, string>;
    live?: Record<string, string>;
    declared?: Record<string, string>;
  };
}

/** Builds the engine events of one object: the refresh of its state, and the step that the file requires. */
export function events(
  type: string,
  name: string,
  { applied, live, declared }: Sides,
  more: More = {},
): EngineEvent[] {
  const { outputs = {}, id = "1", prints = {} } = more;
  const seen = {
    ...outputs,
    fingerprints: packFingerprints({ applied: prints.applied ?? {}, live: prints.live ?? {} }),
  };
  const read = applied ? [done("refresh", [type, name], applied, live)] : [];
  for (const event of read) {
    const state = event.resOutputsEvent?.metadata.new;
    if (state) Object.assign(state, { id, outputs: seen });
  }
  const given = declared && { ...declared, fingerprints: packFingerprints(prints.declared ?? {}) };
  if (given === undefined) return live ? [...read, done("delete", [type, name], live)] : read;
  const op = live ? (more.plan ?? "update") : "create";
  const step = done(op, [type, name], live, given);
  const { old, new: fresh } = step.resOutputsEvent?.metadata ?? {};
  for (const state of [old, fresh]) if (state) Object.assign(state, { id });
  return [...read, step];
}

export function findings(all: readonly EngineEvent[], searched: Partial<Searched> = {}): DriftFinding[] {
  return listDriftFindings(seen(all, searched));
}

export function incomplete(all: readonly EngineEvent[], searched: Partial<Searched> = {}): UnreadObject[] {
  return describeIncomplete(seen(all, searched));
}

function seen(all: readonly EngineEvent[], { found = [], unlisted = [] }: Partial<Searched>) {
  const { steps, unverifiable, observed: objects, labels } = told(all);
  return { objects, steps, unverifiable, searched: { found, unlisted }, labels };
}

/** Describes a finding in a short text. */
export function words({ class: of, name, path, declared, applied, live }: DriftFinding): string {
  const show = (value: unknown) => JSON.stringify(value) ?? "-";
  return `${of} ${name} ${path}: ${show(declared)} ${show(applied)} ${show(live)}`;
}

export function finding(more: Partial<DriftFinding> = {}): DriftFinding {
  return {
    id: "0123456789ab",
    class: "changed",
    type: "Group",
    name: "groups/QA",
    path: "description",
    pathParts: ["description"],
    secret: false,
    declared: "Testers",
    applied: "Testers",
    live: "Hobby club",
    link: "https://service.example/acme/groups/1",
    place: { file: "workspace.yaml", line: 5, column: 9 },
    ...more,
  };
}

export function reportWith(more: Partial<DriftReportFacts> = {}): DriftReport {
  return createDriftReport({
    workspace: "acme",
    baseUrl: "https://service.example",
    stack: "us",
    file: "workspace.yaml",
    declared: ["groups/QA", "groups/Ops", "groups/Other"].map((name) => ({ type: "Group", name })),
    findings: [
      finding({
        id: "d1",
        class: "deleted",
        name: "groups/Ops",
        path: "",
        pathParts: [],
        declared: { name: "Ops" },
      }),
      finding(),
      finding({
        id: "a1",
        class: "added",
        name: "groups/Hackers",
        path: "",
        pathParts: [],
        declared: undefined,
        live: { name: "Hackers" },
      }),
      finding({
        id: "p1",
        class: "pending",
        name: "groups/New",
        path: "",
        pathParts: [],
        operation: "create",
        live: undefined,
        declared: { name: "New" },
      }),
      finding({
        id: "u1",
        class: "unverifiable",
        type: "Pipeline",
        name: "projects/web/pipelines/nightly",
        path: "cron",
        live: undefined,
      }),
    ],
    incomplete: [],
    warnings: [],
    suppressions: [],
    failOn: ["deleted", "changed", "added"],
    lasting: true,
    now: new Date("2026-11-21T12:00:00Z"),
    milliseconds: 4321,
    ...more,
  });
}

export const unread: UnreadObject = {
  type: "Variable",
  name: "variables/API_KEY",
  list: false,
  reason: "GET /workspaces/acme/variables: 403 Access denied.",
  scopes: ["WORKSPACE", "VARIABLE_INFO"],
};
