/** Finds what is valid in a workspace file but usually a mistake. */
import { maskTexts } from "../../client/index.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { hideSecrets } from "../load/hide-secrets.js";
import { type LoadedFile, type LoadOptions, readDeclarations, withoutPlacedSecrets } from "../load/load.js";
import type { Location } from "../syntax/source.js";
import { type CustomRule, isCustomCode } from "./custom/rule.js";
import type { Range, RuleFinding } from "./finding.js";
import { ignoreRules, Ignores, listIgnoresIn } from "./ignores.js";
import { Linted } from "./lint-document.js";
import { rules } from "./list-of-rules.js";
import type { LintRuleFacts, LintSeverity, Rule } from "./rule.js";

export type { LintRuleFacts, LintSeverity } from "./rule.js";
export { type CustomRule } from "./custom/rule.js";

/** All built-in lint codes with their descriptions. */
export const lintRules: readonly LintRuleFacts[] = [...rules, ...ignoreRules];

export interface LintOptions extends LoadOptions {
  /** Severities that override those of the rules, by code. */
  readonly severities?: Readonly<Record<string, LintSeverity | "off">>;
  /** Time from which schedules are checked. Default: now. */
  readonly now?: Date;
  /** Rules of the user's own, which run after the built-in ones. */
  readonly rules?: readonly CustomRule[];
  /** Rules of policies, which no severity and no comment turns off. */
  readonly binding?: readonly CustomRule[];
}

export interface LintFinding {
  readonly code: string;
  readonly severity: LintSeverity;
  readonly message: string;
  readonly place: Location;
  /** Path in the document, unless the finding is about text that is not part of it. */
  readonly path?: PropertyPath;
}

export interface LintResult {
  /** Findings, sorted by file and location. */
  readonly findings: readonly LintFinding[];
  /** Returns the text of a file with its secrets masked. */
  readonly textOf: (file: string) => string | undefined;
}

/**
 * Finds mistakes in a valid workspace file. Needs no network and no secrets: placeholders without a value get mock values.
 * @throws {WorkspaceFileError} when the file is not valid
 */
export async function lint(file: string, options: LintOptions = {}): Promise<LintResult> {
  const { severities = {}, now = new Date(), rules: custom = [], binding = [], ...reading } = options;
  const loaded = readDeclarations(file, { ...reading, mock: true });
  const linted = prepareFile(loaded, now);
  const ignores = new Ignores(
    [...loaded.sources.values()].flatMap(listIgnoresIn),
    now.toISOString().slice(0, 10),
  );
  const severityOf = ({ code, severity }: LintRuleFacts) => severities[code] ?? severity;
  const all = [...rules, ...custom];
  const active = all.filter((rule) => severityOf(rule) !== "off");
  const found = await runRules(active, linted, loaded);
  const bound = await runRules(binding, linted, loaded);
  const secrets = linted.secretTexts();
  const findings = found
    .filter(({ rule, place }) => !ignores.covers(rule.code, place))
    .map((one) => createFinding(one, severityOf(one.rule) as LintSeverity, secrets));
  const known = [...lintRules, ...custom].map(({ code }) => code);
  // Without rules of the user's own, nobody can tell which of their codes exist.
  const isKnown = (code: string) => known.includes(code) || (custom.length === 0 && isCustomCode(code));
  for (const complaint of ignores.complaints({ known, isKnown, active: active.map(({ code }) => code) })) {
    const severity = severityOf(lintRules.find(({ code }) => code === complaint.code) as LintRuleFacts);
    if (severity !== "off") findings.push({ ...complaint, severity });
  }
  findings.push(...bound.map((one) => hideSecretsInFinding(one, secrets)));
  return { findings: findings.sort(compareFindings), textOf: removeIgnored([...found, ...bound], loaded) };
}

/** Finding of a rule of a policy. */
export interface BoundFinding extends LintFinding {
  /** The policy. */
  readonly policy: string;
}

/**
 * Applies rules that nothing turns off to a file that was read.
 * @throws {WorkspaceFileError} when a rule fails
 */
export async function applyBinding(
  loaded: LoadedFile,
  binding: readonly CustomRule[],
): Promise<LintResult & { readonly findings: readonly BoundFinding[] }> {
  const linted = prepareFile(loaded, new Date());
  const bound = await runRules(binding, linted, loaded);
  const secrets = linted.secretTexts();
  const findings = bound.map((one) => hideSecretsInFinding(one, secrets)).sort(compareFindings);
  return { findings, textOf: removeIgnored(bound, loaded) };
}

function prepareFile(loaded: LoadedFile, now: Date): Linted {
  const { tree, sources } = loaded;
  return new Linted(tree, [...sources.values()], now, () => withoutPlacedSecrets(loaded));
}

interface Found<R extends Rule> extends LocatedFinding {
  readonly rule: R;
}

async function runRules<R extends Rule>(
  all: readonly R[],
  linted: Linted,
  { locate }: LoadedFile,
): Promise<Found<R>[]> {
  const found: Found<R>[] = [];
  for (const rule of all)
    for (const one of await locateFindings(rule, linted, locate)) found.push({ ...one, rule });
  return found;
}

function createFinding(
  { rule, message, place, path }: Found<Rule>,
  severity: LintSeverity,
  secrets: readonly string[],
): LintFinding {
  const shown = maskTexts(message, secrets);
  return { code: rule.code, severity, message: shown, place, ...(path === undefined ? {} : { path }) };
}

function hideSecretsInFinding(found: Found<CustomRule>, secrets: readonly string[]): BoundFinding {
  return { ...createFinding(found, "error", secrets), policy: found.rule.place.file };
}

function removeIgnored(found: readonly LocatedFinding[], { sources }: LoadedFile): LintResult["textOf"] {
  const hidden = found.flatMap(({ hides }) => hides ?? []);
  // Each finding quotes its file.
  const shown = new Map<string, string | undefined>();
  return (name) => {
    if (!shown.has(name)) shown.set(name, without(hidden, name, sources.get(name)?.text));
    return shown.get(name);
  };
}

type LocatedFinding = Pick<RuleFinding, "message" | "hides"> & Pick<LintFinding, "place" | "path">;

/** Returns the findings of a rule without repetitions, since a template is used by several entries. */
async function locateFindings(
  rule: Rule,
  linted: Linted,
  locate: (path: readonly (string | number)[], atKey?: boolean) => Location,
): Promise<LocatedFinding[]> {
  const found = new Map<string, LocatedFinding>();
  for (const { message, at, hides } of await rule.check(linted)) {
    const place = locateFinding(at, locate);
    const path = "path" in at ? { path: at.path } : {};
    found.set([place.file, place.line, place.column, message].join("\n"), { message, place, hides, ...path });
  }
  return [...found.values()];
}

function locateFinding(
  at: RuleFinding["at"],
  locate: (path: readonly (string | number)[], atKey?: boolean) => Location,
): Location {
  return "path" in at ? locate(at.path, at.atKey) : at;
}

function compareFindings(a: LintFinding, b: LintFinding): number {
  const [p, q] = [a.place, b.place];
  const files = p.file < q.file ? -1 : p.file > q.file ? 1 : 0;
  return files || p.line - q.line || p.column - q.column || (a.code < b.code ? -1 : 1);
}

function without(hidden: readonly Range[], file: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let shown = hideSecrets(text);
  for (const { start, end } of hidden.filter((range) => range.file === file)) {
    const stars = shown.slice(start, end).replace(/[^\r\n]/g, "*");
    shown = shown.slice(0, start) + stars + shown.slice(end);
  }
  return shown;
}
