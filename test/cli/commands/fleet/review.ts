/** A preview of 300 workspaces, in which one change is the same in all but two. */
import { writeFleet } from "../../../../cli/commands/fleet/fleet-report.js";
import { buildReview, type FleetReport } from "../../../../cli/commands/fleet/outcome.js";
import type { FleetResult } from "../../../../cli/commands/fleet/result.js";
import type { Format } from "../../../../reports/formats.js";
import type { FindingData, ViewData } from "../../../../reports/view-data.js";
import { testIo } from "../../support.js";

const sidesOf = (before: unknown, after: unknown) => [
  { title: "now", value: before },
  { title: "planned", value: after },
];
export const update = (name: string, before: unknown, after: unknown): FindingData =>
  ({
    ...{ class: "update", type: "PermissionSet", name, path: "pipelineAccessLevel" },
    ...{ pathParts: ["pipelineAccessLevel"], secret: false },
    sentence: `pipelineAccessLevel: ${String(before)} → ${String(after)}`,
    columns: sidesOf(before, after),
    sides: sidesOf(before, after),
  }) as FindingData;
export const createGroup = (name: string, description: string): FindingData => ({
  ...{ class: "create", type: "Group", name, path: "", pathParts: [], secret: false, sentence: "is new" },
  columns: [{ title: "now" }, { title: "planned", value: { description } }],
  sides: [{ title: "planned", value: { description } }],
});
export const notice = (section: string, text: string, level: "error" | "info" = "info") => ({
  ...{ section, title: section, folded: false, text, level, details: [] },
});
export const equal: ViewData = {
  findings: [update("permissionSets/platform-ro", "READ_ONLY", "READ_WRITE")],
  notes: [notice("Access", "everybody with platform-ro gains read/write access to the pipelines")],
};
export const other: ViewData = {
  findings: [update("permissionSets/platform-ro", "READ_ONLY", "RUN_ONLY")],
  notes: [],
};
export const names = Array.from({ length: 300 }, (_, index) => `team-${String(index).padStart(3, "0")}`);
export const found = names.map((name, index) => ({ name, data: index < 298 ? equal : other }));
export const results = names.map((name): FleetResult => ({
  ...{ name, file: `/ops/${name}.yaml`, stack: name, workspace: name, result: "ok", exitCode: 0 },
  ...{ summary: "1 to update", plan: "changes", fingerprint: `sha256:${name}`, objects: 31, seconds: 1 },
}));
export const report: FleetReport = { command: "preview", results, review: buildReview(found) };

export async function written(format: Format, of: FleetReport = report): Promise<string> {
  const { io, written: text } = testIo();
  await writeFleet(of, { format: [{ format }] }, io);
  return text().stdout;
}
