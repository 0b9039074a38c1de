import { sameJson } from "../../../diff/values.js";
import { inOneLine, workspaceTables } from "./tables.js";
import { snapshot } from "./snapshot.js";
import { EXAMPLE, setStage, type Stage } from "./stage.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { print, printText, type Io } from "../../terminal/io.js";
import { seconds } from "../../engine/plan/print.js";
import type { CommandLine } from "../command.js";

const STEPS = 8;

interface Scene extends Stage, Pick<CommandLine, "main"> {}

/** Demonstrates a whole life cycle on this machine alone: up, drift, reconcile, destroy. */
export async function demo(_options: object, io: Io, { main }: CommandLine): Promise<number> {
  const began = Date.now();
  print(
    io,
    io.colors.bold(
      "A workspace as code, from nothing to nothing. No account is used, and nothing leaves this machine.",
    ),
  );
  const stage = await setStage(io);
  try {
    await play({ ...stage, main });
  } finally {
    await stage.close();
  }
  print(io);
  print(
    io,
    `${io.colors.green("All of it took")} ${seconds(Date.now() - began)}. To go on: read ${EXAMPLE},`,
  );
  print(
    io,
    "start `workspacectl emulator` and try the commands yourself, or point them at your own workspace.",
  );
  return exitCodes.ok;
}

async function play(stage: Scene): Promise<void> {
  const { emulator, client, io } = stage;
  const { workspace } = emulator;
  const before = await snapshot(client, workspace);
  await step(io, 1, "A service to work with", () => {
    print(
      io,
      `An emulator of the service listens at ${emulator.baseUrl}. Workspace ${workspace}: ${inOneLine(before)}.`,
    );
  });
  await step(io, 2, "Bring up the workspace", () => run(stage, `up -f ${EXAMPLE} --create-stack --yes`));
  await step(io, 3, "What was made, asked of the service itself", async () => {
    printText(io, `${workspaceTables(await snapshot(client, workspace), io)}\n`);
  });
  await driftAndRepair(stage);
  await step(io, 8, "Clean up", async () => {
    await run(stage, `destroy -f ${EXAMPLE} --yes --include-protected --allow-delete "**"`);
    const after = await snapshot(client, workspace);
    print(io, `Workspace ${workspace} again: ${inOneLine(after)}.`);
    if (!sameJson(after, before))
      throw new CliError("the workspace is not as it was before: this is a bug, please report it");
  });
}

async function driftAndRepair(stage: Scene): Promise<void> {
  const { emulator, client, io } = stage;
  const { workspace } = emulator;
  const [group] = (await snapshot(client, workspace)).groups;
  if (group === undefined) throw new CliError("the example declares no group");
  const path = `/workspaces/${workspace}/groups/${group.id}`;
  await step(io, 4, "Somebody changes a group in the web application", async () => {
    const status = await patch(stage, path, { description: "Hobby club" });
    print(io, `PATCH ${path} {"description":"Hobby club"}: HTTP ${status}`);
  });
  await step(io, 5, "The drift is seen", () => run(stage, `drift -f ${EXAMPLE}`, exitCodes.drift));
  await step(io, 6, "Reconcile", async () => {
    await run(stage, `up -f ${EXAMPLE} --yes`);
    const { description } = await client.groups.get(workspace, group.id);
    print(io, `The service says again: "${description ?? ""}".`);
  });
  await step(io, 7, "Once more: nothing to do", async () => {
    emulator.journal.clear();
    await run(stage, `up -f ${EXAMPLE} --yes`);
    if (emulator.journal.writes().length > 0)
      throw new CliError("a second run has changed something: this is a bug, please report it");
  });
}

/**
 * Runs a command line of this program, and shows it and all that it prints.
 * @param expected the exit code that it ends with
 */
async function run({ io, main }: Scene, line: string, expected: number = exitCodes.ok): Promise<void> {
  print(io, io.colors.cyan(`$ workspacectl ${line}`));
  const words = line.split(" ").map((word) => word.replaceAll('"', ""));
  const code = await main(words, { ...io, stderr: io.stdout });
  if (code !== expected)
    throw new CliError(`"workspacectl ${line}" ended with ${code}: this is a bug, please report it`);
}

/** A numbered step: what happens, and the time it took. */
async function step<T>(io: Io, number: number, title: string, work: () => T | Promise<T>): Promise<T> {
  const { bold, dim } = io.colors;
  print(io, `\n${bold(`[${number}/${STEPS}] ${title}`)}`);
  const began = Date.now();
  const result = await work();
  print(io, dim(`(${seconds(Date.now() - began)})`));
  return result;
}

/** A change as anybody could make it: over HTTP, not through this package. */
async function patch({ emulator }: Stage, path: string, body: object): Promise<number> {
  const answer = await fetch(`${emulator.baseUrl}${path}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.status;
}
