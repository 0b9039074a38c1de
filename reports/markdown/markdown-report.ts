/** Writes a report as Markdown for comments and job summaries: what matters first, the rest folded, and short enough for both. */
import {
  type ClassView,
  formatClassCount,
  getObjectKey,
  type ReportView,
  type SectionItem,
} from "../../automation/report/report-view.js";
import { limitLines } from "../../text/shown-change.js";
import { formatInside, groupUnread } from "../format-values.js";
import { fitText, limitList, type MarkdownRoom } from "./room.js";
import { escapeMarkdown, fenceLines, formatCode, type Origin, readOrigin } from "./text.js";
import {
  formatPropertyLines,
  formatRemedyText,
  listChangedUnits,
  listWholeItems,
  listWholeUnits,
  type Unit,
} from "./units.js";

/** Maximum number of objects for each of which the commands are said. */
const FEW = 8;

export function formatMarkdownReport(report: ReportView, env: NodeJS.ProcessEnv = {}): string {
  const parts = prepareParts(report, readOrigin(env));
  const all = parts.classes.reduce((count, { changed }) => count + changed.length, 0);
  return fitText(all, (count, room) => composeReport(report, parts, count, room));
}

/** Parts that are written once and tried in several lengths. */
interface Parts {
  readonly origin: Origin;
  readonly classes: readonly ClassParts[];
  /** The commands are said once for all. */
  readonly forAll: boolean;
  readonly sections: readonly SectionParts[];
  readonly warnings: readonly string[];
  readonly ignored: readonly string[];
  readonly remarks: readonly string[];
}

interface SectionParts {
  readonly title: string;
  readonly folded: boolean;
  readonly isError: boolean;
  /** Whether something in it may do harm. How the workspaces of a fleet ended does not. */
  readonly isRisk: boolean;
  readonly lines: readonly string[];
}

interface ClassParts {
  readonly of: ClassView;
  /** The class with its count. */
  readonly title: string;
  readonly lines: readonly string[];
  readonly changed: readonly Unit[];
  readonly whole: readonly Unit[];
}

function prepareParts(report: ReportView, origin: Origin): Parts {
  const objects = new Set(report.findings.map(getObjectKey)).size;
  const forAll = objects > FEW || report.findings.every(({ remedies }) => remedies === undefined);
  const { linkTo } = origin;
  const classes = report.classes.flatMap((of): ClassParts[] => {
    const own = report.findings.filter((finding) => finding.class === of.name);
    const [first] = own;
    if (first === undefined) return [];
    const [before, after] = first.columns;
    const isUsual = before.title === "now" && after.title === "planned";
    const title = `**${escapeMarkdown(formatClassCount(of, report))}**`;
    if (of.columns) {
      const signs = isUsual ? "" : ` (− ${escapeMarkdown(before.title)}, + ${escapeMarkdown(after.title)})`;
      const changed = listChangedUnits(of, report, linkTo);
      return [{ of, title: title + signs, lines: [], changed, whole: [] }];
    }
    if (of.tone === "unknown")
      return [{ of, title, lines: formatPropertyLines(of, report, linkTo), changed: [], whole: [] }];
    const whole = listWholeUnits(of, report, linkTo);
    if (of.folded)
      return [{ of, title: `${title}: ${formatInside(own, true)}`, lines: [], changed: [], whole }];
    return [{ of, title, lines: listWholeItems(of, report, linkTo, !forAll), changed: [], whole }];
  });
  const { sections = [], warnings, ignored, remarks = [] } = report;
  return {
    origin,
    classes,
    forAll,
    sections: sections.map(({ title, items, folded = false, ofParts = false }) => {
      const isError = items.some(({ level }) => level === "error");
      return { title, folded, isError, isRisk: isError || !ofParts, lines: items.map(formatItemLine) };
    }),
    warnings: warnings.map(({ message }) => `- ${escapeMarkdown(message)}`),
    ignored: ignored.map(({ finding, reason, expires }) => {
      const until = expires === undefined ? "" : `, until ${expires}`;
      return `- ${finding.class} ${formatCode(`${finding.name} ${finding.path}`.trim())}: ${escapeMarkdown(reason)}${until}`;
    }),
    remarks: remarks.map((remark) => `- ${escapeMarkdown(remark)}`),
  };
}

