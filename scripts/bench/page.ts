/** The files of a benchmark: its part of a page, and the results that several runs collect. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { replaceSection } from "../section.js";

/** @param bench the name of the benchmark, as the mark in the page says it */
export async function writeSection(page: string, bench: string, part: string): Promise<void> {
  const text = replaceSection(page, `\`npm run ${bench}\``, part);
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** Returns the results of earlier runs, if there are any. */
export function readResults<Results>(file: string | undefined): Results | undefined {
  return file !== undefined && existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Results)
    : undefined;
}

export function renderTable(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
