/** Prints for people who owns what. */
import { groupBy, formatFirst } from "../../lists.js";
import { keepOutermost } from "../../policies/guards/deletes.js";
import { stripControls } from "../../reporters/format-values.js";
import { note, print, type Io } from "../../terminal/io.js";
import { formatCount } from "../../../diff/format-count.js";
import type { OwnableObject, OwnedObject, OwnersReport } from "./report.js";

/** Maximum number of objects that a line names. */
const NAMED = 8;

export function printOwners(report: OwnersReport, io: Io): void {
  const { workspace, baseUrl, files, unowned, notIdentified, incomplete, live } = report;
  const { bold, dim } = io.colors;
  if (workspace !== undefined)
    print(io, `Workspace ${stripControls(workspace)}${live ? ` at ${baseUrl}` : ""}\n`);
  const width = Math.max(0, ...files.flatMap(({ owns = [] }) => owns.map(({ pattern }) => pattern.length)));
  for (const { file, owns, objects } of files) {
    print(io, bold(stripControls(file)));
    if (owns === undefined) printOwned("what it declares", "", objects, io);
    const byPattern = groupBy(objects, ({ pattern }) => pattern);
    for (const { pattern, place } of owns ?? [])
      printOwned(
        stripControls(pattern).padEnd(width),
        dim(`  ${stripControls(place.file)}:${place.line}`),
        byPattern.get(pattern) ?? [],
        io,
      );
  }
  const whose = live ? "Nobody owns" : "Of what the files refer to, nobody owns";
  print(
    io,
    `\n${bold(`${whose}: ${unowned.length === 0 ? "nothing" : formatCount(unowned.length, "object")}`)}`,
  );
  printNames(unowned, io);
  if (notIdentified.length > 0)
    print(
      io,
      `\nNot compared: ${formatCount(notIdentified.length, "object")} of people whom the service does not identify`,
    );
  for (const { type, name, reason } of incomplete)
    note(io, `Not read: ${type} ${stripControls(name ?? "of the workspace")}: ${stripControls(reason)}`);
}

function printOwned(what: string, where: string, objects: readonly OwnedObject[], io: Io): void {
  print(io, `  ${what}  ${formatCount(objects.length, "object")}${where}`);
  const names = (of: readonly OwnedObject[]) =>
    formatFirst(keepOutermost(of.map(({ name }) => name)).map(formatName), NAMED);
  const added = objects.filter(({ declared }) => !declared);
  const missing = objects.filter(({ exists }) => exists === false);
  if (added.length > 0) print(io, `    not declared: ${names(added)}`);
  if (missing.length > 0) print(io, `    not in the workspace: ${names(missing)}`);
}

/** Prints the objects that are in no other object without an owner. */
function printNames(objects: readonly OwnableObject[], io: Io): void {
  const outer = new Map(keepOutermost(objects.map(({ name }) => name)).map((one) => [one.name, one]));
  const shown = objects.filter(({ name }) => outer.has(name));
  const width = Math.max(0, ...shown.map(({ type }) => type.length));
  for (const { type, name } of shown)
    print(io, `  ${type.padEnd(width)}  ${formatName({ inside: 0, ...outer.get(name), name })}`);
}

function formatName({ name, inside }: { readonly name: string; readonly inside: number }): string {
  return `${stripControls(name)}${inside === 0 ? "" : ` (and ${inside} in it)`}`;
}
