import type { FleetCommand } from "./child.js";
import { readFleet, type FleetEntry } from "./file.js";
import { refuseSharedObjects } from "./owners.js";
import { runFleet, worstOf, type FleetRun } from "./processes.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { matchesPattern } from "../../../provider/definition/name-pattern.js";
import { note, type Io, print, printText } from "../../terminal/io.js";
import { confirmed, requireYes } from "../../engine/stack/confirm.js";
import { markdownTable } from "../../reporters/markdown.js";
import { printJson, printTable } from "../../terminal/output.js";
import type { FleetResult } from "./result.js";

export interface FleetOptions {
  readonly file: string;
  readonly only?: readonly string[];
  readonly parallel: number;
  readonly failFast?: boolean;
  readonly format: FleetFormat;
  readonly quiet?: boolean;
  readonly yes?: boolean;
  /** Arguments after `--`, for the command of each workspace. */
  readonly more?: readonly string[];
}

/** Runs a command for every workspace of a fleet, and prints a summary. */
export async function fleet(command: FleetCommand, options: FleetOptions, given: Io): Promise<number> {
  const { format, parallel, more = [], failFast = false } = options;
  const io = options.quiet ? { ...given, quiet: true } : given;
  if (command === "up") requireYes(options.yes, "fleet up", io);
  const all = readFleet(options.file);
  refuseSharedObjects(all, io);
  const entries = chosen(all, options.only);
  let run: FleetRun = { command, more, parallel, failFast };
  if (command === "up" && !options.yes) {
    const refused = await refusedBefore(entries, run, io);
    if (refused !== undefined) return refused;
    // The preview has shown which stacks are new.
    run = { ...run, more: [...more, "--create-stack"] };
  }
  const results = await runFleet(entries, run, io);
  await printFleet(command, results, format, io);
  return worstOf(results);
}

/** Previews all workspaces, and asks once. @returns the exit code when the user declines */
async function refusedBefore(
  entries: readonly FleetEntry[],
  run: FleetRun,
  io: Io,
): Promise<number | undefined> {
  const results = await runFleet(entries, { ...run, command: "preview", more: [] }, io);
  await printFleet("preview", results, "table", { ...io, stdout: io.stderr });
  if (worstOf(results) !== exitCodes.ok) {
    note(io, "Nothing was changed: not every workspace can be previewed. --only leaves some out.");
    return exitCodes.error;
  }
  if (await confirmed(`Carry this out in ${entries.length} workspaces?`, io)) return undefined;
  note(io, "Nothing was changed.");
  return exitCodes.declined;
}

/** Selects entries by patterns, in which * matches anything. */
function chosen(
  entries: readonly FleetEntry[],
  patterns: readonly string[] | undefined,
): readonly FleetEntry[] {
  if (patterns === undefined) return entries;
  const found = entries.filter(({ name }) =>
    patterns.some((pattern) => matchesPattern(pattern.replaceAll(/\*+/g, "**"), name, false)),
  );
  if (found.length > 0) return found;
  throw new CliError(
    `no workspace is called ${patterns.join(" or ")}; there are ${entries.map(({ name }) => name).join(", ")}`,
  );
}

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
