/** Texts in the form that Prettier gives them, with the settings of the folder that they go to. */
import { join } from "node:path";
import type * as Prettier from "prettier";
import type { Pieces } from "./source.js";

/** @param folder where the files go */
export async function formatted(
  files: ReadonlyMap<string, Pieces>,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const prettier = await import("prettier");
  const texts: [string, string][] = [];
  for (const [file, pieces] of files) {
    const format = await formatterOf(prettier, join(folder, file));
    const parts: string[] = [];
    for (const piece of pieces) parts.push(await format(piece));
    texts.push([file, parts.join("\n")]);
  }
  return new Map(texts);
}

async function formatterOf(
  prettier: typeof Prettier,
  filepath: string,
): Promise<(text: string) => string | Promise<string>> {
  const { inferredParser } = await prettier.getFileInfo(filepath);
  if (inferredParser === null) return (text) => text;
  const settings = await prettier.resolveConfig(filepath, { editorconfig: true, useCache: false });
  // Of the two parsers that it has for TypeScript, the smaller one.
  const parser = inferredParser === "typescript" ? "babel-ts" : inferredParser;
  return (text) => prettier.format(text, { ...settings, parser, filepath });
}
