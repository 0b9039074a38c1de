/** What a check of a workspace file found, as every form of output takes it. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Location } from "../../workspace-file/index.js";

export type Severity = "error" | "warning" | "info";

export interface Reported {
  /** What kind of problem it is; a code never changes its meaning. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly place: Location;
}

/** What there is to say of a code, once. */
export interface RuleFacts {
  readonly description: string;
  readonly remedy?: string;
  readonly severity: Severity;
}

export interface ProblemReport {
  /** The file as the user named it. */
  readonly file: string;
  /** Sorted by file and place. */
  readonly problems: readonly Reported[];
  readonly rules: Readonly<Record<string, RuleFacts>>;
  /** More that a program may want to know; part of the JSON. */
  readonly facts?: object;
  readonly textOf: (file: string) => string | undefined;
}

/** Where a repository begins, for programs that want paths from there. */
export interface Root {
  readonly folder: string;
}

/** The checkout that a CI job works in, else the working directory. */
export function rootOf(env: NodeJS.ProcessEnv): Root {
  return { folder: env["GITHUB_WORKSPACE"] || process.cwd() };
}

/** A path from the root, with slashes; one outside of it stays absolute, and what is no file keeps its name. */
export function pathFromRoot(file: string, { folder }: Root): string {
  if (file.startsWith("<")) return file;
  const absolute = resolve(file);
  const path = relative(folder, absolute);
  const outside = path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return (outside ? absolute : path).split(sep).join("/");
}

export function counts(problems: readonly Reported[]): Record<Severity, number> {
  const of = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  return { error: of("error"), warning: of("warning"), info: of("info") };
}
