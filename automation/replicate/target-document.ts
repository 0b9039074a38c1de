/** The workspace file with the overlay of the target's stack, which is edited in memory. */
import { basename, dirname, extname, join, resolve } from "node:path";
import { definitions } from "../../provider/index.js";
import { readTextIfPresent } from "../../trust/checkout-files.js";
import { OverlayText } from "../../workspace-file/edit/edit.js";
import { formatYaml } from "../../workspace-file/format/format.js";
import type { Location, MapTree, Position } from "../../workspace-file/index.js";
import { findOverlay, getShortName, isFolder, listFilesOf, STDIN } from "../../workspace-file/load/files.js";
import { type LoadOptions, readDeclarations, readDocument } from "../../workspace-file/load/load.js";
import { toDeclarations, type ToDeclarationsResult } from "../../workspace-file/load/to-declarations.js";
import { AutomationError } from "../errors.js";
import type { DocumentOptions } from "../next-command.js";

type TargetOptions = Pick<DocumentOptions, "file" | "overlay" | "allowPath"> & { readonly stack: string };

/** A document, with mock values for placeholders. */
export interface View {
  readonly tree: MapTree;
  readonly declared: ToDeclarationsResult;
}

export class ReplicationTarget {
  /** The path of the overlay. */
  readonly overlayFile: string;
  /** The current text; undefined when the file does not exist. */
  readonly before: string | undefined;
  readonly overlay: OverlayText;

  /** @param exported the text of a workspace file that is not written yet */
  constructor(
    readonly options: TargetOptions,
    readonly exported: string | undefined,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.overlayFile = locateOverlay(options);
    this.before = readTextIfPresent(this.overlayFile);
    this.overlay = new OverlayText(this.before);
  }

  /** Reads the document without the overlay of the stack: the common part. */
  base(): View {
    const { file, overlay, allowPath } = this.options;
    return this.view(file, { overlays: overlay, allowPaths: allowPath });
  }

  /** Reads the document with the current overlay. */
  now(): View {
    return this.view(this.options.file, this.reading);
  }

  /** Options for reading the document with the new overlay. */
  get reading(): LoadOptions {
    const { stack, overlay, allowPath } = this.options;
    return { stack, overlays: overlay, allowPaths: allowPath, texts: this.texts };
  }

  /** Texts that are not on the disk, by absolute path. */
  get texts(): ReadonlyMap<string, string> {
    const { file } = this.options;
    return new Map([
      ...(this.exported === undefined ? [] : [[resolve(file), this.exported] as const]),
      [resolve(this.overlayFile), this.after],
    ]);
  }

  /** The new text of the overlay. A new overlay is formatted as by `fmt`. */
  get after(): string {
    const { text } = this.overlay;
    if (this.before !== undefined) return text;
    const formatted = formatYaml(this.overlayFile, text, definitions);
    return "text" in formatted ? formatted.text : text;
  }

  /** Whether a position is in an overlay rather than in the common file. */
  isOwn(at: Pick<Location, "file"> | Position): boolean {
    const file = "source" in at ? at.source.file : at.file;
    const { overlay = [], file: main } = this.options;
    const own = isFolder(main) ? listFilesOf(main).map((one) => findOverlay(one, this.options.stack)) : [];
    return [this.overlayFile, ...overlay, ...own].includes(file);
  }

  /** @throws {WorkspaceFileError} with all problems of the document with the new overlay */
  requireValid(): void {
    readDeclarations(this.options.file, { ...this.reading, env: this.env, mock: true });
  }

  private view(file: string, options: LoadOptions): View {
    const reading = { texts: this.texts, ...options, env: this.env, mock: true };
    const { tree, problems } = readDocument(file, reading);
    if (tree === undefined || problems.length > 0) readDeclarations(file, reading);
    if (tree === undefined) throw new TypeError("a document without a problem has a tree");
    return { tree, declared: toDeclarations(tree) };
  }
}

/** Chooses the overlay of a stack: for a folder, the existing one, else that of its main file. */
function locateOverlay({ file, stack }: TargetOptions): string {
  if (file === STDIN)
    throw new AutomationError(
      "standard input has no folder, and the overlay that this command writes must be next to its workspace file",
      "pass the path of the workspace file with -f",
    );
  const files = isFolder(file) ? listFilesOf(file) : [file];
  const there = files.map((one) => findOverlay(one, stack)).find((one) => one !== undefined);
  if (there !== undefined) return there;
  const main = files.find((one) => basename(one).startsWith("workspace.")) ?? files[0] ?? file;
  const stem = basename(main, extname(main));
  return join(dirname(main), `${stem}.${getShortName(stack)}.yaml`);
}
