import { sameJson } from "../../provider/index.js";
import { inOneLine, workspaceTables } from "../demo/tables.js";
import { snapshot } from "../demo/snapshot.js";
import { EXAMPLE, setStage, type Stage } from "../demo/stage.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { print, type Io } from "../io.js";
import { printDrift, printPlan, seconds, summary } from "../plan/print.js";
import { openStack, type OpenStack } from "../stack/open.js";
import { destroyStack, previewStack, upStack } from "../stack/operations.js";
import { runPulumi } from "../stack/pulumi.js";

interface Scene extends Stage {
  readonly open: OpenStack;
}

const STEPS = 8;
const nobody = () => {};

/** Shows on this machine alone what the whole is good for: bring up, drift, reconcile, clean up. */
export async function demo(_options: object, io: Io): Promise<number> {
  const began = Date.now();
  print(
    io,
    io.colors.bold(
      "A workspace as code, from nothing to nothing. No account is used, and nothing leaves this machine.",
    ),
  );
  const stage = await setStage(io);
  try {
    await play(stage);
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

async function play(stage: Stage): Promise<void> {
  const { emulator, client, file, io } = stage;
  const { workspace } = emulator;
  const before = await snapshot(client, workspace);
  await step(io, 1, "A service to work with", "workspacectl emulator", () => {
    print(
      io,
      `The emulated service listens at ${emulator.baseUrl}. Workspace ${workspace}: ${inOneLine(before)}.`,
    );
  });
  const scene = await step(io, 2, "Bring up the workspace", `workspacectl up -f ${EXAMPLE}`, async () => {
    const open = await openStack(
      { file },
      { program: true, missing: "create" },
      { ...io, stderr: io.stdout },
    );
    const done = await upStack(open.stack, false, nobody, io);
    print(io, `${summary(done, "done")}: ${byType(done.steps)}.`);
    return { ...stage, open };
  });
  await step(io, 3, "What was made, asked of the service itself", undefined, async () => {
    print(io, workspaceTables(await snapshot(client, workspace), io));
  });
  await driftAndRepair(scene);
  await step(
    io,
    8,
    "Clean up",
    `workspacectl destroy -f ${EXAMPLE} --include-protected --allow-delete "**"`,
    async () => {
      const { stack, cli, name } = scene.open;
      await runPulumi(cli, ["state", "unprotect", "--all", "--yes", "--stack", name]);
      const done = await destroyStack(stack, { excludeProtected: false }, nobody, io);
      const after = await snapshot(client, workspace);
      const same = sameJson(after, before);
      print(io, `${summary(done, "done")}. Workspace ${workspace} again: ${inOneLine(after)}.`);
      if (!same) throw new CliError("the workspace is not as it was before: this is a bug, please report it");
    },
  );
}

async function driftAndRepair(scene: Scene): Promise<void> {
  const { emulator, client, io, open } = scene;
  const { workspace } = emulator;
  const [group] = (await snapshot(client, workspace)).groups;
  if (group === undefined) throw new CliError("the example declares no group");
  await step(io, 4, "Somebody changes a group in the web application", undefined, async () => {
    const status = await patch(scene, `/workspaces/${workspace}/groups/${group.id}`, {
      description: "Hobby club",
    });
    print(
      io,
      `PATCH /workspaces/${workspace}/groups/${group.id} {"description":"Hobby club"}: HTTP ${status}`,
    );
  });
  await step(io, 5, "The drift is seen", `workspacectl preview -f ${EXAMPLE}`, async () => {
    const plan = await previewStack(open.stack, true, io);
    printDrift(plan.drift, io);
    printPlan(plan, {}, io);
    print(io, `\nPlan: ${summary(plan, "plan")}.`);
  });
  await step(io, 6, "Reconcile", `workspacectl up -f ${EXAMPLE}`, async () => {
    const done = await upStack(open.stack, true, nobody, io);
    const { description } = await client.groups.get(workspace, group.id);
    print(io, `${summary(done, "done")}. The service says again: "${description ?? ""}".`);
  });
  await step(io, 7, "Once more: nothing to do", `workspacectl up -f ${EXAMPLE}`, async () => {
    const plan = await previewStack(open.stack, true, io);
    if (plan.steps.length > 0 || plan.drift.length > 0)
      throw new CliError(
        `a second run would change something (${summary(plan, "plan")}): this is a bug, please report it`,
      );
    print(io, `No changes, ${summary(plan, "plan")}.`);
  });
}

/** A numbered step: what happens, the command that does it, the time it took. */
async function step<T>(
  io: Io,
  number: number,
  title: string,
  command: string | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  const { bold, cyan, dim } = io.colors;
  print(io, `\n${bold(`[${number}/${STEPS}] ${title}`)}`);
  if (command !== undefined) print(io, cyan(`$ ${command}`));
  const began = Date.now();
  const result = await work();
  print(io, dim(`(${seconds(Date.now() - began)})`));
  return result;
}

function byType(steps: readonly { readonly type: string }[]): string {
  const counts = new Map<string, number>();
  for (const { type } of steps) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(", ");
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
