/** The workspace file as the target's stack sees it, while its overlay is written. Nothing reaches the disk here. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { MapTree, Location, Position } from "../../../workspace-file/index.js";
import { formatYaml } from "../../../workspace-file/format/index.js";
import { definitions } from "../../../provider/index.js";
import { OverlayText } from "../../../workspace-file/edit/index.js";
import { readDeclarations, readDocument, type LoadOptions } from "../../../workspace-file/load/index.js";
import { declarationsOf, type ToDeclarationsResult } from "../../../workspace-file/load/to-declarations.js";
import { filesOf, isFolder, overlayOf, STDIN } from "../../../workspace-file/load/files.js";
import { CliError } from "../../errors.js";

export interface TargetOptions {
  readonly file: string;
  readonly stack: string;
  readonly overlay?: readonly string[] | undefined;
  readonly allowPath?: readonly string[] | undefined;
}

/** A document, with placeholders for the environment and the configuration made up. */
export interface View {
  readonly tree: MapTree;
  readonly declared: ToDeclarationsResult;
}

export class Target {
  /** The overlay that is written. */
  readonly overlayFile: string;
  /** What it holds now; undefined when it is not there. */
  readonly before: string | undefined;
  readonly overlay: OverlayText;

  /** @param exported the text of the workspace file when it is not on the disk yet */
  constructor(
    readonly options: TargetOptions,
    readonly exported: string | undefined,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.overlayFile = overlayFor(options);
    this.before = existsSync(this.overlayFile) ? readFileSync(this.overlayFile, "utf8") : undefined;
    this.overlay = new OverlayText(this.before);
  }

  /** The document without the stack's overlay: what both sides have in common. */
  base(): View {
    const { file, overlay, allowPath } = this.options;
    return this.view(file, { overlays: overlay, allowPaths: allowPath });
  }

  /** The document with the overlay as far as it is written. */
  now(): View {
    return this.view(this.options.file, this.reading);
  }

  /** What it takes to read the document with the overlay as it is to become. */
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

  /** The overlay as it is to become. One that is new has the form that `fmt` gives. */
  get after(): string {
    const { text } = this.overlay;
    if (this.before !== undefined) return text;
    const formatted = formatYaml(this.overlayFile, text, definitions);
    return "text" in formatted ? formatted.text : text;
  }

  /** Does an overlay say it, and not the file that both sides have? */
  isOwn(at: Pick<Location, "file"> | Position): boolean {
    const file = "source" in at ? at.source.file : at.file;
    const { overlay = [], file: main } = this.options;
    const own = isFolder(main) ? filesOf(main).map((one) => overlayOf(one, this.options.stack)) : [];
    return [this.overlayFile, ...overlay, ...own].includes(file);
  }

  /** @throws {WorkspaceFileError} with all that is wrong with the document as it is to become */
  requireValid(): void {
    readDeclarations(this.options.file, { ...this.reading, env: this.env, mock: true });
  }

  private view(file: string, options: LoadOptions): View {
    const reading = { texts: this.texts, ...options, env: this.env, mock: true };
    const { tree, problems } = readDocument(file, reading);
    if (tree === undefined || problems.length > 0) readDeclarations(file, reading);
    if (tree === undefined) throw new TypeError("a document without a problem has a tree");
    return { tree, declared: declarationsOf(tree) };
  }
}

/** The overlay of a stack: of a folder, the one that is there, else that of its main file. */
function overlayFor({ file, stack }: TargetOptions): string {
  if (file === STDIN)
    throw new CliError(
      "an overlay stands beside its workspace file: name that with -f, standard input has none",
    );
  const files = isFolder(file) ? filesOf(file) : [file];
  const there = files.map((one) => overlayOf(one, stack)).find((one) => one !== undefined);
  if (there !== undefined) return there;
  const main = files.find((one) => basename(one).startsWith("workspace.")) ?? files[0] ?? file;
  const stem = basename(main, extname(main));
  return join(dirname(main), `${stem}.${stack.split("/").at(-1) ?? stack}.yaml`);
}
