/** What a report found, as data: the processes of a fleet hand it over, and the report of the fleet contains it. */
import { z } from "zod";
import { place } from "../automation/report/report-schemas.js";
import type { Cell, FindingView, ReportView, SectionView } from "../automation/report/report-view.js";
import { HIDDEN, mapDeep, pickDefined } from "../diff/values.js";
import { isDebugLine } from "../provider/index.js";
import { fromJson, jsonValue, SecretValue, toJson } from "../text/json-value.js";
import type { Location } from "../workspace-file/index.js";
import { formatUnreadText } from "./format-values.js";

const cell = z.strictObject({
  title: z.string().describe("Name of the source, such as now or planned."),
  value: jsonValue.optional(),
  tone: z.enum(["expected", "actual"]).optional(),
});

export const findingData = z.strictObject({
  class: z.string().describe("What kind of finding it is, such as update or changed."),
  type: z.string().describe("Resource type, such as Group."),
  name: z.string().describe("Logical name."),
  path: z.string().describe("The property; empty for the whole object."),
  pathParts: z.array(z.union([z.string(), z.int()])),
  secret: z.boolean(),
  sentence: z.string().describe("The finding in one sentence, without the name of the object."),
  note: z.string().optional(),
  remark: z.string().optional(),
  will: z.string().optional().describe("The operation of `up`."),
  columns: z.tuple([cell, cell]).describe("The two values."),
  sides: z.array(cell).describe("All values."),
  labels: z.record(z.string(), z.string()).optional(),
  place: place.optional(),
  remedies: z
    .array(
      z.strictObject({
        label: z.string(),
        command: z.string(),
        objects: z
          .array(z.string())
          .exactOptional()
          .describe("Logical names of the objects that it concerns."),
      }),
    )
    .optional(),
});
export type FindingData = Readonly<z.infer<typeof findingData>>;

export const sectionData = z.strictObject({
  section: z.string().describe("The section, such as guards, access or runs."),
  title: z.string(),
  folded: z.boolean(),
  text: z.string(),
  level: z.enum(["error", "warning", "info"]),
  details: z.array(z.string()),
  rank: z
    .int()
    .exactOptional()
    .describe("Severity among the notes of a section and level: the smallest number is the most severe one."),
  place: place.exactOptional(),
});
export type SectionData = Readonly<z.infer<typeof sectionData>>;

/** What a report found. */
export interface ViewData {
  readonly findings: readonly FindingData[];
  readonly notes: readonly SectionData[];
}

export function toViewData(view: ReportView): ViewData {
  return { findings: view.findings.map(toFindingData), notes: listSections(view).flatMap(listNotes) };
}

/**
 * @param id identifies the finding among those of all workspaces
 * @param unknown what stands for a value that is not known
 */
export function fromFindingData(data: FindingData, id: string, unknown?: unknown): FindingView {
  const { sentence, columns, sides, note, labels, remark, will, place: location, remedies, ...known } = data;
  const [before, after] = columns;
  return {
    ...known,
    ...pickDefined({ note, labels, remark, will, place: location, remedies }),
    id,
    sentence: () => sentence,
    columns: [fromCellData(before, unknown), fromCellData(after, unknown)],
    sides: sides.map((cell) => fromCellData(cell, unknown)),
  };
}

function toFindingData(finding: FindingView): FindingData {
  const { note, remark, will, labels, place: location, remedies } = finding;
  return {
    class: finding.class,
    type: finding.type,
    name: finding.name,
    path: finding.path,
    pathParts: finding.pathParts,
    secret: finding.secret,
    sentence: finding.secret ? finding.sentence().replaceAll(KEYED, "") : finding.sentence(),
    ...pickDefined({ note, remark, will }),
    columns: [toCellData(finding.columns[0]), toCellData(finding.columns[1])],
    sides: finding.sides.map(toCellData),
    ...pickDefined({
      labels: labels && { ...labels },
      place: location && pickPlace(location),
      remedies: remedies?.map(({ label, command, objects }) => ({
        ...{ label, command },
        ...(objects === undefined ? {} : { objects: [...objects] }),
      })),
    }),
  };
}

function pickPlace({ file, line, column }: Location): z.infer<typeof place> {
  return { file, line, column };
}

/** Fingerprints of secrets are keyed by workspace, so equal changes would differ in them. */
const KEYED = / hmac:[0-9a-f]+(?: → hmac:[0-9a-f]+)?/g;

function toCellData({ title, value, tone }: Cell): FindingData["sides"][number] {
  const masked = mapDeep(value, (part) => (part instanceof SecretValue ? HIDDEN : part));
  return {
    title,
    ...(value === undefined ? {} : { value: toJson(masked) }),
    ...(tone === undefined ? {} : { tone }),
  };
}

function fromCellData({ title, value, tone }: FindingData["sides"][number], unknown: unknown): Cell {
  const known = value === undefined ? undefined : fromJson(value, unknown);
  return { title, value: known, ...(tone === undefined ? {} : { tone }) };
}

/** Sections, and everything else that a report says besides its findings. */
function listSections(view: ReportView): SectionView[] {
  const { sections = [], incomplete, warnings, ignored, remarks = [] } = view;
  return [
    ...sections,
    {
      name: "unread",
      title: "Not read",
      items: incomplete.map((one) => ({ text: formatUnreadText(one), level: "error" as const })),
    },
    {
      name: "warnings",
      title: "Warnings",
      // Requests that --debug lists are in the log of each workspace.
      items: warnings
        .filter(({ message }) => !isDebugLine(message))
        .map(({ message }) => ({ text: message, level: "warning" as const })),
    },
    {
      name: "ignored",
      title: "Ignored",
      folded: true,
      items: ignored.map(({ finding, reason }) => ({
        text: `${finding.class} ${finding.name} ${finding.path}`.trim(),
        level: "info" as const,
        details: [reason],
      })),
    },
    {
      name: "notes",
      title: "Notes",
      folded: true,
      items: remarks.map((text) => ({ text, level: "info" as const })),
    },
  ];
}

function listNotes({ name, title, items, folded = false }: SectionView): SectionData[] {
  return items.map(({ text, level, details = [], rank, place: location }) => ({
    section: name,
    title,
    folded,
    text,
    level,
    details: [...details],
    ...pickDefined({ rank, place: location && pickPlace(location) }),
  }));
}