/** Writes a report with the first objects that change, and counts the others. */
function composeReport(report: ReportView, parts: Parts, shown: number, room: MarkdownRoom): string {
  const mark = { clean: "✅", found: "🔴", incomplete: "🟡", planned: "🔵" }[report.outcome];
  let left = shown;
  const withBlocks = parts.classes.map((one) => {
    const changed = one.changed.slice(0, left);
    left -= changed.length;
    return { ...one, shown: changed };
  });
  const open = withBlocks.filter(({ of }) => !of.folded);
  const isGone = ({ of, lines }: ClassParts) => of.tone === "gone" && lines.length > 0;
  const listed = parts.sections
    .filter(({ folded }) => !folded)
    .map(({ title, isError, isRisk, lines }) => ({
      isError,
      text: list(`**${title}**`, lines, isRisk ? room.risks : room.list),
    }));
  const unread = groupUnread(report.incomplete).map(
    ({ reason, what }) => `- ${escapeMarkdown(reason)} ${limitNames(what, room)}`,
  );
  return [
    `## ${mark} ${escapeMarkdown(`${report.verdict} (${report.scene})`)}`,
    "",
    ...listed.filter((one) => one.isError).flatMap(({ text }) => text),
    ...open.filter(isGone).flatMap(({ title, lines }) => list(title, lines, room.risks)),
    ...listed.filter((one) => !one.isError).flatMap(({ text }) => text),
    ...list("**Not read**", unread, room.risks),
    ...open.filter((one) => !isGone(one)).flatMap((one) => openClass(one, parts, room)),
    ...list("**Warnings**", parts.warnings, room.risks),
    ...listNextSteps(report, parts),
    ...withBlocks.flatMap((one) => foldClass(one, parts, room)),
    ...parts.sections
      .filter(({ folded }) => folded)
      .flatMap(({ title, lines }) => foldDetails(escapeMarkdown(title), limitList(lines, room.list))),
    ...foldDetails(`${parts.ignored.length} ignored`, limitList(parts.ignored, room.list)),
    ...foldDetails("Notes", limitList(parts.remarks, room.list)),
    formatFooter(report, parts),
    "",
  ].join("\n");
}

interface ShownClass extends ClassParts {
  /** The objects whose changes have room. */
  readonly shown: readonly Unit[];
}

function openClass(
  { title, lines, changed, shown }: ShownClass,
  { forAll }: Parts,
  room: MarkdownRoom,
): string[] {
  if (changed.length === 0) return list(title, lines, room.list);
  return [title, "", ...listBlocks({ changed, shown }, forAll, room)];
}

/** Writes what needs not be read to judge the result: its objects with their arguments. */
function foldClass(
  { of, title, lines, changed, shown, whole }: ShownClass,
  { forAll }: Parts,
  room: MarkdownRoom,
) {
  if (!of.folded) {
    const known = whole.filter(({ args }) => args.length > 0);
    return foldDetails(`${title.replaceAll("**", "")}: arguments`, listArguments(known, room));
  }
  const summary = title.replace(/^\*\*(.*?)\*\*/, "<b>$1</b>");
  if (changed.length > 0) return foldDetails(summary, listBlocks({ changed, shown }, forAll, room));
  return foldDetails(summary, whole.length > 0 ? listArguments(whole, room) : limitList(lines, room.list));
}

