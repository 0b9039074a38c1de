/** Loads documents for tests, without files on disk. */
import {
  type LoadedFile,
  type LoadOptions,
  readDeclarations,
  WorkspaceFileError,
} from "../../../workspace-file/load/load.js";

const FILE = "/nowhere/workspace.yaml";

export function loaded(text: string, options: LoadOptions = {}): LoadedFile {
  return readDeclarations(FILE, { env: {}, ...options, texts: new Map([[FILE, `version: 1\n${text}`]]) });
}

/** The problems of a document as `line:column: message`, where its text begins on the second line. */
export function problemsOf(text: string, options: LoadOptions = {}): string[] {
  try {
    loaded(text, options);
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    return error.problems.map(({ place, message }) => `${place.line}:${place.column}: ${message}`);
  }
  return [];
}

export const namesOf = ({ declarations }: LoadedFile) => declarations.map(({ name }) => name);

export function declared(file: LoadedFile, name: string) {
  const found = file.declarations.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not among ${namesOf(file).join(", ")}`);
  return found;
}
