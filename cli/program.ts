/** The command line: builds the tree of commands, runs the chosen one and reports errors. */
import { Command, CommanderError, Option } from "commander";
import { AutomationError } from "../automation/errors.js";
import { warn } from "../automation/port.js";
import { exitCodes } from "../automation/report/exit-codes.js";
import type { ErrorReport } from "../automation/report/report-schemas.js";
import type { FormatChoice } from "../reports/formats.js";
import { type Io, printText } from "../reports/io.js";
import { readVersion } from "../toolchain/locations.js";
import { parseAllowed } from "../trust/variables.js";
import type { Execute, HelpGroup } from "./commands/define-command.js";
import { commands } from "./commands/list-of-commands.js";
import { findSingleDashOption, HintingCommand } from "./foreign-words.js";
import { parseFormatChoice } from "./options/formats.js";
import { parseDuration } from "./options/option-values.js";
import { createHelpSettings } from "./options/shared-options.js";
import { WAITS_FOR_NEXT_HOUR } from "./rate-limit-wait.js";
import { createErrorReport, reportError } from "./report-error.js";
import { processIo } from "./terminal/io.js";

/**
 * Runs `workspacectl`.
 * @param argv the arguments, without `node` and the script
 * @returns the exit code (see exit-codes.ts)
 */
export async function runMain(argv: readonly string[], io: Io = processIo()): Promise<number> {
  let code: number = exitCodes.ok;
  let choice: FormatChoice = parseFormatChoice(argv);
  const tree = buildCommandTree(io, (load) => async (options) => {
    choice = options as FormatChoice;
    const work = await load();
    code = await work(options, createIo(options as CommonOptions, io), { tree, main: runMain });
  });
  try {
    const [foreign, ours = ""] = findSingleDashOption(argv) ?? [];
    if (foreign !== undefined)
      throw new AutomationError(`unknown option '${foreign}'`, ours, { code: "usage" });
    await tree.parseAsync(askForHelp(argv), { from: "user" });
    return code;
  } catch (error) {
    // Commander has already printed the problem, or the help that was asked for.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok;
      const message = error.message.replace(/^error: /, "");
      const problem = { error: { code: "usage", message, remedy: "use --help for usage" } };
      await reportIn(choice, problem, "", io);
      return exitCodes.error;
    }
    const exitCode = reportError(error, io);
    try {
      await reportIn(choice, createErrorReport(error), findCommandIn(argv), io);
    } catch (other) {
      reportError(other, io);
    }
    return exitCode;
  }
}

/** Commander knows no help for a command within a command. */
function askForHelp(argv: readonly string[]): string[] {
  const [first, ...words] = argv;
  return first === "help" && words.length > 1 ? [...words, "--help"] : [...argv];
}

async function reportIn(choice: FormatChoice, report: ErrorReport, command: string, io: Io): Promise<void> {
  const { reportFailure } = await import("../reports/report-failure.js");
  await reportFailure(report, command, choice, io);
}

/** Returns the words of a command line that name the command. */
function findCommandIn(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word.startsWith("-"));
  const [name = ""] = at < 0 ? argv : argv.slice(0, at);
  return name;
}

/** What the clients of a command do when the service makes them wait. */
interface ClientChoice {
  readonly debug?: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly wait?: boolean;
}

interface CommonOptions {
  readonly quiet?: boolean;
  readonly allowEnv?: readonly string[];
}

/** Returns the Io of a command. What it allows is in its environment, so that providers and commands of a fleet get it too. */
export function createIo({ quiet, allowEnv = [] }: CommonOptions, io: Io): Io {
  return { ...io, env: parseAllowed(allowEnv, io.env), ...(quiet ? { quiet } : {}) };
}

/** Builds the tree of all commands. `execute` runs the chosen one. */
export function buildCommandTree(io: Io, execute: Execute): Command {
  const helpGroup: HelpGroup = "Stacks and tools";
  const program = new HintingCommand("workspacectl")
    .description("Manage a workspace of the Workspace Automation Service as code.")
    .version(readVersion(), "-v, --version", "Print the version")
    .helpOption("-h, --help", "Print help")
    .option("--debug", "Log every request to the service to stderr, without secrets")
    .addOption(
      new Option(
        "--timeout <duration>",
        "How long to wait for a response of the service, such as 20s or 2m (default: 60s)",
      ).argParser(parseDuration),
    )
    .configureHelp(createHelpSettings())
    .hook("preAction", (_program, command) => {
      // The clients and the provider process, which inherits them, read these variables.
      const { debug, timeout, wait } = command.optsWithGlobals<ClientChoice>();
      if (debug) io.env["WORKSPACE_AUTOMATION_DEBUG"] = "1";
      if (timeout !== undefined) io.env["WORKSPACE_AUTOMATION_TIMEOUT"] = String(timeout / 1000);
      if (wait) Object.assign(io.env, WAITS_FOR_NEXT_HOUR);
    })
    .addHelpCommand(
      new Command("help")
        .argument("[command...]")
        .description("Print help for a command")
        .helpGroup(`${helpGroup}:`),
    )
    .showHelpAfterError("(use --help for usage)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printText(io, text),
      writeErr: (text) => warn(io, text.replace(/\n$/, "")),
      getOutHelpWidth: () => io.stdout.columns || 100,
      getErrHelpWidth: () => io.stderr.columns || 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const command of commands) command.addTo(program, execute);
  return program.addHelpText(
    "after",
    "\nExample:\n  workspacectl up -f workspace.yaml\n\n" +
      "Exit codes: 0 success, 1 error, 2 changes (preview --exit-code), 3 watched execution did not succeed, 4 declined, 7 drift or differences, 10 incomplete, 130 interrupted. " +
      "WORKSPACECTL_DEBUG=1 adds stack traces to errors.",
  );
}
