/** Writes what was found of an object: a block in which it changes, or a line with its arguments. */
import {
  type ClassView,
  type FindingView,
  getObjectKey,
  type Remedy,
  type ReportView,
} from "../../automation/report/report-view.js";
import { stripControls } from "../../client/printable.js";
import { groupBy } from "../../text/lists.js";
import { formatBlockLines } from "../../text/shown-change.js";
import type { Location } from "../../workspace-file/index.js";
import { formatCell, formatInside, showCellChange, withoutContents } from "../format-values.js";
import { chooseNoun } from "../object-words.js";
import { pickWebAddress } from "../web-address.js";
import { escapeMarkdown, formatCode } from "./text.js";

/** What is written of an object, or of several that change alike. */
export interface Unit {
  /** Names of the objects. */
  readonly names: readonly string[];
  /** The object, with a link, and the description of its change. */
  readonly title: string;
  /** Lines of a diff. */
  readonly block: readonly string[];
  /** The arguments of a whole object. */
  readonly args: readonly string[];
  readonly remedies: readonly Remedy[];
}

type LinkTo = (place: Location) => string | undefined;

/** Minimum number of objects that change alike and share a block. */
const EQUAL = 5;

/** Returns the objects of a class that change, in their order; those that change alike share a block. */
export function listChangedUnits({ name: of }: ClassView, { findings }: ReportView, linkTo: LinkTo): Unit[] {
  const own = findings.filter((finding) => finding.class === of);
  const objects = [...groupBy(own, getObjectKey).values()].map((all) => {
    const [first] = all as [FindingView];
    const wholes = all.filter(({ path }) => path === "").map((one) => one.remark ?? one.sentence());
    return {
      said: wholes.length === 0 ? "" : `: ${escapeMarkdown(wholes.join("; "))}`,
      block: all.filter(({ path }) => path !== "").flatMap(formatChangeLines),
      args: all.flatMap(formatArgumentLines),
      first,
    };
  });
  const alike = groupBy(objects, ({ first, said, block }) =>
    JSON.stringify([first.type, first.scope?.text, said, block]),
  );
  return [...alike.values()].flatMap((group): Unit[] => {
    const [{ first, said, block }] = group as [(typeof group)[number]];
    const names = group.map((one) => one.first.name);
    if (group.length < EQUAL || block.length === 0)
      return group.map((one) => ({
        names: [one.first.name],
        title: `${formatObjectTitle(one.first, linkTo)}${one.said}`,
        block: one.block,
        args: one.args,
        remedies: one.first.remedies ?? [],
      }));
    const noun = escapeMarkdown(chooseNoun(first.type, group.length));
    const title = `${group.length} ${noun}${scopeText(first)}${said}`;
    return [{ names, title, block, args: [], remedies: [] }];
  });
}

/** Returns the whole objects of a class. */
export function listWholeUnits({ name: of }: ClassView, { findings }: ReportView, linkTo: LinkTo): Unit[] {
  return findings
    .filter((finding) => finding.class === of)
    .map((finding) => ({
      names: [finding.name],
      title: formatObjectTitle(finding, linkTo),
      block: [],
      args: formatArgumentLines(finding),
      remedies: [],
    }));
}

/** Lists the whole objects of a class, without what is in another one of them. */
export function listWholeItems(
  { name: of }: ClassView,
  { findings }: ReportView,
  linkTo: LinkTo,
  withRemedies: boolean,
): string[] {
  const own = findings.filter((finding) => finding.class === of);
  return withoutContents(own).map(({ finding, inside }) => {
    const where = (finding.scope?.count ?? 1) > 1 ? "in all of them" : "in it";
    const more = inside.length === 0 ? "" : `, with ${formatInside(inside)} ${where}`;
    const said = `${formatObjectTitle(finding, linkTo)} ${escapeMarkdown(finding.sentence())}${more}`;
    const remedies = withRemedies ? formatRemedyText(finding.remedies ?? []) : "";
    return remedies === "" ? `- ${said}` : `- ${said}<br>${remedies}`;
  });
}

/** Lists properties, by object. */
export function formatPropertyLines(
  { name: of }: ClassView,
  { findings }: ReportView,
  linkTo: LinkTo,
): string[] {
  const own = findings.filter((finding) => finding.class === of);
  return [...groupBy(own, getObjectKey).values()].map((all) => {
    const paths = all.flatMap(({ path }) => (path === "" ? [] : [formatCode(path)]));
    return `- ${formatObjectTitle(all[0]!, linkTo)}${paths.length === 0 ? "" : `: ${paths.join(", ")}`}`;
  });
}

/** Writes commands that can be copied. */
export function formatRemedyText(remedies: readonly Remedy[]): string {
  return remedies.map(({ label, command }) => `${escapeMarkdown(label)}: ${formatCode(command)}`).join(" · ");
}

/** Writes a change as in a diff: only a sign at the beginning of a line has a color. */
function formatChangeLines(finding: FindingView): string[] {
  const path = stripControls(finding.path.replaceAll(/[\r\n]+/g, " "));
  if (finding.remark !== undefined) return [`@@ ${path} @@`, `  ${stripControls(finding.remark)}`];
  const change = showCellChange(finding);
  if ("said" in change) return [`! ${path}: ${change.said}`];
  if ("before" in change) return [`- ${path}: ${change.before}`, `+ ${path}: ${change.after}`];
  return [`@@ ${path} @@`, ...formatBlockLines(change)];
}

function formatArgumentLines(finding: FindingView): string[] {
  const [side, ...others] = finding.sides;
  if (finding.path !== "" || side === undefined || others.length > 0) return [];
  const text = formatCell(side, finding);
  return text === "{}" ? [] : text.split("\n");
}

/** Names an object. Its page in the service, or else its lines in the file, are linked. */
function formatObjectTitle(finding: FindingView, linkTo: LinkTo): string {
  const { type, name, link, place } = finding;
  const noun = escapeMarkdown(chooseNoun(type, 1));
  const title = `${noun} ${formatCode(name)}`;
  const url = pickWebAddress(link) ?? (place === undefined ? undefined : linkTo(place));
  return url !== undefined && /^https?:\/\/[^\s()<>|]+$/.test(url)
    ? `[${title}](${url})${scopeText(finding)}`
    : `${title}${scopeText(finding)}`;
}

function scopeText({ scope }: Pick<FindingView, "scope">): string {
  return scope === undefined ? "" : ` in **${escapeMarkdown(scope.text)}**`;
}
