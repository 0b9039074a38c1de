/** Loads TypeScript and JavaScript modules, and reads a workspace document from one. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Jiti from "jiti";
import { isRecord } from "../../diff/structural-diff.js";
import { defineWorkspace } from "./define-workspace.js";

const EXTENSIONS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/** The part of this package that a module can import. Loading all of it would take a second, for one function. */
const virtualModules = { "pulumi-workspace-automation": { defineWorkspace } };

/** Error for a module that cannot be loaded, throws, or does not export by default what it should. */
export class ModuleError extends Error {
  override readonly name = "ModuleError";
  readonly code = "workspace-module";
  /** Message without the name of the file. */
  readonly reason: string;
  /** Location in the module. Default: its beginning. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number };

  constructor(file: string, reason: string, cause?: unknown) {
    super(`${file}: ${reason}`, { cause });
    this.reason = reason;
    this.place = { file, ...locateIn(file, cause) };
  }
}

/** Reports whether a file is a module, so that reading it runs it. */
export function isModule(file: string): boolean {
  return EXTENSIONS.includes(extname(file).toLowerCase());
}

/**
 * Returns the document that a module exports by default. A changed module is read again.
 * @param file path, relative to the working directory
 * @throws {ModuleError} with the reason and the remedy
 */
export function readModule(file: string): unknown {
  const { value: document, isDefault } = loadModule(file);
  if (document instanceof Promise)
    throw new ModuleError(file, "the default export is a promise: export the document itself");
  if (typeof document === "function")
    throw new ModuleError(file, "the default export is a function: export the document that it returns");
  if (isRecord(document) && (isDefault || "version" in document)) return document;
  throw new ModuleError(
    file,
    "there is no default export that is a document: write `export default defineWorkspace({ version: 1, ... })`",
  );
}

/**
 * Runs a module, and returns its default export. A CommonJS module may export the value itself.
 * @throws {ModuleError} when it cannot be loaded, or throws
 */
export function loadModule(file: string): { readonly value: unknown; readonly isDefault: boolean } {
  const path = resolve(file);
  const options = { moduleCache: false, fsCache: false, interopDefault: false, virtualModules };
  // Loaded on demand because most files are not modules.
  const { createJiti } = createRequire(import.meta.url)("jiti") as typeof Jiti;
  let loaded: unknown;
  try {
    loaded = createJiti(pathToFileURL(path).href, options)(path);
  } catch (error) {
    throw new ModuleError(file, explainFailure(error, path), error);
  }
  if (isRecord(loaded) && ("default" in loaded || "__esModule" in loaded))
    return { value: loaded["default"], isDefault: true };
  return { value: loaded, isDefault: false };
}

function explainFailure(error: unknown, path: string): string {
  if (!(error instanceof Error)) return `throws ${String(error)}`;
  const first = (error.message.split("\n")[0] ?? "").trim();
  const { code } = error as { code?: string };
  if (!existsSync(path))
    return `there is no such file (looked in ${process.cwd()}): pass the workspace file with -f FILE`;
  if (first.startsWith("ParseError")) return first.replace("ParseError:", "cannot be read:");
  if (first.includes("await is only valid")) return "has a top-level `await`, which is not supported";
  return code === "MODULE_NOT_FOUND" ? `cannot be loaded: ${first}` : `throws ${error.name}: ${first}`;
}

/** Returns the first location in the module that the message or stack of an error names. */
function locateIn(file: string, cause: unknown): { line: number; column: number } {
  const text = cause instanceof Error ? `${cause.message}\n${cause.stack ?? ""}` : "";
  const found = text
    .split(resolve(file))
    .map((rest) => /^:(\d+):(\d+)/.exec(rest))
    .find((match) => match !== null);
  return { line: Number(found?.[1] ?? 1), column: Number(found?.[2] ?? 1) };
}
