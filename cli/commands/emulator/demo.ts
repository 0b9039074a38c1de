/** Runs `workspacectl demo`. */
import { randomBytes } from "node:crypto";
import { cp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { makeTemporaryFolder } from "../../../automation/temporary-folders.js";
import { formatCount } from "../../../diff/format-count.js";
import { isSameJson } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { type DiscoveredObject, discoverWorkspace, findDefinition } from "../../../provider/index.js";
import { JOURNAL_VARIABLE } from "../../../recovery/journal.js";
import { type Io, print } from "../../../reports/io.js";
import { printTable } from "../../../reports/output.js";
import { formatSeconds } from "../../../reports/plan/print-plan.js";
import { findPackageRoot } from "../../../toolchain/locations.js";
import type { CommandLine } from "../define-command.js";

const STEPS = 8;

interface Scene extends Stage, Pick<CommandLine, "main"> {}

/** Demonstrates a whole life cycle on this machine alone: up, drift, reconcile, destroy. */
export async function runDemo(_options: object, io: Io, { main }: CommandLine): Promise<number> {
  const began = Date.now();
  const { bold, green } = io.colors;
  const intro =
    "A workspace as code, from creation to deletion. It needs no account, and all of it stays on this machine.";
  print(io, bold(intro));
  const stage = await setStage(io);
  try {
    await playDemo({ ...stage, main });
  } finally {
    await stage.close();
  }
  print(io);
  print(
    io,
    `${green("The whole demo took")} ${formatSeconds(Date.now() - began)}. To continue, read ${EXAMPLE},`,
  );
  print(
    io,
    "start `workspacectl emulator` and try the commands yourself, or use them on your own workspace.",
  );
  return exitCodes.ok;
}

async function playDemo(stage: Scene): Promise<void> {
  const { emulator, io } = stage;
  const { workspace } = emulator;
  const before = await readDemoWorkspace(stage);
  await playStep(io, 1, "A service to work with", () =>
    print(
      io,
      `An emulator of the service listens at ${emulator.baseUrl}. Workspace ${workspace}: ${formatCounts(before)}.`,
    ),
  );
  await playStep(io, 2, "Bring up the workspace", () => run(stage, `up -f ${EXAMPLE} --create-stack --yes`));
  const created = await readDemoWorkspace(stage);
  await playStep(io, 3, "What the service has now", () => printWorkspace(created, io));
  await playDriftAndRepair(stage, created);
  await playStep(io, 8, "Clean up", async () => {
    await run(stage, `destroy -f ${EXAMPLE} --yes --include-protected --allow-delete "**"`);
    const after = await readDemoWorkspace(stage);
    print(io, `Workspace ${workspace} again: ${formatCounts(after)}.`);
    const content = (objects: DemoWorkspace) => objects.map(({ name, args }) => [name, args]);
    if (!isSameJson(content(after), content(before)))
      throw new AutomationError("the workspace is not as it was before", BUG);
  });
}

async function playDriftAndRepair(stage: Scene, created: DemoWorkspace): Promise<void> {
  const { emulator, io } = stage;
  const group = created.find(({ definition }) => definition.type === "Group");
  if (group === undefined) throw new AutomationError("the example declares no group", BUG);
  const path = `/workspaces/${emulator.workspace}/groups/${String(group.outputs[group.definition.identity.state])}`;
  await playStep(io, 4, "Somebody changes a group in the web application", async () => {
    const { status } = await request(stage, path, { description: "Hobby club" });
    print(io, `PATCH ${path} {"description":"Hobby club"}: HTTP ${status}`);
  });
  await playStep(io, 5, "Detect the drift", () => run(stage, `drift -f ${EXAMPLE}`, exitCodes.drift));
  await playStep(io, 6, "Reconcile", async () => {
    await run(stage, `up -f ${EXAMPLE} --yes`);
    const { description } = (await (await request(stage, path)).json()) as { description?: string };
    print(io, `The service returns "${description ?? ""}" again.`);
  });
  await playStep(io, 7, "Run it once more: no changes", async () => {
    emulator.journal.clear();
    await run(stage, `up -f ${EXAMPLE} --yes`);
    if (emulator.journal.writes().length > 0)
      throw new AutomationError("a second run has changed something", BUG);
  });
}

const BUG = "this is a bug, please report it with what was printed above";

/**
 * Prints and runs a command line of this program.
 * @param expected the exit code that it must end with
 */
async function run({ io, main }: Scene, line: string, expected: number = exitCodes.ok): Promise<void> {
  print(io, io.colors.cyan(`$ workspacectl ${line}`));
  const words = line.split(" ").map((word) => word.replaceAll('"', ""));
  const code = await main(words, { ...io, stderr: io.stdout });
  if (code !== expected) throw new AutomationError(`"workspacectl ${line}" ended with ${code}`, BUG);
}

/** Runs a numbered step, and prints how long it took. */
async function playStep(io: Io, number: number, title: string, work: () => unknown): Promise<void> {
  const { bold, dim } = io.colors;
  print(io, `\n${bold(`[${number}/${STEPS}] ${title}`)}`);
  const began = Date.now();
  await work();
  print(io, dim(`(${formatSeconds(Date.now() - began)})`));
}

/** Reads or changes an object as anybody could: over HTTP, not through this package. */
function request({ emulator }: Stage, path: string, change?: object): Promise<Response> {
  return fetch(`${emulator.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
    ...(change && { method: "PATCH", body: JSON.stringify(change) }),
  });
}

type DemoWorkspace = readonly Pick<DiscoveredObject, "definition" | "name" | "key" | "args" | "outputs">[];

async function readDemoWorkspace({ emulator }: Pick<Stage, "emulator">): Promise<DemoWorkspace> {
  const { baseUrl, token, workspace } = emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const found = await discoverWorkspace(connection, { enters: () => true, opens: () => true });
  return [...found.objects, ...found.omitted];
}

async function printWorkspace(objects: DemoWorkspace, io: Io): Promise<void> {
  const rows = objects.flatMap(({ definition, name, key, args }) => {
    if (definition.type !== "Pipeline") return [];
    const actions = objects.filter(
      (one) => one.name.startsWith(`${name}/actions/`) && one.definition.type === "Action",
    );
    return [
      [name.split("/")[1] ?? "", key, String(args["triggerMode"]), actions.map((one) => one.key).join(", ")],
    ];
  });
  await printTable(io, ["PROJECT", "PIPELINE", "TRIGGER", "ACTIONS, IN ORDER"], rows);
  print(io, `The workspace has ${formatCounts(objects)}.`);
}

/** `1 member, 0 groups, 2 permission sets, ...` */
function formatCounts(objects: DemoWorkspace): string {
  return ["WorkspaceMember", "Group", "PermissionSet", "Variable", "Project", "Pipeline"]
    .map((type) => {
      const count = objects.filter(({ definition }) => definition.type === type).length;
      const noun = findDefinition(type)?.noun ?? type;
      return formatCount(count, noun);
    })
    .join(", ");
}

/** The path of the example in the commands that the demo prints. */
const EXAMPLE = "examples/quickstart/workspace.yaml";

interface Stage {
  readonly emulator: Emulator;
  /** The environment of the demo's commands, isolated from the user's Pulumi settings. */
  readonly io: Io;
  close(): Promise<void>;
}

async function setStage(io: Io): Promise<Stage> {
  const folder = makeTemporaryFolder();
  await cp(join(findPackageRoot(), "examples", "quickstart"), join(folder, dirname(EXAMPLE)), {
    recursive: true,
  });
  // Commands run exactly as printed, so the path of the example must be valid here.
  const from = process.cwd();
  process.chdir(folder);
  const emulator = await startEmulator();
  const { baseUrl, token } = emulator;
  const env = {
    ...io.env,
    ...clearSettings(io.env),
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
    PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex"),
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
    [JOURNAL_VARIABLE]: join(folder, "journal"),
    WORKSPACE_VAR_DEPLOY_TOKEN: randomBytes(16).toString("hex"),
    WORKSPACE_VAR_SERVER_PASSWORD: randomBytes(16).toString("hex"),
  };
  return {
    emulator,
    io: { ...io, env },
    async close() {
      process.chdir(from);
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Empties the user's connections and Pulumi settings: the processes that Pulumi starts inherit this process's
 * environment, and a connection in it would lead the demo to the user's own workspace.
 */
function clearSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => /^(PULUMI_(?!BIN$)|WORKSPACE_AUTOMATION_)/.test(name));
  return Object.fromEntries(names.map((name) => [name, ""]));
}
