/** Reads a workspace file with its includes and overlays into one tree. */
import { dirname, join, relative, resolve, sep } from "node:path";
import type { FileRules } from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import { type Environment, parseAllowed } from "../../trust/variables.js";
import { compose, dropRepeated } from "../compose/compose.js";
import { type ConfigValue, fillPlaceholders } from "../compose/placeholders.js";
import { listDocumentKeys } from "../compose/shape.js";
import { listEngineWords } from "../compose/stack-placeholder.js";
import { findCostlyPattern } from "../document/costly-pattern.js";
import { createDiagnostic, type Diagnostic } from "../syntax/diagnostics.js";
import { parseYaml } from "../syntax/parse.js";
import { type Position, Source } from "../syntax/source.js";
import { buildTree, findLeafValue, type MapTree, type Tree } from "../syntax/tree.js";
import {
  describeUnreadable,
  findOverlay,
  isFolder,
  listFilesOf,
  Reach,
  readDocumentText,
  readStdin,
  STDIN,
  UnreadableFile,
} from "./files.js";
import { isModule, readModule } from "./module.js";

export interface LoadOptions {
  readonly env?: Environment;
  /**
   * Names of environment variables that placeholders may read besides WORKSPACE_VAR_ variables; `*` stands for any text. The variables
   * of `${secret:env:NAME}`, which the provider reads, are allowed by WORKSPACE_AUTOMATION_ALLOW_ENV in its environment.
   */
  readonly allowEnv?: readonly string[] | undefined;
  /** Returns a value of the stack's configuration by key. */
  readonly config?: (key: string) => ConfigValue | undefined;
  /** Stack whose overlay (`workspace.eu.yaml`) is applied. */
  readonly stack?: string | undefined;
  /** Further overlays, in the order in which they are applied. */
  readonly overlays?: readonly string[] | undefined;
  /** Refuses modules, whose code would run: what is read is data. */
  readonly dataOnly?: boolean | undefined;
  /** Folders besides the file's own that it may read. */
  readonly allowPaths?: readonly string[] | undefined;
  /** Uses mock values for environment and configuration, or for the configuration only. */
  readonly mock?: boolean | "config" | undefined;
  /** Whether a value of the stack's configuration is secret, where a mock value stands for it. */
  readonly secretConfig?: ((key: string) => boolean) | undefined;
  /** Accepts missing secrets (`${secret:env:NAME}`), because the provider reads them when it needs them. */
  readonly secretsLater?: boolean | undefined;
  /** Folder from which the provider reads the files of secrets. Default: the folder of the workspace file. */
  readonly secretFolder?: string | undefined;
  /** Texts that replace the contents of files, by absolute path, to try a change before it is written. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** Files that were read before, which are not read again, so that concurrent changes have no effect. */
  readonly once?: ReadOnce | undefined;
  /** Returns the text of standard input, for `-`. */
  readonly stdin?: () => string;
}

/** Composed document. */
export interface ReadDocument {
  /** Document with its placeholders replaced. Undefined when there is no document. */
  readonly tree: MapTree | undefined;
  /** All problems, including those of placeholders. */
  readonly problems: readonly Diagnostic[];
  /** Sources that were read, by file. */
  readonly sources: ReadonlyMap<string, Source>;
  /** Overlays among them, in order. */
  readonly overlayFiles: readonly string[];
  /** The files whose texts are values (`${file:path}`), by absolute path. */
  readonly valueFiles: readonly string[];
  /** Reads the file of a reference to a secret. Throws a `TrustError` for a file that the document may not read. */
  readonly secretFile: (path: string) => string | undefined;
}

/** Files of a run, which are read and composed once, however often their placeholders are replaced. */
export class ReadOnce {
  private files: Files | undefined;

  /** @param read reads the files the first time */
  get(read: () => Files): Files {
    return (this.files ??= read());
  }
}

interface Files {
  readonly reader: Reader;
  /** Undefined when there is no document. */
  readonly composed: ReturnType<typeof compose> | undefined;
}

