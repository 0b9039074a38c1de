/** Reports name conflicts with their possible causes and remedies. */
import { CliError } from "../../errors.js";
import { formatNextCommand, type StackWords } from "../../options/document.js";
import { print, type Io } from "../../terminal/io.js";
import { findDefinition } from "../../../provider/index.js";
import { LogicalName } from "../../../provider/definition/logical-name.js";
import { stripControls } from "../../../client/printable.js";
import type { NameConflict } from "./existing-names.js";
import type { PlannedObject } from "./planned-objects.js";

/** The stack and workspace of the plan. */
export interface ConflictContext {
  readonly workspace: string;
  readonly stack: string;
  readonly objects: readonly PlannedObject[];
  /** The options that named the stack. */
  readonly named: StackWords;
}

/** Maximum number printed; data contains all. */
const NAMED = 12;

/** Lists possible causes with their remedies, the likeliest first. */
export function listRemediesFor(
  taken: readonly NameConflict[],
  { stack, objects, named }: ConflictContext,
  others: readonly string[],
): string[] {
  const isProgram = named.program !== undefined;
  const importing = formatNextCommand(["import"], named);
  const managed = taken.filter(({ managedAs }) => managedAs !== undefined);
  const foreign = taken.filter(({ managedAs }) => managedAs === undefined);
  const isNew = objects.every(({ operation }) => operation === "create" || operation === "adopt");
  const list = others.length === 0 ? "" : ` (existing stacks: ${others.join(", ")})`;
  const wrong = isNew
    ? `Is ${stack} the right stack? It is empty: if another stack manages these objects, select it with --stack${list}, and check PULUMI_BACKEND_URL`
    : `Does another stack or file manage these? Then ${isProgram ? "do not declare them here, and refer to them by name" : "declare them as external: true here"}${list === "" ? "" : `; other stacks: ${others.join(", ")}`}`;
  return [
    ...managed.map(({ name, managedAs = "" }) =>
      isRenamed(objects.find((one) => one.name === managedAs))
        ? `${managedAs} of this stack has the name of ${name} until this plan renames it. Rename them one after the other: ` +
          (isProgram
            ? `in the program, give ${managedAs} a name that nothing has and ${name} its former one, and run "up"; then rename ${name} and run "up"; then ${managedAs}`
            : `give ${managedAs} a name that nothing has (name: ...) and run "up", then rename ${name} with "up --only ${name}", then ${managedAs}`)
        : `${managedAs} of this stack already has the name of ${name}: ${isProgram ? "if it was renamed in the program, give it an alias with the old name there" : `if it was renamed in the file, write previously: [${getKey(managedAs)}] there`}`,
    ),
    ...(foreign.length === 0
      ? []
      : [
          wrong,
          `Were they created by hand, or is the stack's state lost? "${importing}" puts them into the state, and changes nothing`,
          ...(foreign.some(({ adoptable }) => adoptable)
            ? [
                `To adopt single objects and update them to match the ${isProgram ? "program" : "file"}, write adopt: true there. If a run that was killed on another machine created them: "${formatNextCommand(["up", "--adopt-after-crash"], named)}"`,
              ]
            : []),
        ]),
    isProgram ? "Otherwise, choose other names" : "Otherwise, choose other names (name: ... keeps the key)",
  ];
}

export function printNameConflicts(
  taken: readonly NameConflict[],
  remedies: readonly string[],
  where: ConflictContext,
  io: Io,
): void {
  if (taken.length === 0) return;
  const { red, dim } = io.colors;
  print(io);
  print(io, `  ${red("exists")} ${formatHeadline(taken, where)}:`);
  for (const line of formatLines(taken)) print(io, dim(`         ${line}`));
  for (const remedy of remedies) print(io, `         - ${remedy}`);
}

/** The error with which `up` refuses. */
export function createNameConflictError(
  taken: readonly NameConflict[],
  remedies: readonly string[],
  where: ConflictContext,
): CliError {
  return new CliError(
    [
      `refused, nothing was changed: ${formatHeadline(taken, where)}:`,
      ...formatLines(taken).map((line) => `  ${line}`),
      ...remedies.map((remedy) => `  - ${remedy}`),
    ].join("\n"),
    remedies,
  );
}

export function formatHeadline(
  taken: readonly NameConflict[],
  { workspace, stack, objects }: Omit<ConflictContext, "named">,
): string {
  const made = objects.filter(({ operation }) => operation === "create").length;
  const [exist, them, names] =
    taken.length === 1 ? ["exists", "it", "this name"] : ["exist", "them", "these names"];
  const what =
    taken.length > made ? `${taken.length} names` : `${taken.length} of the ${made} objects to create`;
  return `${what} already ${exist} in workspace ${workspace}, but stack ${stack} does not manage ${them} under ${names}`;
}

function formatLines(taken: readonly NameConflict[]): string[] {
  const named = taken.slice(0, NAMED).map(({ name, what }) => stripControls(`${name}: ${what}`));
  return taken.length > NAMED ? [...named, `and ${taken.length - NAMED} more`] : named;
}

/** Whether a plan gives an object another name. */
function isRenamed(object: PlannedObject | undefined): boolean {
  const { references = {}, naturalKey = [] } = findDefinition(object?.type) ?? {};
  return (
    object?.operation === "update" &&
    naturalKey.some((arg) => references[arg] === undefined && object.before?.[arg] !== object.after?.[arg])
  );
}

const getKey = (name: string) => new LogicalName(name).key;
