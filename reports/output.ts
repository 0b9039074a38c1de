/** Prints the results of commands as JSON, YAML, facts or a table, or writes them into files. */
import type TableConstructor from "cli-table3";
import { writeFileAtomically } from "../automation/config-files/write-file.js";
import { note } from "../automation/port.js";
import { stripControls } from "../client/printable.js";
import { formatJson, isCi, makeOneLine, makePrintable, makeVisible } from "../text/safe-text.js";
import { makeYamlPrintable } from "../text/safe-yaml.js";
import { createSilentOutput, type Io, print, printText } from "./io.js";

/** Prints a JSON document. */
export function printJson(io: Io, value: unknown): void {
  printText(io, `${formatJson(value)}\n`);
}

/** Prints a YAML document. */
export function printYaml(io: Io, text: string): void {
  printText(io, makeYamlPrintable(text, isCi(io.env)));
}

/** Names and values for people, one pair per line; pairs without a value are omitted. */
export function printFacts(io: Io, facts: Readonly<Record<string, string | null | undefined>>): void {
  const width = Math.max(...Object.keys(facts).map((name) => name.length)) + 2;
  for (const [name, value] of Object.entries(facts))
    if (value) print(io, `${io.colors.dim(name.padEnd(width))}${value}`);
}

/** Writes a result to a file, or to standard output: without a file, or to `-`. @param done the note about the file */
export function printResultTo(
  file: string | undefined,
  text: string,
  io: Io,
  done = `Written: ${file}`,
): void {
  if (file === undefined || file === "-") return printText(io, text);
  writeFileAtomically(file, text, { named: true });
  note(io, done);
}

/** Prints a table without borders. */
export async function printTable(
  io: Io,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const { default: Table } = (await import("cli-table3")) as { default: typeof TableConstructor };
  const none = ["top", "bottom", "left", "right"].flatMap((side) =>
    ["", "-mid", "-left", "-right"].map((end) => [side + end, ""]),
  );
  const between = [["mid", "left-mid", "mid-mid", "right-mid"].map((name) => [name, ""]), [["middle", "  "]]];
  const chars = Object.fromEntries([...none, ...between.flat()]) as Record<TableConstructor.CharName, string>;
  const style = { head: [], border: [], "padding-left": 0, "padding-right": 0 };
  const table = new Table({ head: head.map((name) => io.colors.dim(stripControls(name))), chars, style });
  // A line break would start another row, and unprintable characters would change the width.
  const cell = (text: string) => makeOneLine(makePrintable(makeVisible(text), { colors: true, ci: false }));
  table.push(...rows.map((row) => row.map(cell)));
  const lines = table.toString().split("\n");
  for (const line of lines) print(io, line.trimEnd());
}

/** An option of every command that shows a plan or a result. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Selects the stream for messages: stderr next to JSON, else stdout. */
export function redirectForPeople(io: Io, { json }: JsonOption): Io {
  const people = json ? { ...io, stdout: io.stderr } : io;
  if (!io.quiet) return people;
  // The JSON is the result, so a quiet run prints nothing else.
  return { ...people, stdout: createSilentOutput(), results: json ? createSilentOutput() : people.stdout };
}
