/** Provides workspace files in a temporary folder, their declarations and their diagnostics. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type LoadedFile,
  type LoadOptions,
  readDeclarations,
  WorkspaceFileError,
} from "../../workspace-file/load/load.js";

export class Files {
  readonly folder = mkdtempSync(join(tmpdir(), "documents-"));

  /** Writes files; YAML files start with `version: 1` unless they contain a version. */
  write(texts: Record<string, string>): void {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      const head = /\.ya?ml$/.test(name) && !text.startsWith("version") ? "version: 1\n" : "";
      writeFileSync(join(this.folder, name), head + text);
    }
  }

  read(name = "workspace.yaml", options: LoadOptions = {}): LoadedFile {
    return readDeclarations(join(this.folder, name), { env: {}, ...options });
  }

  /** Returns the diagnostics, one line each: `file:line: message`. */
  wrong(name = "workspace.yaml", options: LoadOptions = {}): string[] {
    try {
      this.read(name, options);
    } catch (error) {
      if (!(error instanceof WorkspaceFileError)) throw error;
      return error.problems.map(({ place, message }) =>
        `${place.file}:${place.line}: ${message}`.replaceAll(`${this.folder}/`, ""),
      );
    }
    return [];
  }
}

export const namesOf = (declared: LoadedFile) => declared.declarations.map(({ name }) => name);

export function argsOf(declared: LoadedFile, name: string) {
  const found = declared.declarations.find((d) => d.name === name);
  if (!found) throw new Error(`${name} is not among ${namesOf(declared).join(", ")}`);
  return found.args;
}
