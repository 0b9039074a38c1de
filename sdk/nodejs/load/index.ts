/** Reading a workspace file without Pulumi: what it declares, or all that is wrong with it. */
import { declarationsOf, type Declared } from "./declarations.js";
import { WorkspaceFileError } from "./errors.js";
import { readWorkspaceFile, type ReadOptions } from "./read.js";

export type { Declaration } from "./declaration.js";
export type { Declared } from "./declarations.js";
export { Ref } from "./names.js";
export { WorkspaceFileError } from "./errors.js";
export type { ReadOptions } from "./read.js";

/**
 * What a workspace file declares.
 * @throws {WorkspaceFileError} with all problems of the file
 */
export function readDeclarations(file: string, options: ReadOptions = {}): Declared {
  const { yaml, value } = readWorkspaceFile(file, options);
  const declared = declarationsOf(value);
  if (declared.problems.length === 0) return declared;
  const placed = declared.problems.map(({ path, message, atKey }) => ({
    place: yaml.placeOf(path, atKey),
    message,
  }));
  throw new WorkspaceFileError(file, placed, yaml.text);
}

/** What to do when the file names another connection than the run has. */
export function credentialsHint(file: string, wanted: string, configured: string | undefined): string {
  const has = configured === undefined ? "the stack names none" : `the stack's is "${configured}"`;
  return (
    `${file} says "connection: ${wanted}", but ${has}: run "pulumi config set workspace-automation:connection ${wanted}", ` +
    `or take the line out of the file`
  );
}
