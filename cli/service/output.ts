/** Forms of output that several commands share. */
import type TableConstructor from "cli-table3";
import { print, type Io } from "../io.js";

/** Data for programs: one JSON document. */
export function printJson(io: Io, value: unknown): void {
  print(io, JSON.stringify(value, null, 2));
}

/** Rows for people, without lines between them. */
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
  const table = new Table({ head: head.map((name) => io.colors.dim(name)), chars, style });
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split("\n");
  for (const line of lines) print(io, line.trimEnd());
}
