/** The command line: which commands there are, what they take, and an example of each. */
import { Command, CommanderError, Option } from "commander";
import { addAccessCommands } from "./commands/access-commands.js";
import { addAuthoringCommands } from "./commands/authoring-commands.js";
import { addCheckCommands } from "./commands/check-commands.js";
import { addCompareCommand } from "./commands/compare-commands.js";
import { documentFile } from "./options/document.js";
import { addDriftCommands } from "./commands/drift-commands.js";
import { addExportCommands } from "./commands/export-commands.js";
import { addFleetCommands } from "./commands/fleet-commands.js";
import { reportError } from "./errors.js";
import { exitCodes } from "./exit-codes.js";
import { printText, processIo, warn, type Io } from "./terminal/io.js";
import { duration, deletionOptions, guardOptions } from "./options/plan.js";
import { addReplicateCommands } from "./commands/replicate-commands.js";
import {
  example,
  formerly,
  wholeNumber,
  withDetails,
  type CommandWork,
  type Work,
} from "./options/options.js";
import {
  addAccountCommands,
  addCompletionCommands,
  addOAuthClientCommands,
  addRunCommands,
  addSandboxCommands,
} from "./commands/service-commands.js";
import { addConfigCommands, addPulumiCommand, addStackManagement } from "./commands/stack-commands.js";
import { version } from "./version.js";

/**
 * Runs `workspacectl`.
 * @param argv the arguments, without `node` and the script
 * @returns the exit code; see exit-codes.ts
 */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  let code: number = exitCodes.ok;
  const work =
    <O>(load: () => Promise<CommandWork<O>>) =>
    async (options: O) => {
      const { quiet } = options as { readonly quiet?: boolean };
      code = await (await load())(options, quiet ? { ...io, quiet } : io);
    };
  try {
    await commandTree(io, work).parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    // Commander has said what was wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.error;
    return reportError(error, io);
  }
}

