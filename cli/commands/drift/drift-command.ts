/** Declares `workspacectl drift` with accept, revert and history, which inherit its options. */
import { Argument, Option } from "@commander-js/extra-typings";
import type { Command } from "commander";
import { AutomationError } from "../../../automation/errors.js";
import { addedScopes, findingClasses } from "../../../automation/report/finding-classes.js";
import { createFileOptions, createProgramOption } from "../../options/document.js";
import { reportOptions } from "../../options/formats.js";
import { createGuardOptions } from "../../options/guards.js";
import { type OptionsOf, parseDuration, parseSomeOfOrNone } from "../../options/option-values.js";
import {
  createConnectionOption,
  createDetailsOptions,
  createEngineOption,
  createHelpSettings,
  createQuietOption,
  createReceiptOption,
  createUnverifiableOption,
  createYesOption,
  stackOption,
  waitOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const driftOptions = [
  ...createFileOptions(),
  createProgramOption("Folder of a Pulumi program in any language, whose state is compared; it is not run"),
  stackOption(),
  createConnectionOption(),
  createEngineOption(),
  createQuietOption(),
  new Option(
    "--fail-on <classes>",
    `Exit with code 7 for these: ${findingClasses.join(", ")}, or none (default: deleted,changed,added)`,
  ).argParser(parseSomeOfOrNone(findingClasses)),
  new Option(
    "--fail-after <duration>",
    "With --state-file: do not fail for findings that are younger, such as 24h",
  ).argParser(parseDuration),
  new Option("--added <scope>", "Where to look for unmanaged objects")
    .choices(addedScopes)
    .default("declared"),
  new Option(
    "--ignore <file>",
    "Suppress the drift listed in this file (default: drift-ignore.yaml next to the workspace file)",
  ),
  createUnverifiableOption(),
  waitOption(),
  ...reportOptions(),
] as const;

export type DriftOptions = OptionsOf<typeof driftOptions>;

const createRemedyArguments = () => ({
  names: new Argument(
    "[names...]",
    "Logical names or patterns of objects (groups/QA, 'projects/web/**') or ids of findings; without any, a prompt offers them",
  ),
});

const createRemedyOptions = () =>
  [
    new Option("--all", "Select everything that has drifted"),
    new Option("--report <file>", "Use the findings of drift --format json instead of reading the workspace"),
  ] as const;

/** Options of `drift` that mean nothing without a report. */
const REPORT_OPTIONS = [
  "format",
  "output",
  "stateFile",
  "webhook",
  "webhookAlways",
  "failOn",
  "failAfter",
] as const;

/** Hides and refuses the inherited options that only concern the report. */
function withoutReportOptions(command: Command): void {
  const hidden = ["json", "program", ...REPORT_OPTIONS];
  command.configureHelp(createHelpSettings(hidden)).hook("preAction", () => {
    const options = command.optsWithGlobals<Record<string, unknown>>();
    if (options["program"] !== undefined)
      throw new AutomationError(
        `"drift ${command.name()}" does not support --program: no command changes the code of a program`,
        'edit the program to accept a change, or run "workspacectl up --program FOLDER" to revert it',
      );
    const unsuitable = REPORT_OPTIONS.find((option) => options[option] !== undefined);
    if (unsuitable === undefined) return;
    const flag = unsuitable.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new AutomationError(
      `"drift ${command.name()}" does not support --${flag}, which is an option of the report`,
      `omit it, or use it with "workspacectl drift"`,
    );
  });
}

const acceptOptions = [
  ...createRemedyOptions(),
  new Option("--write-files", "Also write the files that ${file:...} placeholders name"),
  new Option("--dry-run", "Write nothing; show the changes as a diff"),
] as const;

export type DriftAcceptOptions = OptionsOf<
  readonly [...typeof driftOptions, ...typeof acceptOptions],
  ReturnType<typeof createRemedyArguments>
>;

const driftAcceptCommand = defineCommand({
  name: "accept",
  description: "Update the workspace file to match the live workspace, keeping comments and placeholders",
  inherited: driftOptions,
  arguments: createRemedyArguments(),
  options: acceptOptions,
  example: "workspacectl drift accept groups/QA variables/REGION --dry-run",
  configure: withoutReportOptions,
  run: async () => (await import("./accept.js")).runDriftAccept,
});

const historyArguments = {
  objects: new Argument("[objects...]", "Logical names or patterns of objects (default: all)"),
};

export type DriftHistoryOptions = OptionsOf<typeof driftOptions, typeof historyArguments>;

const driftHistoryCommand = defineCommand({
  name: "history",
  description: "Show since when and how often the runs with --state-file have found drift",
  inherited: driftOptions,
  arguments: historyArguments,
  example: "workspacectl drift history --state-file .drift/us.json 'projects/web/**'",
  run: async () => (await import("./history.js")).showDriftHistory,
});

const revertOptions = [
  ...createRemedyOptions(),
  ...createDetailsOptions(),
  createYesOption(),
  createReceiptOption(),
  ...createGuardOptions(),
] as const;

export type DriftRevertOptions = OptionsOf<
  readonly [...typeof driftOptions, ...typeof revertOptions],
  ReturnType<typeof createRemedyArguments>
>;

const driftRevertCommand = defineCommand({
  name: "revert",
  description: "Restore only the selected objects to what the file declares",
  inherited: driftOptions,
  arguments: createRemedyArguments(),
  options: revertOptions,
  example: "workspacectl drift revert projects/web/pipelines/deploy --yes",
  configure: withoutReportOptions,
  run: async () => (await import("./revert.js")).runDriftRevert,
});

export const driftCommand = defineCommand({
  name: "drift",
  group: "Common commands",
  description: "Detect drift between file, state and live workspace, without changing any of them",
  options: driftOptions,
  example: "workspacectl drift -f workspace.yaml --stack us --format markdown --format html=drift.html",
  run: async () => (await import("./run-drift.js")).runDrift,
  subcommands: [driftAcceptCommand, driftRevertCommand, driftHistoryCommand],
});
