/** Finds a Pulumi program of the user, which replaces a workspace file. */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { CliError } from "../../errors.js";
import type { FileFacts } from "../../connection/file-facts.js";
import type { StackWords } from "../../options/document.js";
import { readVersion } from "../../toolchain/locations.js";
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
 * @throws {CliError} when there is none, or when it uses another release of the package, whose definitions may differ
 */
export function findProgramIn(folder: string, isRun: boolean = true): Program {
  const project = findProject(getProjectFile(resolve(folder)));
  if (project.own || project.root !== resolve(folder))
    throw new CliError(
      `there is no Pulumi.yaml in ${folder}`,
      "pass the folder of a Pulumi program with --program",
    );
  const installed = isRun ? findInstalledIn(project.root) : undefined;
  if (installed !== undefined && installed !== readVersion())
    throw new CliError(
      `the program in ${folder} uses ${PACKAGE} ${installed}, and this is ${readVersion()}`,
      'run the workspacectl of the program ("npx workspacectl" there), or install this release there',
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
