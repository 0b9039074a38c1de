/** Prints the summary of a fleet as a table, Markdown or JSON. */
import { exitCodes } from "../../exit-codes.js";
import { markdownTable } from "../../reporters/markdown.js";
import { print, printText, type Io } from "../../terminal/io.js";
import { printJson, printTable } from "../../terminal/output.js";
import type { FleetCommand } from "./child.js";
import type { FleetResult } from "./result.js";
import { worstOf } from "./processes.js";

export type FleetFormat = "table" | "json" | "markdown";

export async function printFleet(
  command: FleetCommand,
  results: readonly FleetResult[],
  format: FleetFormat,
  io: Io,
): Promise<void> {
  if (format === "json")
    return printJson(io, { version: 1, command, exitCode: worstOf(results), workspaces: results });
  if (format === "markdown") return printText(io, `${markdown(command, results)}\n`);
  const { red, yellow, green, dim } = io.colors;
  const paint = { ok: green, drift: yellow, incomplete: yellow, error: red, interrupted: red, skipped: dim };
  const rows = results.map(({ name, workspace = "", stack, result, summary, seconds }) => [
    name,
    workspace,
    stack,
    paint[result](result),
    // The whole message is in the output above.
    summary.length > 80 ? `${summary.slice(0, 79)}…` : summary,
    seconds === undefined ? "" : `${seconds.toFixed(1)} s`,
  ]);
  await printTable(io, ["name", "workspace", "stack", "result", "", ""], rows);
  print(io, `\n${verdict(results)}`);
}

function verdict(results: readonly FleetResult[]): string {
  const count = (of: FleetResult["result"]) => results.filter(({ result }) => result === of).length;
  const parts = (["error", "interrupted", "incomplete", "drift", "skipped", "ok"] as const).flatMap((of) =>
    count(of) === 0 ? [] : [`${count(of)} ${of}`],
  );
  const all = `${results.length} workspace${results.length === 1 ? "" : "s"}`;
  return worstOf(results) === exitCodes.ok && parts.length === 1
    ? `${all}: all ok`
    : `${all}: ${parts.join(", ")}`;
}

function markdown(command: FleetCommand, results: readonly FleetResult[]): string {
  const rows = results.map(({ name, workspace = "", stack, result, summary }) => [
    name,
    workspace,
    stack,
    result,
    summary,
  ]);
  const table = markdownTable(["Name", "Workspace", "Stack", "Result", ""], rows);
  return `## Fleet: ${command}\n\n${table}\n\n${verdict(results)}`;
}
