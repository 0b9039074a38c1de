/** `drift-ignore.yaml`: findings that somebody has looked at and does not want to be told of again, each with its reason. */
import { existsSync, readFileSync } from "node:fs";
import picomatch from "picomatch";
import { z } from "zod";
import {
  placeOf,
  positionAt,
  text,
  valueOf,
  type Place,
  type PropertyPath,
  type Tree,
} from "../../schema/index.js";
import { CliError } from "../errors.js";
import { beside } from "../side-files/beside.js";
import { parseFile } from "../side-files/parse.js";
import type { Finding, Ignored, Warning } from "./model.js";

/** What it is called beside the workspace file. */
export const IGNORE_FILE = "drift-ignore.yaml";

/** Classes that can be ignored: that something is gone is always told. */
const ignorable = ["changed", "added", "pending", "unverifiable"] as const;

const entrySchema = z.strictObject({
  object: text.describe(
    "Logical names of objects; * stands for a part of a name, ** for any number of parts.",
  ),
  path: text
    .optional()
    .describe("Properties, such as executeCommands[*]. Default: all, and the object as a whole.")
    .meta({ examples: ["description"] }),
  class: z
    .union([z.enum(ignorable), z.array(z.enum(ignorable)).min(1)])
    .optional()
    .describe("Kinds of findings. Default: all but deleted, which cannot be ignored."),
  reason: text.describe("Why it is ignored."),
  expires: z.iso
    .date("must be a day, such as 2026-12-31")
    .optional()
    .describe("The last day (UTC) on which it is ignored.")
    .meta({ examples: ["2026-12-31"] }),
});

export const ignoreSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file's form: always 1."),
    ignore: z.array(entrySchema).describe("What is ignored."),
  })
  .meta({ title: "Ignored drift", description: "Findings of `workspacectl drift` that are not told." });

/** One entry, and where it is written. */
export interface IgnoreEntry extends z.infer<typeof entrySchema> {
  readonly place: Place;
}

/**
 * The entries of the ignore file: the named one, or that beside the workspace file if there is one.
 * @throws {WorkspaceFileError} with all that is wrong in it, {CliError} when a named file is not there
 */
export function readIgnoreFile(named: string | undefined, workspaceFile: string): IgnoreEntry[] {
  const file = named ?? beside(workspaceFile, IGNORE_FILE);
  if (!existsSync(file)) {
    if (named === undefined) return [];
    throw new CliError(`there is no ignore file ${file}: name another with --ignore, or leave it out`);
  }
  return parseIgnoreFile(file, readFileSync(file, "utf8"));
}

export function parseIgnoreFile(file: string, source: string): IgnoreEntry[] {
  const { data, tree } = parseFile(ignoreSchema, file, source, refused);
  return data.ignore.map((entry, index) => ({
    ...entry,
    place: placeOf(positionAt(tree, ["ignore", index])),
  }));
}

/** What the entries take out of the findings, and which of them do nothing any more. */
export function applyIgnores(
  findings: readonly Finding[],
  entries: readonly IgnoreEntry[],
  { today, complete }: { readonly today: string; readonly complete: boolean },
): { findings: Finding[]; ignored: Ignored[]; warnings: Warning[] } {
  const rules = entries.map((entry) => ({
    entry,
    expired: isExpired(entry, today),
    fits: matcher(entry),
    used: false,
  }));
  const [left, ignored]: [Finding[], Ignored[]] = [[], []];
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
    if (expired)
      return [
        {
          code: "ignore-expired",
          place,
          message: `${what} expired on ${String(expires)} (${reason}): renew it, or take it out`,
        },
      ];
    // What could not be read may be what it is for.
    if (used || !complete) return [];
    return [
      {
        code: "ignore-unused",
        place,
        message: `${what} fits nothing that was found (${reason}): take it out`,
      },
    ];
  });
  return { findings: left, ignored, warnings };
}

function matcher(entry: IgnoreEntry): (finding: Finding) => boolean {
  const classes: readonly string[] = entry.class === undefined ? ignorable : [entry.class].flat();
  const object = glob(entry.object);
  // A property's path has no slashes: there, ** and * are the same.
  const path = entry.path === undefined ? () => true : glob(entry.path);
  return (finding) => classes.includes(finding.class) && object(finding.name) && path(finding.path);
}

/** Only * and ** have a meaning: names may hold brackets, braces and parentheses. */
function glob(pattern: string): (name: string) => boolean {
  const literal = pattern.replace(/[[\]{}()!?+@\\^$|.]/g, "\\$&");
  return picomatch(literal, { dot: true, nobrace: true, noextglob: true, nonegate: true });
}

function isExpired({ expires }: IgnoreEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

function refused(tree: Tree, path: PropertyPath): string {
  if (!path.includes("class")) return "";
  const written = JSON.stringify(valueOf(tree));
  return written.includes('"deleted"') ? ". That something was deleted cannot be ignored" : "";
}
