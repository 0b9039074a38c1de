/** Texts in the form that Prettier gives them, with the settings of the folder that they go to. */
import { join } from "node:path";
import type * as Prettier from "prettier";

/** @param folder where the files go */
export async function formatted(
  files: ReadonlyMap<string, string>,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const prettier = await import("prettier");
  const texts: [string, string][] = [];
  for (const [file, text] of files) texts.push([file, await format(prettier, join(folder, file), text)]);
  return new Map(texts);
}

async function format(prettier: typeof Prettier, filepath: string, text: string): Promise<string> {
  const { inferredParser } = await prettier.getFileInfo(filepath);
  if (inferredParser === null) return text;
  const settings = await prettier.resolveConfig(filepath, { editorconfig: true, useCache: false });
  return prettier.format(text, { ...settings, filepath });
}