/** All commands; `work` carries out the chosen one. */
export function commandTree(io: Io, work: Work): Command {
  const program = new Command("workspacectl")
    .description("Keep a workspace of the Workspace Automation Service as code.")
    .version(version(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print help, also for a command")
    .option("--debug", "tell every request to the service on stderr, without secrets")
    .configureHelp({ showGlobalOptions: true })
    .hook("preAction", (command) => {
      // Read by our own clients, and by the provider's process, which inherits it.
      if (command.opts()["debug"]) io.env["WORKSPACE_AUTOMATION_DEBUG"] = "1";
    })
    .addHelpCommand(
      new Command("help")
        .argument("[command]")
        .description("print help for a command")
        .helpGroup(groupOf("help")),
    )
    .showHelpAfterError("(--help shows what is possible)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printText(io, text),
      writeErr: (text) => warn(io, text.replace(/\n$/, "")),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });

  addFileCommands(program, work);
  addStackCommands(program, work);
  addDriftCommands(program, work);
  addCompareCommand(program, work);
  addExportCommands(program, work);
  addReplicateCommands(program, work);
  addAccessCommands(program, work);
  addFleetCommands(program, work);
  addAccountCommands(program, work);
  addRunCommands(program, work);
  addSandboxCommands(program, work);
  addOAuthClientCommands(program, work);
  addLocalCommands(program, work);
  addCompletionCommands(program, work);
  addStackManagement(program, work);
  addConfigCommands(program, work);
  addPulumiCommand(program, work);
  for (const command of program.commands) command.helpGroup(groupOf(command.name()));
  return program.addHelpText(
    "after",
    "\nExample:\n  workspacectl up -f workspace.yaml\n\n" +
      "Exit codes: 0 fine, 1 error, 3 a watched run did not succeed, 4 declined, 7 drift or different, 10 not all could be read, 130 interrupted. " +
      "WORKSPACECTL_DEBUG=1 adds the stack of an error.",
  );
}

/** How the commands stand in the help. */
const groups = {
  "Start:": ["init", "login", "logout", "whoami", "demo", "emulator", "doctor"],
  "Every day:": [
    ...["validate", "lint", "fmt", "render", "graph", "access"],
    ...["preview", "up", "refresh", "destroy"],
  ],
  "Drift:": ["drift"],
  "Existing and further workspaces:": ["export", "import", "compare", "replicate", "fleet"],
  "The service:": ["run", "executions", "sandbox", "oauth-client"],
  "Stacks and tools:": ["stack", "config", "pulumi", "schema", "completion", "version", "help"],
} as const;

function groupOf(name: string): string {
  const found = Object.entries(groups).find(([, names]) => (names as readonly string[]).includes(name));
  return found?.[0] ?? "Further commands:";
}

const createStack = [
  "--create-stack",
  "make the stack if it is not there; asked for where there is a terminal",
] as const;
const json = ["--json", "print the result as JSON; the words for people go to stderr"] as const;

function addFileCommands(program: Command, work: Work): void {
  addCheckCommands(program, work);
  addAuthoringCommands(program, work);
  example(
    program
      .command("schema")
      .description("print the JSON Schema of workspace files, for editors")
      .addOption(
        new Option("--draft <draft>", "form of JSON Schema").choices(["07", "2020-12"]).default("2020-12"),
      )
      .option("--overlay", "the schema of overlays instead")
      .option("-o, --output <file>", "write it to a file"),
    "workspacectl schema -o workspace.schema.json",
  ).action(work(async () => (await import("./commands/schema/run.js")).schema));
}

function addStackCommands(program: Command, work: Work): void {
  const onStack = (name: string, description: string) =>
    documentFile(program.command(name).description(description))
      .option("-s, --stack <name>", "the Pulumi stack (default: the selected one of the project, else dev)")
      .option("-c, --connection <name>", "the connection: which service, as whom")
      .option("-q, --quiet", "print the result and problems only")
      .option(...json);
  const noRefresh = ["--no-refresh", "trust the state: do not read the workspace first"] as const;
  const unverifiable = ["--unverifiable", "list the values that the service does not show"] as const;
  const yes = ["-y, --yes", "do not ask; needed where there is no terminal"] as const;

  const preview = example(
    guardOptions(
      withDetails(onStack("preview", "show what was changed outside and what `up` would change"))
        .alias("plan")
        .option(...noRefresh)
        .option(...unverifiable)
        .option("-o, --output <file>", "write the plan to a file, for `up --plan`"),
    ).option("--strict-guards", "fail when `up` would refuse"),
    "workspacectl preview -f workspace.yaml --stack us",
  );
  formerly(preview, "--out <file>", "output").action(
    work(async () => (await import("./commands/preview/run.js")).preview),
  );
  example(
    guardOptions(
      withDetails(onStack("up", "bring the workspace to what the file says"))
        .alias("apply")
        .option(...yes)
        .option(...noRefresh)
        .option("--adopt-after-crash", "take over what a run killed on another machine made")
        .option("--plan <file>", "carry out exactly this saved plan, or refuse")
        .option("--max-age <duration>", "refuse a saved plan that is older, such as 12h", duration)
        .option("--receipt <file>", "write to a file what was done")
        .option(...createStack),
    ).option("--wait", "wait for the next hour's requests when they do not suffice"),
    "workspacectl up -f workspace.yaml --stack us --yes",
  ).action(work(async () => (await import("./commands/up/run.js")).up));
  example(
    onStack("refresh", "read the workspace into the state; changes nothing in the workspace").option(
      ...unverifiable,
    ),
    "workspacectl refresh -f workspace.yaml",
  ).action(work(async () => (await import("./commands/refresh/run.js")).refresh));
  example(
    deletionOptions(
      onStack("destroy", "delete what the stack made, if no guard refuses")
        .option(...yes)
        .option("--include-protected", "delete protected objects (such as projects) too"),
    ),
    'workspacectl destroy -f workspace.yaml --include-protected --allow-delete "**"',
  ).action(work(async () => (await import("./commands/destroy/run.js")).destroy));
}

function addLocalCommands(program: Command, work: Work): void {
  example(program.command("version").description("print the version"), "workspacectl version").action(
    work(async () => (await import("./commands/version/run.js")).printVersion),
  );
  example(
    program
      .command("emulator")
      .description("run the service on this machine, to try things and for tests")
      .option("--port <n>", "TCP port; 0 picks a free one", wholeNumber(0, 65535), 0)
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--data <dir>", "keep everything there, also over kill -9 (default: in memory)")
      .option("--seed <file>", "what exists at the first start, as YAML or JSON")
      .option("--token <text>", "the access token, to be known before the start (default: a random one)")
      .option("--latency <ms>", "wait before each answer", wholeNumber(0))
      .option("--rate-limit <n>", "requests per user and hour (default: 5000)", wholeNumber(1))
      .option("--base-path <path>", "path below which the API lives, such as /api")
      .option("--strict", "refuse fields of a body that the service does not know")
      .option("--public-origin <url>", "the address that people and clients use, where it is another one")
      .option("--control", "serve the control interface under /_control: clock, faults, journal, settings")
      .option(
        "--key <text>",
        "ask for it at the web pages and /_control (default: nothing on this machine, a random one beyond it)",
      )
      .option("--json", "print one line of JSON when ready: baseUrl, token, workspace, webUrl, key"),
    "workspacectl emulator --port 8080 --data ./emulator-data",
  ).action(work(async () => (await import("./commands/emulator/run.js")).emulator));
  example(
    program
      .command("doctor")
      .description("show what is installed and reachable, and how to mend what is missing")
      .option("-c, --connection <name>", "the connection to look at")
      .option("--json", "print JSON"),
    "workspacectl doctor --connection us",
  ).action(work(async () => (await import("./commands/doctor/run.js")).doctorCommand));
  example(
    program.command("demo").description("see it all work in a minute, on this machine only"),
    "workspacectl demo",
  ).action(work(async () => (await import("./commands/demo/run.js")).demoOf(main)));
}