function readFiles(name: string, options: LoadOptions): Files {
  const reader = new Reader(name, options);
  const documents = reader.documents();
  const overlays = reader.overlays();
  return { reader, composed: reader.failed ? undefined : compose(documents, overlays) };
}

/**
 * Reads a workspace file, a folder of files, or standard input.
 * @param name name given by the user, for messages
 */
export function readDocument(name: string, options: LoadOptions = {}): ReadDocument {
  const read = () => readFiles(name, options);
  const { reader, composed } = options.once?.get(read) ?? read();
  const { reach, sources, overlayFiles } = reader;
  const secretFolder = options.secretFolder ?? reader.folder;
  const secretFile = (path: string) => readTextIn(reach, path, secretFolder);
  const shared = { sources, overlayFiles, secretFile };
  if (composed === undefined)
    return { tree: undefined, problems: reader.problems, valueFiles: reach.valueFiles, ...shared };
  const { tree, problems } = fillPlaceholders(composed.tree, {
    env: parseAllowed(options.allowEnv ?? [], options.env ?? process.env),
    config: options.config ?? (() => undefined),
    secretConfig: options.secretConfig ?? (() => false),
    readFile: (path, from) => reach.textBeside(path, from.file),
    secretsLater: options.secretsLater === true,
    pathTo: (path, { file }) => relative(secretFolder, resolve(dirname(file), path)).replaceAll(sep, "/"),
    mock: { env: options.mock === true, config: options.mock === true || options.mock === "config" },
  });
  const all = dropRepeated([...reader.problems, ...composed.problems, ...problems, ...listEngineWords(tree)]);
  return { tree: tree as MapTree, problems: all, valueFiles: reach.valueFiles, ...shared };
}

/** Reads a file of a folder; undefined if it cannot be read. */
function readTextIn(reach: Reach, path: string, folder: string): string | undefined {
  try {
    return reach.textBeside(path, join(folder, "-"));
  } catch (error) {
    if (error instanceof TrustError) throw error;
    return undefined;
  }
}

/** The codes of the problems of keys that only some files may have. */
const refusedAs = { include: "include", stack: "conflict" } as const;

class Reader {
  readonly problems: Diagnostic[] = [];
  readonly sources = new Map<string, Source>();
  readonly reach: Reach;
  /** Whether a file could not be read as a document, so that further problems would mislead. */
  failed = false;
  private readonly files: readonly string[];
  readonly overlayFiles: readonly string[];
  /** Files that the caller has named. */
  private readonly named: ReadonlySet<string>;
  readonly folder: string;

  constructor(
    name: string,
    private readonly options: LoadOptions,
  ) {
    const { stack, overlays = [], allowPaths: allowed = [], texts } = options;
    const named: FileRules = { named: true, allowed };
    this.files = this.attempt(name, () => (isFolder(name) ? listFilesOf(name, named) : [name])) ?? [];
    const own =
      stack === undefined || name === STDIN ? [] : this.files.map((file) => findOverlay(file, stack, texts));
    this.overlayFiles = [...own.filter((file) => file !== undefined), ...overlays];
    this.named = new Set([name, ...overlays]);
    this.folder = isFolder(name) ? name : dirname(name);
    const folders = [this.folder, ...overlays.map((file) => dirname(file))];
    this.reach =
      this.attempt(name, () => new Reach(folders, allowed, options.texts)) ??
      new Reach([], [], options.texts);
  }

  documents(): MapTree[] {
    const visited = new Set<string>();
    return this.files.flatMap((file) => this.withIncluded(file, visited, () => this.found(file)));
  }

  overlays(): MapTree[] {
    return this.overlayFiles.flatMap((file) => {
      const tree = this.document(file, () => this.found(file));
      this.refuse(
        tree,
        "include",
        "an overlay cannot include files: remove include, and pass several overlays with --overlay",
      );
      this.refuse(
        tree,
        "stack",
        "an overlay cannot set the stack: remove this line, or move it to the workspace file",
      );
      return tree ?? [];
    });
  }

