/** Problems in a workspace file, as input for all formats. */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { formatCount } from "../diff/format-count.js";
import { findCheckoutRoot, isInside, resolveRealPath } from "../trust/checkout.js";
import type { LintFinding, LintRuleFacts, LintSeverity } from "../workspace-file/lint/lint.js";

/** Describes a code. */
export type RuleFacts = Pick<LintRuleFacts, "description" | "severity"> &
  Partial<Pick<LintRuleFacts, "remedy">>;

export interface ProblemReport {
  /** The file as the user named it. */
  readonly file: string;
  /** Sorted by file and location. */
  readonly problems: readonly LintFinding[];
  readonly rules: Readonly<Record<string, RuleFacts>>;
  /** Additional information for programs, as part of the JSON. */
  readonly facts?: object;
  readonly textOf: (file: string) => string | undefined;
}

/** The folder of a CI job, for programs that expect paths relative to a repository. */
export interface Root {
  readonly folder: string;
}

/** Returns the folder of a CI job, else the working directory. */
export function findRoot(env: NodeJS.ProcessEnv): Root {
  return { folder: env["GITHUB_WORKSPACE"] || process.cwd() };
}

/**
 * Returns the path from the root of the repository, with slashes. A job may check out several repositories, each in a folder of its
 * own. A path outside remains absolute, and so does a name such as <stdin>.
 */
export function relateToRoot(file: string, { folder }: Root): string {
  if (file.startsWith("<")) return file;
  const absolute = resolve(file);
  const path = relative(
    findRepository(folder, absolute),
    join(resolveRealPath(dirname(absolute)), basename(absolute)),
  );
  const outside = path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return (outside ? absolute : path).split(sep).join("/");
}

function findRepository(folder: string, file: string): string {
  const root = findCheckoutRoot(dirname(file));
  return existsSync(join(root, ".git")) && isInside(folder, root) ? root : resolveRealPath(folder);
}

export function counts(problems: readonly LintFinding[]): Record<LintSeverity, number> {
  const of = (severity: LintSeverity) => problems.filter((problem) => problem.severity === severity).length;
  return { error: of("error"), warning: of("warning"), info: of("info") };
}

/** `1 error, 2 warnings`, or "no problems". */
export function tally(found: Readonly<Record<LintSeverity, number>>): string {
  const words = { error: "error", warning: "warning", info: "note" };
  const parts = (["error", "warning", "info"] as const)
    .filter((severity) => found[severity] > 0)
    .map((severity) => formatCount(found[severity], words[severity]));
  return parts.join(", ") || "no problems";
}
