/** Finds a Pulumi program of the user, which replaces a workspace file. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { readVersion } from "../../toolchain/locations.js";
import { readText } from "../../trust/checkout-files.js";
import type { FileFacts } from "../connection/file-facts.js";
import { AutomationError } from "../errors.js";
import type { StackWords } from "../next-command.js";
import { findProject, type PulumiProjectFolder } from "./project.js";

const PACKAGE = "pulumi-workspace-automation";

export interface Program {
  readonly project: PulumiProjectFolder;
  /** Facts that a workspace file would contain. Nothing is known about a program before it runs. */
  readonly facts: FileFacts;
}

/**
 * Returns the program in a folder.
 * @param isRun the command runs it, so that both have to use the same release of the package
 * @throws {AutomationError} when there is none, or when it uses another release of the package, whose definitions may differ
 */
export function findProgramIn(folder: string, isRun: boolean = true): Program {
  const project = findProject(getProjectFile(resolve(folder)));
  if (project.own || project.root !== resolve(folder))
    throw new AutomationError(
      `${folder} is not the folder of a Pulumi program, because it has no Pulumi.yaml`,
      "correct the path after --program",
    );
  const installed = isRun ? findInstalledIn(project.root) : undefined;
  if (installed !== undefined && installed !== readVersion())
    throw new AutomationError(
      `the program in ${folder} uses ${PACKAGE} ${installed}, but this workspacectl is of release ${readVersion()}`,
      'run the workspacectl of the program ("npx --no-install workspacectl" there), or install this release there',
    );
  return {
    project,
    facts: {
      file: getProjectFile(folder),
      workspace: undefined,
      connection: undefined,
      engine: undefined,
      guards: () => ({}),
      owns: () => undefined,
      types: new Set(),
    },
  };
}

/** The file that stands for a program where a workspace file would be named. */
export const getProjectFile = (folder: string): string => join(folder, "Pulumi.yaml");

/** The workspace file of a command, or the file that stands for its program. */
export function getNamedFile({ file, program }: Pick<StackWords, "file" | "program">): string {
  return program === undefined ? file : getProjectFile(program);
}

/** Returns the release that the program itself would load. */
function findInstalledIn(root: string): string | undefined {
  const require = createRequire(join(root, "/"));
  try {
    return (require(`${PACKAGE}/package.json`) as { version?: string }).version;
  } catch {
    return undefined;
  }
}

/** Pulumi's commands that run the program of the folder. */
const RUNNING = new Set(["preview", "up", "update", "refresh", "destroy", "watch"]);
/** Files with which a program begins, in each language of Pulumi. */
const ENTRIES =
  /^(?:index\.[cm]?[jt]s|__main__\.py|main\.go|pom\.xml|build\.gradle(?:\.kts)?|.+\.(?:cs|fs)proj)$/;

/** Whether a command of Pulumi runs a program: the folder of a workspace file may have a Pulumi.yaml without one. */
export function runsProgram(args: readonly string[], { own, root }: PulumiProjectFolder): boolean {
  if (own || !args.some((arg) => RUNNING.has(arg))) return false;
  const names = readdirSync(root);
  const settings = names.filter((name) => /^Pulumi\.(?:ya?ml|json)$/.test(name));
  const says = settings.some((name) => /^"?main"?:|\byaml\b/m.test(readText(join(root, name))));
  return says || names.some((name) => ENTRIES.test(name));
}
