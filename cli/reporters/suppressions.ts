/** Suppressions of findings: entries of a file, each with a reason. */
import { z } from "zod";
import { text } from "../../provider/definition/primitives.js";
import type { Location } from "../../workspace-file/index.js";
import { matchesPattern } from "../options/pattern.js";
import { place } from "./published.js";

/** Returns the schema of an entry. @param classes the classes that an entry may name @param said the default classes */
export function suppressionSchema<const C extends string>(classes: readonly [C, ...C[]], said: string) {
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
      .describe(`Kinds of findings. Default: ${said}.`),
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
interface Fitting {
  readonly class: string;
  readonly name: string;
  readonly path: string;
}

export interface Suppressed<F> {
  readonly finding: F;
  readonly reason: string;
  readonly expires?: string;
  readonly place: Location;
}

export const warningSchema = z.strictObject({
  code: z
    .enum(["ignore-expired", "ignore-unused", "killed-run", "engine"])
    .describe("What kind of warning it is."),
  message: z.string(),
  place: place.optional(),
});
export type Warning = z.infer<typeof warningSchema>;

/**
 * Applies suppressions, and warns about those that are expired or unused.
 * @param classes the classes of an entry that names none
 */
export function applySuppressions<F extends Fitting>(
  findings: readonly F[],
  entries: readonly SuppressionEntry[],
  classes: readonly string[],
  { today, complete }: { readonly today: string; readonly complete: boolean },
): { findings: F[]; ignored: Suppressed<F>[]; warnings: Warning[] } {
  const rules = entries.map((entry) => ({
    entry,
    expired: isExpired(entry, today),
    fits: matcher(entry, classes),
    used: false,
  }));
  const [left, ignored]: [F[], Suppressed<F>[]] = [[], []];
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

function matcher(entry: SuppressionEntry, all: readonly string[]): (finding: Fitting) => boolean {
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
