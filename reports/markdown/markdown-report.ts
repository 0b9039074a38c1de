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
import { escapeMarkdown, fenceLines, formatCode, type Origin, readOrigin } from "./text.js";
import {
  formatPropertyLines,
  formatRemedyText,
  listChangedUnits,
  listWholeItems,
  listWholeUnits,
  type Unit,
} from "./units.js";

/** The limit of GitHub for a comment is 65,536 characters; it is higher for a job summary. The rest is for a marker. */
const LIMIT = 65_000;
/** Maximum number of objects for each of which the commands are said. */
const FEW = 8;

/** Maximum lengths of a list, of a block, and of all arguments of a class, tried until the report is short enough. */
interface Room {
  readonly list: number;
  readonly block: number;
  readonly args: number;
}
const ROOMS: readonly Room[] = [
  { list: Infinity, block: Infinity, args: Infinity },
  { list: 7_000, block: 8_000, args: 16_000 },
  { list: 7_000, block: 2_000, args: 6_000 },
];
const LEAST: Room = { list: 2_000, block: 2_000, args: 2_000 };

export function formatMarkdownReport(report: ReportView, env: NodeJS.ProcessEnv = {}): string {
  const parts = prepareParts(report, readOrigin(env));
  const all = parts.classes.reduce((count, { changed }) => count + changed.length, 0);
  for (const room of ROOMS) {
    const whole = composeReport(report, parts, all, room);
    if (whole.length <= LIMIT) return whole;
  }
  for (let count = Math.min(all, LIMIT / 20); ; count = Math.floor(count * 0.8)) {
    const text = composeReport(report, parts, count, LEAST);
    if (text.length <= LIMIT || count === 0) return text;
  }
}

/** Parts that are written once and tried in several lengths. */
interface Parts {
  readonly origin: Origin;
  readonly classes: readonly ClassParts[];
  /** The commands are said once for all. */
  readonly forAll: boolean;
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
    if (of.folded) return [{ of, title: `${title}: ${formatInside(own)}`, lines: [], changed: [], whole }];
    return [{ of, title, lines: listWholeItems(of, report, linkTo, !forAll), changed: [], whole }];
  });
  return { origin, classes, forAll };
}

/** Writes a report with the first objects that change, and counts the others. */
function composeReport(report: ReportView, parts: Parts, shown: number, room: Room): string {
  const { incomplete, ignored, warnings, remarks = [], sections = [] } = report;
  const mark = { clean: "✅", found: "🔴", incomplete: "🟡", planned: "🔵" }[report.outcome];
  let left = shown;
  const withBlocks = parts.classes.map((one) => {
    const changed = one.changed.slice(0, left);
    left -= changed.length;
    return { ...one, shown: changed };
  });
  const open = withBlocks.filter(({ of }) => !of.folded);
  const isGone = ({ of, lines }: ClassParts) => of.tone === "gone" && lines.length > 0;
  const isError = ({ items }: { readonly items: readonly SectionItem[] }) =>
    items.some(({ level }) => level === "error");
  const listed = sections
    .filter(({ folded }) => !folded)
    .map(({ title, items }) => ({
      isError: isError({ items }),
      text: list(`**${title}**`, items.map(formatItemLine), room),
    }));
  const unread = groupUnread(incomplete).map(
    ({ reason, what }) => `- ${escapeMarkdown(reason)} ${limitNames(what, room)}`,
  );
  return [
    `## ${mark} ${escapeMarkdown(`${report.verdict} (${report.scene})`)}`,
    "",
    ...listed.filter((one) => one.isError).flatMap(({ text }) => text),
    ...open.filter(isGone).flatMap(({ title, lines }) => list(title, lines, room)),
    ...listed.filter((one) => !one.isError).flatMap(({ text }) => text),
    ...list("**Not read**", unread, room),
    ...open.filter((one) => !isGone(one)).flatMap((one) => openClass(one, parts, room)),
    ...list(
      "**Warnings**",
      warnings.map(({ message }) => `- ${escapeMarkdown(message)}`),
      room,
    ),
    ...listNextSteps(report, parts),
    ...withBlocks.flatMap((one) => foldClass(one, parts, room)),
    ...sections
      .filter(({ folded }) => folded)
      .flatMap(({ title, items }) =>
        foldDetails(escapeMarkdown(title), limitList(items.map(formatItemLine), room)),
      ),
    ...foldDetails(
      `${ignored.length} ignored`,
      limitList(
        ignored.map(({ finding, reason, expires }) => {
          const until = expires === undefined ? "" : `, until ${expires}`;
          return `- ${finding.class} ${formatCode(`${finding.name} ${finding.path}`.trim())}: ${escapeMarkdown(reason)}${until}`;
        }),
        room,
      ),
    ),
    ...foldDetails(
      "Notes",
      limitList(
        remarks.map((remark) => `- ${escapeMarkdown(remark)}`),
        room,
      ),
    ),
    formatFooter(report, parts),
    "",
  ].join("\n");
}

interface ShownClass extends ClassParts {
  /** The objects whose changes have room. */
  readonly shown: readonly Unit[];
}

function openClass({ title, lines, changed, shown }: ShownClass, { forAll }: Parts, room: Room): string[] {
  if (changed.length === 0) return list(title, lines, room);
  return [title, "", ...listBlocks({ changed, shown }, forAll, room)];
}

/** Writes what needs not be read to judge the result: its objects with their arguments. */
function foldClass({ of, title, lines, changed, shown, whole }: ShownClass, { forAll }: Parts, room: Room) {
  if (!of.folded) {
    const known = whole.filter(({ args }) => args.length > 0);
    return foldDetails(`${title.replaceAll("**", "")}: arguments`, listArguments(known, room));
  }
  const summary = title.replace(/^\*\*(.*?)\*\*/, "<b>$1</b>");
  if (changed.length > 0) return foldDetails(summary, listBlocks({ changed, shown }, forAll, room));
  return foldDetails(summary, whole.length > 0 ? listArguments(whole, room) : limitList(lines, room));
}

function listBlocks(
  { changed, shown }: Pick<ShownClass, "changed" | "shown">,
  forAll: boolean,
  room: Room,
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
function listArguments(units: readonly Unit[], room: Room): string[] {
  let left = room.args;
  const lines: string[] = [];
  const others: Unit[] = [];
  for (const unit of units) {
    const text = unit.args.length === 0 ? [] : [unit.title, "", ...fenceLines(unit.args, "yaml"), ""];
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
      room,
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

function list(title: string, lines: readonly string[], room: Room): string[] {
  return lines.length === 0 ? [] : [title, "", ...limitList(lines, room), ""];
}

function foldDetails(summary: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const end = lines.at(-1) === "" ? [] : [""];
  return ["<details>", `<summary>${summary}</summary>`, "", ...lines, ...end, "</details>", ""];
}

/** Returns as many lines as there is room for, and counts the others. */
function limitList(lines: readonly string[], { list: room }: Room): string[] {
  let [left, shown] = [room, 0];
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown += 1;
  }
  const more = lines.length - shown;
  if (more === 0) return [...lines];
  return [...lines.slice(0, shown), `- **${more} more do not fit here**: see the report as JSON or HTML.`];
}

/** Maximum number of names, where there is not enough room for all. */
const NAMED = 20;

function limitNames(names: readonly string[], { list: room }: Room): string {
  const shown = room === Infinity ? names : names.slice(0, NAMED);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return `${shown.map((name) => formatCode(name)).join(", ")}${more}`;
}