function listBlocks(
  { changed, shown }: Pick<ShownClass, "changed" | "shown">,
  forAll: boolean,
  room: MarkdownRoom,
): string[] {
  const left = changed.slice(shown.length).reduce((count, { names }) => count + names.length, 0);
  return [
    ...shown.flatMap(({ names, title, block, args, remedies }) => [
      names.length === 1 || names.length > NAMED ? title : `${title}: ${limitNames(names, room)}`,
      "",
      ...(block.length === 0 ? [] : [...fenceLines(limitLines(block, room.block)), ""]),
      ...(args.length === 0 ? [] : [...fenceLines(limitLines(args, room.block), "yaml"), ""]),
      ...(names.length > NAMED ? foldDetails("Their names", [limitNames(names, room)]) : []),
      ...(forAll || remedies.length === 0 ? [] : [formatRemedyText(remedies), ""]),
    ]),
    ...(left > 0 ? [`**${left} more objects do not fit here**: see the report as JSON or HTML.`, ""] : []),
  ];
}

/** Writes the arguments of whole objects, as far as there is room, and names the other objects. */
function listArguments(units: readonly Unit[], room: MarkdownRoom): string[] {
  let left = room.args;
  const lines: string[] = [];
  const others: Unit[] = [];
  for (const unit of units) {
    const isEmpty = unit.args.length === 0 || left < 0;
    const text = isEmpty ? [] : [unit.title, "", ...fenceLines(unit.args, "yaml"), ""];
    left -= text.join("\n").length + 1;
    if (text.length > 0 && left >= 0) lines.push(...text);
    else others.push(unit);
  }
  const more = others.some(({ args }) => args.length > 0)
    ? " (arguments: see the report as JSON or HTML)"
    : "";
  return [
    ...lines,
    ...limitList(
      others.map(({ title, args }) => `- ${title}${args.length > 0 ? more : ""}`),
      room.list,
    ),
  ];
}

function listNextSteps({ remediesForAll = [], findings }: ReportView, { forAll }: Parts): string[] {
  if (!forAll || remediesForAll.length === 0 || findings.length === 0) return [];
  return [`**Next**: ${formatRemedyText(remediesForAll)}`, ""];
}

function formatFooter(report: ReportView, { origin: { commit, run } }: Parts): string {
  const { file, address, about, generatedAt, seconds, fingerprint, remediesForAll = [] } = report;
  const isSaid = remediesForAll.some(({ command }) => command.includes(fingerprint));
  const words = address === undefined ? about : [{ is: address }];
  const parts = [
    words.map((part) => (typeof part === "string" ? part : formatCode(part.is))).join(""),
    ...(file === undefined ? [] : [formatCode(file)]),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 10)}`]),
    ...(run === undefined ? [] : [`[run](${run})`]),
    generatedAt.replace(/\.\d+Z$/, "Z"),
    `${seconds.toFixed(1)} s`,
    ...(isSaid || fingerprint === "" ? [] : [fingerprint.slice(0, 19)]),
  ];
  return `<sub>${parts.join(" · ")}</sub>`;
}

function formatItemLine({ text, level, details: more = [] }: SectionItem): string {
  const mark = { error: "❌ ", warning: "⚠️ ", info: "" }[level];
  return [`- ${mark}${escapeMarkdown(text)}`, ...more.map((line) => `  - ${escapeMarkdown(line)}`)].join(
    "\n",
  );
}

function list(title: string, lines: readonly string[], room: number): string[] {
  return lines.length === 0 ? [] : [title, "", ...limitList(lines, room), ""];
}

function foldDetails(summary: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const end = lines.at(-1) === "" ? [] : [""];
  return ["<details>", `<summary>${summary}</summary>`, "", ...lines, ...end, "</details>", ""];
}

/** Maximum number of names, where there is not enough room for all. */
const NAMED = 20;

function limitNames(names: readonly string[], { list: room }: MarkdownRoom): string {
  const shown = room === Infinity ? names : names.slice(0, NAMED);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return `${shown.map((name) => formatCode(name)).join(", ")}${more}`;
}
