import { TAKE_UP_VARIABLE } from "../../provider/index.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { note, print, type Io } from "../io.js";
import { printPlan, seconds } from "../plan/print.js";
import type { Step } from "../plan/steps.js";
import { openStack, type OpenStack, type StackOptions } from "../stack/open.js";
import { previewStack, upStack, type Outcome } from "../stack/operations.js";

/** Puts the objects that a file declares under a stack, as they are. Writes nothing to the workspace. */
export async function importWorkspace(options: StackOptions, io: Io): Promise<number> {
  const open = await openStack(options, { program: true }, io);
  const { connection, name } = open;
  print(
    io,
    `Workspace ${io.colors.bold(connection.workspace)} at ${connection.baseUrl}, stack ${io.colors.bold(name)}\n`,
  );
  const before = await previewStack(open.stack, false, io);
  refuseChanges(before.steps);
  if (before.steps.length === 0) {
    print(io, "Nothing to import: the stack has all that the file declares");
    return exitCodes.ok;
  }
  const done = await takeUp(open, io);
  print(
    io,
    `Imported: ${counted(done.steps)} (${seconds(done.milliseconds)}); nothing was sent to the workspace`,
  );
  const left = await previewStack(open.stack, false, io);
  if (left.steps.length === 0) print(io, "The next preview is empty: the workspace is as the file says");
  else {
    note(io, "The workspace is not as the file says; `workspacectl up` would change:");
    printPlan(left, {}, io);
  }
  return exitCodes.ok;
}

/** The engine creates, and the provider answers with what is there (provider/take-up.ts). */
function takeUp({ stack }: OpenStack, io: Io): Promise<Outcome> {
  stack.workspace.envVars = { ...stack.workspace.envVars, [TAKE_UP_VARIABLE]: "1" };
  const ended = upStack(stack, false, () => undefined, io);
  return ended.finally(() => {
    const { [TAKE_UP_VARIABLE]: _done, ...usual } = stack.workspace.envVars;
    stack.workspace.envVars = usual;
  });
}

/** `37 objects: 15 Action, 8 GroupMember, ...`, the most first. */
function counted(steps: readonly Step[]): string {
  const types = new Map<string, number>();
  for (const { type } of steps) types.set(type, (types.get(type) ?? 0) + 1);
  const list = [...types].toSorted((a, b) => b[1] - a[1]).map(([type, count]) => `${count} ${type}`);
  return `${steps.length} object${steps.length === 1 ? "" : "s"}: ${list.join(", ")}`;
}

function refuseChanges(steps: readonly Step[]): void {
  const others = steps.filter(({ operation }) => operation !== "create");
  if (others.length === 0) return;
  const named = others.slice(0, 5).map(({ operation, name }) => `${operation} ${name}`);
  const more = others.length > named.length ? `, and ${others.length - named.length} more` : "";
  throw new CliError(
    `the file and the stack differ in more than what is to be imported (${named.join(", ")}${more}): ` +
      `an import changes nothing. Bring these in order with "workspacectl up" first`,
  );
}