  /** Reads a file and its includes, each file once. */
  private withIncluded(file: string, visited: Set<string>, textOf: () => string): MapTree[] {
    const known = resolve(file);
    if (visited.has(known)) return [];
    visited.add(known);
    const tree = this.document(file, textOf);
    if (tree === undefined) return [];
    if (!this.files.includes(file))
      this.refuse(
        tree,
        "stack",
        "an included file cannot set the stack: remove this line, or move it to the workspace file",
      );
    const further = this.includedBy(tree, file).flatMap((path) =>
      this.withIncluded(path, visited, () => this.reach.readIncluded(path)),
    );
    return [tree, ...further];
  }

  private refuse(tree: MapTree | undefined, key: keyof typeof refusedAs, message: string): void {
    const found = tree?.entries.get(key);
    if (found) this.add(found.key, refusedAs[key], message);
  }

  private includedBy(tree: MapTree, file: string): string[] {
    const include = tree.entries.get("include");
    if (include === undefined || findLeafValue(include.value) === null) return [];
    const patterns = include.value.kind === "list" ? include.value.items : [include.value];
    return patterns.flatMap((pattern) => {
      const text = findLeafValue(pattern);
      if (typeof text !== "string" || text === "") {
        this.add(
          pattern.at,
          "include",
          '"include" must be a list of paths of files, relative to this one, such as include: [teams/*.yaml]',
        );
        return [];
      }
      const costly = findCostlyPattern(text);
      if (costly !== undefined) {
        this.add(pattern.at, "include", `${text} ${costly}`);
        return [];
      }
      const found = this.includedFiles(text, file, pattern.at);
      if (found === undefined) return [];
      const files = found.filter((path) => resolve(path) !== resolve(file));
      if (files.length === 0 && found.length > 0)
        this.add(
          pattern.at,
          "include",
          `${text} is this file itself, which cannot include itself: remove the line`,
        );
      else if (files.length === 0)
        this.add(
          pattern.at,
          "include",
          `no file matches ${text}, seen from the folder of this file: correct the path`,
        );
      return files.filter((path) => {
        if (isModule(path) && !isModule(file)) {
          const message = `${text} is a program, and only YAML or JSON can be included: include such a file, or pass the program itself with -f`;
          this.add(pattern.at, "include", message);
          return false;
        }
        return true;
      });
    });
  }

  private includedFiles(pattern: string, file: string, at: Position): string[] | undefined {
    try {
      return this.reach.included(pattern, file);
    } catch (error) {
      if (!(error instanceof TrustError)) throw error;
      this.add(at, "include", error.message);
      return undefined;
    }
  }

  /** Reads a file that the caller has named, or that was found next to it. */
  private found(file: string): string {
    return readDocumentText(file, { named: this.named.has(file), allowed: this.options.allowPaths });
  }

  private document(file: string, textOf: () => string): MapTree | undefined {
    const tree = this.attempt(file, () => this.read(file, textOf));
    if (tree === undefined || tree.kind === "map") return tree;
    this.failed = true;
    const message = 'a workspace file must be a map that begins with `version: 1`: see "workspacectl init"';
    this.add(tree.at, "wrong-type", message);
    return undefined;
  }

  private read(file: string, textOf: () => string): Tree | undefined {
    if (isModule(file)) {
      if (this.options.dataOnly)
        throw new UnreadableFile("is a program, and only YAML or JSON is read here: pass such a file");
      // Whether it may be read is decided before it runs.
      textOf();
      const source = new Source(file, "");
      this.sources.set(file, source);
      return buildTree(readModule(file), source);
    }
    const text =
      file === STDIN
        ? (this.options.stdin ?? readStdin)()
        : (this.options.texts?.get(resolve(file)) ?? textOf());
    const shown = file === STDIN ? "<stdin>" : file;
    const { source, tree, problems } = parseYaml(shown, text, listDocumentKeys());
    this.sources.set(shown, source);
    this.problems.push(...problems);
    if (problems.length > 0) this.failed = true;
    return tree;
  }

  private attempt<T>(file: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.failed = true;
      const { place, message } = describeUnreadable(file, error);
      this.problems.push({ place, code: "unreadable", message });
      return undefined;
    }
  }

  private add(at: Position, code: Diagnostic["code"], message: string): void {
    this.problems.push(createDiagnostic(at, { code, message }));
  }
}
