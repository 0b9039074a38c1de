/** The Prettier settings for an exported program: those of its folder, if they are data. Prettier would also load modules and plugins. */
import { basename, extname } from "node:path";
import type * as Prettier from "prettier";
import { parse } from "yaml";
import { readText } from "../../../../trust/files.js";
import { isRecord } from "../../../../diff/structural-diff.js";

/** Returns the settings for a file; none when a module or a plugin determines them. */
export async function formatSettings(
  prettier: typeof Prettier,
  filepath: string,
): Promise<Prettier.Options | null> {
  const config = await prettier.resolveConfigFile(filepath);
  if (config !== null && !isData(config)) return null;
  const settings = await prettier.resolveConfig(filepath, { editorconfig: true, useCache: false });
  return settings === null ? null : { ...settings, plugins: [] };
}

/** Whether a file of settings contains all of them: a text would name a module that does. */
function isData(file: string): boolean {
  if (!["", ".json", ".yaml", ".yml"].includes(extname(file))) return false;
  const content: unknown = parse(readText(file), { logLevel: "error" });
  return isRecord(content) && (basename(file).startsWith("package.") ? isRecord(content["prettier"]) : true);
}
