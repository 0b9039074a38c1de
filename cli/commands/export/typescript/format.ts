/** Formats texts with Prettier and the settings of the target folder. */
import { join } from "node:path";
import type * as Prettier from "prettier";
import type { Pieces } from "./source.js";

/** @param folder the target folder */
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
  // The smaller of the two parsers for TypeScript.
  const parser = inferredParser === "typescript" ? "babel-ts" : inferredParser;
  return (text) => prettier.format(text, { ...settings, parser, filepath });
}
