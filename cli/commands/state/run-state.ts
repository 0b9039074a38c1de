/** Runs `workspacectl state` and `output`. */
import { stringify } from "yaml";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { type Io, print } from "../../../reports/io.js";
import { printJson, printYaml } from "../../../reports/output.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { convertArgumentsToJson, toJson } from "../../../text/json-value.js";
import { toReadable } from "../../../text/readable-value.js";
import { readShownState, type ShownObject } from "./shown-state.js";
import type { OutputOptions, StateListOptions, StateShowOptions } from "./state-command.js";

/** Lists the names of the objects, one a line, so that other programs can read them. */
export async function stateList(options: StateListOptions, io: Io): Promise<number> {
  const { stack, objects } = await readShownState(options, io);
  const { patterns } = options;
  const names = objects.map(({ name }) => name);
  const unused = patterns.find((pattern) => !names.some((name) => matchesPattern(pattern, name)));
  if (unused !== undefined) throw createNoObjectError(unused, names, stack);
  const chosen = objects.filter(
    ({ name }) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, name)),
  );
  if (options.json)
    printJson(
      io,
      chosen.map(({ name, type, id }) => ({ name, type, id })),
    );
  else for (const { name } of chosen) print(io, name);
  return exitCodes.ok;
}

/** Shows an object. Pulumi has encrypted its secrets, and they stay unread. */
export async function stateShow(options: StateShowOptions, io: Io): Promise<number> {
  const { stack, objects } = await readShownState(options, io);
  const one = findObject(options.object, objects, stack);
  const { name, type, id, isProtected, args, outputs } = one;
  const facts = { name, type, id, ...(isProtected ? { protect: true } : {}) };
  if (options.json)
    printJson(io, {
      ...facts,
      arguments: convertArgumentsToJson(args),
      outputs: convertArgumentsToJson(outputs),
    });
  else printYaml(io, stringify({ ...facts, arguments: toReadable(args), outputs: toReadable(outputs) }));
  return exitCodes.ok;
}

/** Prints one output alone, for a script, or all. */
export async function printOutput(options: OutputOptions, io: Io): Promise<number> {
  const { stack, objects, program } = await readShownState(options, io);
  const all = new Map([
    ...Object.entries(program),
    ...objects.flatMap(({ name, outputs }) =>
      Object.entries(outputs).map(([output, value]) => [`${name}.${output}`, value] as const),
    ),
  ]);
  const { name } = options;
  if (name === undefined) {
    if (options.json) printJson(io, convertArgumentsToJson(Object.fromEntries(all)));
    else for (const [key, value] of all) print(io, `${key}  ${formatOutput(value)}`);
    return exitCodes.ok;
  }
  // Arguments are no outputs, but a reference in the file takes them too.
  const at = name.lastIndexOf(".");
  const owner = objects.find((one) => one.name === name.slice(0, at));
  const value = all.get(name) ?? owner?.args[name.slice(at + 1)];
  if (value === undefined)
    throw new AutomationError(
      `stack ${stack} has no output ${name}`,
      suggestOr(name, [...all.keys()], 'name an object and its output, as "workspacectl output" lists them'),
    );
  if (options.json) printJson(io, toJson(value));
  else print(io, formatOutput(value));
  return exitCodes.ok;
}

function formatOutput(value: unknown): string {
  const shown = toReadable(value);
  return typeof shown === "string" ? shown : JSON.stringify(shown);
}

function findObject(name: string, objects: readonly ShownObject[], stack: string): ShownObject {
  const found = objects.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw createNoObjectError(
    name,
    objects.map((one) => one.name),
    stack,
  );
}

function createNoObjectError(written: string, names: readonly string[], stack: string): AutomationError {
  return new AutomationError(
    `stack ${stack} manages no object ${written}`,
    suggestOr(written, names, 'choose one that "workspacectl state list" lists'),
  );
}
