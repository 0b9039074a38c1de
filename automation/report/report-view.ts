/**
 * The view of a report, which all formats share. It shows two sources side by side; their names, the classes of findings
 * and the descriptions come from the command.
 */
import type { Finding } from "../../diff/finding.js";
import { findDefinition } from "../../provider/index.js";
import type { Location } from "../../workspace-file/index.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { findPartAt } from "../../workspace-file/syntax/tree.js";
import type { FindingsReport, Outcome } from "./findings-report.js";

/** Style of a class of findings: deleted, changed, new, pending, or not known. */
export type Tone = "gone" | "other" | "new" | "later" | "unknown";

export interface ClassView {
  readonly name: string;
  /** The class in a count: `2 to create`. Default: its name. */
  readonly label?: string;
  readonly description: string;
  readonly tone: Tone;
  /** Show the values in columns, one for each source, if they fit. */
  readonly columns: boolean;
  /** Fold long lists. */
  readonly folded: boolean;
  /** What is said of a whole object, after its name: `deleted outside`. */
  readonly whole?: string;
  /** The second value has replaced the first, so that an arrow says everything. */
  readonly replaced?: boolean;
  /** The text for a terminal only counts these. */
  readonly counted?: boolean;
  /** Its findings are results of parts. */
  readonly ofParts?: boolean;
}

/** The value in one source. */
export interface Cell {
  /** Name of the source. */
  readonly title: string;
  /** The value, or words in its place. */
  readonly value: unknown;
  /** Web address of the object in this source. */
  readonly link?: string | undefined;
  /** Style: the expected value, or the actual one. */
  readonly tone?: "expected" | "actual";
}

export interface FindingView extends Finding {
  /** Names of the objects whose ids are in the values. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Describes the finding in one sentence, without the name of the object. Lines that differ are in a block after it. */
  readonly sentence: () => string;
  /** Replaces the two values. */
  readonly remark?: string;
  /** The two values. */
  readonly columns: readonly [Cell, Cell];
  /** All values, for formats with enough space. */
  readonly sides: readonly Cell[];
  /** The operation of `up`, such as "create". */
  readonly will?: string | undefined;
  readonly link?: string | undefined;
  readonly place?: Location | undefined;
  /** The workspaces of a fleet in which it was found. */
  readonly scope?: WorkspaceScope;
  /** What to do about its object, such as accept or revert, and the command for it. */
  readonly remedies?: readonly Remedy[];
}

/** Some workspaces of a fleet. */
export interface WorkspaceScope {
  /** `all 300 workspaces`, `298 workspaces (not eu-1, eu-2)` */
  readonly text: string;
  readonly count: number;
}

/** Identifies the object of a finding: the findings of an object are shown together. */
export function getObjectKey({ type, name, scope }: Pick<FindingView, "type" | "name" | "scope">): string {
  return JSON.stringify([type, name, scope?.text]);
}

/** The name of an object, and where it was found in a fleet. */
export function formatScopedName({ name, scope }: Pick<FindingView, "name" | "scope">): string {
  return scope === undefined ? name : `${name} in ${scope.text}`;
}

export interface Remedy {
  readonly label: string;
  readonly command: string;
  /** Logical names of the objects that it concerns. */
  readonly objects?: readonly string[] | undefined;
}

/** A text, with names as separate parts. */
export type Words = readonly (string | { readonly is: string; readonly strong?: boolean })[];

/** Something that could not be read, with the reason. */
export interface UnreadView {
  readonly what: string;
  readonly type: string;
  readonly reason: string;
}

/** What a report says besides its findings: verdicts of guards, effects on people. */
export interface SectionView {
  /** The section, in rules and ids: `guards`. */
  readonly name: string;
  readonly title: string;
  readonly items: readonly SectionItem[];
  /** Nobody needs to read it to judge the result. */
  readonly folded?: boolean;
  /** It lists results of parts. */
  readonly ofParts?: boolean;
}

/** A workspace of a fleet, which is a test of its own. */
export interface PartView {
  readonly name: string;
  /** Who is responsible. */
  readonly owner?: string;
  /** `error`: the command could not say how it is. */
  readonly result: "passed" | "failed" | "error" | "skipped";
  /** What happened in it, in some words. */
  readonly text: string;
}

/** Returns what somebody has to look at: that a workspace is as it should be is no notice. */
export function listNotices({ sections = [] }: Pick<ReportView, "sections">): SectionView[] {
  return sections
    .map((one) => (one.ofParts ? { ...one, items: one.items.filter(({ level }) => level !== "info") } : one))
    .filter(({ items }) => items.length > 0);
}

export interface SectionItem {
  readonly text: string;
  /** An error would make the next step fail. */
  readonly level: "error" | "warning" | "info";
  readonly details?: readonly string[];
  /** Severity among those of the same level: the smallest number is the most severe one. */
  readonly rank?: number;
  readonly place?: Location | undefined;
}

export interface ReportView extends FindingsReport<string, FindingView, UnreadView> {
  /** The command, in rules and ids: `drift`. */
  readonly kind: string;
  /** `Drift of acme` */
  readonly title: string;
  /** Identifies the report in tools that store several: `drift/acme/us/`. */
  readonly id: string;
  /** `drift of acme, stack us` */
  readonly subject: string;
  /** `workspace acme, stack us` */
  readonly scene: string;
  /** The subject in one line. */
  readonly about: Words;
  /** Address of the service, if there is one. */
  readonly address?: string;
  /** The same as names and values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The file for findings without a location. */
  readonly file?: string | undefined;
  /** The result in one line. */
  readonly verdict: string;
  /** `planned`: there is something to do, and nothing prevents it. */
  readonly outcome: Outcome | "planned";
  /** `3 objects as declared` */
  readonly same: string;
  /** Number of objects without findings. */
  readonly unchanged: number;
  /** The text when there are no findings. */
  readonly nothing: string;
  readonly classes: readonly ClassView[];
  readonly sections?: readonly SectionView[];
  /** The workspaces of a fleet. */
  readonly parts?: readonly PartView[];
  /** Further notes. */
  readonly remarks?: readonly string[];
  /** What to do about all findings: where there are too many to say it for each, or where they belong together. */
  readonly remediesForAll?: readonly Remedy[];
}

/** `2 to create`, `3 changed` */
export function formatClassCount(
  { name, label = name }: ClassView,
  { counts }: Pick<ReportView, "counts">,
): string {
  return `${counts[name] ?? 0} ${label}`;
}

/** A report: the published data, and the view for people. */
export interface Report {
  readonly value: object;
  readonly view: ReportView;
}

/**
 * Locates the declaration of a finding. An object that the file does not declare is at the section where it would be, else at
 * what would contain it. Returns undefined where the file has neither, since any line would be wrong.
 */
export function findPlaceOfFinding(
  { name, type, pathParts }: Pick<Finding, "name" | "type" | "pathParts">,
  { declarations, locate, tree }: LoadedFile,
): Location | undefined {
  const own = declarations.find((declaration) => declaration.name === name);
  if (own !== undefined) return locate([...own.path, ...pathParts], pathParts.length === 0);
  const above = declarations
    .filter((declaration) => name.startsWith(`${declaration.name}/`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const parent = above?.path ?? [];
  const section = findDefinition(type)?.document?.section;
  if (section !== undefined && findPartAt(tree, [...parent, section]))
    return locate([...parent, section], true);
  return above === undefined ? undefined : locate(parent, true);
}
