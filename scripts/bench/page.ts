/** The files of a benchmark: the page that it writes, and the results that several runs collect. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";

export async function writePage(file: string, text: string): Promise<void> {
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

/** Returns the results of earlier runs, if there are any. */
export function readResults<Results>(file: string | undefined): Results | undefined {
  return file !== undefined && existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Results)
    : undefined;
}
