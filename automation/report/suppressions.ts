/** Suppressions of findings: entries of a file, each with a reason. */
import { z } from "zod";
import type { Finding } from "../../diff/finding.js";
import { matchesPattern } from "../../resources/definition/name-pattern.js";
import { text } from "../../resources/definition/primitives.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { readTextIfPresent } from "../../trust/checkout-files.js";
import { getLocation, getPositionAt, type Location, type Tree } from "../../workspace-file/index.js";
import { parseFile } from "../config-files/checked-files.js";
import { AutomationError } from "../errors.js";
import type { Warning } from "./report-schemas.js";

/** What is special about a command's file of suppressions. */
interface SuppressionFileFacts<C extends string> {
  /** `ignore file`, in messages. */
  readonly noun: string;
  /** Option that names the file. */
  readonly option: string;
  /** Property that contains the entries, with its description. */
  readonly list: readonly [name: string, description: string];
  readonly meta: { readonly title: string; readonly description: string };
  /** Classes that an entry may name. An entry that names none means all of them. */
  readonly classes: readonly [C, ...C[]];
  /** Describes that default. */
  readonly usual: string;
  /** Adds an explanation to a problem at a path. */
  readonly explain?: (tree: Tree, path: PropertyPath) => string;
}

/** Defines a command's file of suppressions: its schema, and how it is read. */
export function readSuppressionFile<const C extends string>(facts: SuppressionFileFacts<C>) {
  const { noun, option, meta, classes, usual, explain } = facts;
  const [list, description] = facts.list;
  const schema = z
    .strictObject({
      version: z.literal(1).describe("Version of the file format: always 1."),
      [list]: z.array(createEntrySchema(classes, usual)).describe(description),
    })
    .meta(meta);
  return { schema, parse, read };

  function parse(file: string, source: string): SuppressionEntry[] {
    const { data, tree } = parseFile(schema, file, source, explain);
    const entries = data[list] as unknown as readonly Omit<SuppressionEntry, "place">[];
    return entries.map((entry, index) => ({
      ...entry,
      place: getLocation(getPositionAt(tree, [list, index])),
    }));
  }

  /**
   * Reads the named file, or the usual one if it exists.
   * @throws {WorkspaceFileError} with all its problems, {AutomationError} when a named file does not exist
   */
  function read(named: string | undefined, usualFile: string): SuppressionEntry[] {
    const file = named ?? usualFile;
    const source = readTextIfPresent(file, { named: named !== undefined });
    if (source !== undefined) return parse(file, source);
    if (named === undefined) return [];
    throw new AutomationError(
      `there is no ${noun} ${file}`,
      `correct the path after ${option}, or omit the option`,
    );
  }
}

function createEntrySchema<const C extends string>(classes: readonly [C, ...C[]], usual: string) {
  return z.strictObject({
    object: text.describe(
      "Logical names of objects; * stands for a part of a name, ** for any number of parts.",
    ),
    path: text
      .optional()
      .describe("Properties, such as executeCommands[*]. Default: all, and the object as a whole.")
      .meta({ examples: ["description"] }),
    class: z
      .union([z.enum(classes), z.array(z.enum(classes)).min(1)])
      .optional()
      .describe(`Kinds of findings. Default: ${usual}.`),
    reason: text.describe("Why it is ignored."),
    expires: z.iso
      .date("must be a day, such as 2026-12-31")
      .optional()
      .describe("The last day (UTC) on which it is ignored.")
      .meta({ examples: ["2026-12-31"] }),
  });
}

/** An entry, with its location. */
export interface SuppressionEntry {
  readonly object: string;
  readonly path?: string | undefined;
  readonly class?: string | readonly string[] | undefined;
  readonly reason: string;
  readonly expires?: string | undefined;
  readonly place: Location;
}

/** The properties of a finding that entries match. */
type Fitting = Pick<Finding, "class" | "name" | "path">;

export interface SuppressedFinding<F> {
  readonly finding: F;
  readonly reason: string;
  readonly expires?: string | undefined;
  readonly place?: Location | undefined;
}

/**
 * Applies suppressions, and warns about those that are expired or unused.
 * @param classes the classes of an entry that names none
 */
export function applySuppressions<F extends Fitting>(
  findings: readonly F[],
  entries: readonly SuppressionEntry[],
  classes: readonly string[],
  { today, complete }: { readonly today: string; readonly complete: boolean },
): { findings: F[]; ignored: SuppressedFinding<F>[]; warnings: Warning[] } {
  const rules = entries.map((entry) => ({
    entry,
    expired: isExpired(entry, today),
    fits: createMatcher(entry, classes),
    used: false,
  }));
  const [left, ignored]: [F[], SuppressedFinding<F>[]] = [[], []];
  for (const finding of findings) {
    const fitting = rules.filter(({ fits }) => fits(finding));
    for (const rule of fitting) rule.used = true;
    const rule = fitting.find(({ expired }) => !expired);
    if (rule === undefined) left.push(finding);
    else {
      const { reason, expires, place } = rule.entry;
      ignored.push({ finding, reason, ...(expires === undefined ? {} : { expires }), place });
    }
  }
  const warnings = rules.flatMap(({ entry, expired, used }): Warning[] => {
    const { object, path, place, expires, reason } = entry;
    const what = `the entry for ${object}${path === undefined ? "" : ` ${path}`}`;
    const message = expired
      ? `${what} expired on ${String(expires)} (${reason}): renew it, or remove it`
      : `${what} matches no finding (${reason}): remove it`;
    // An unused entry may match something that could not be read.
    if (!expired && (used || !complete)) return [];
    return [{ code: expired ? "ignore-expired" : "ignore-unused", place, message }];
  });
  return { findings: left, ignored, warnings };
}

function createMatcher(entry: SuppressionEntry, all: readonly string[]): (finding: Fitting) => boolean {
  const classes: readonly string[] = entry.class === undefined ? all : [entry.class].flat();
  // Only * and ** are special: names may contain anything else. Paths of properties have no slashes, so both mean the same there.
  const object = (name: string) => matchesPattern(entry.object, name, false);
  const path = (name: string) =>
    entry.path === undefined || (name !== "" && matchesPattern(entry.path, name, false));
  return (finding) => classes.includes(finding.class) && object(finding.name) && path(finding.path);
}

function isExpired({ expires }: SuppressionEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}
