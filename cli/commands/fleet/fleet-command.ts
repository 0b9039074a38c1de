/** Declares `workspacectl fleet`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { formats, shardFormats } from "../../../reports/formats.js";
import { allowEnvOption, DEFAULT_FLEET_FILE } from "../../options/document.js";
import { formatOption } from "../../options/formats.js";
import { createPolicyOption } from "../../options/guards.js";
import {
  MOST_SHARDS,
  type OptionsOf,
  parseApprovedFingerprint,
  parseRepeatable,
  parseRunName,
  parseShardChoice,
  parseWholeNumber,
} from "../../options/option-values.js";
import {
  createJsonOption,
  createOutputOption,
  createQuietOption,
  createYesOption,
  waitOption,
} from "../../options/shared-options.js";
import { type CommandDefinition, defineCommand } from "../define-command.js";
import type { FleetCommand } from "./workspace-command.js";

const promoteArguments = { file: createFileArgument() };

const promoteOptions = [
  new Option("--from <name>", "The workspace that runs the commit").makeOptionMandatory(),
  new Option("--to <name>", "The workspace whose revision is set in the fleet file").makeOptionMandatory(),
  new Option("--revision <commit>", "Promote this commit instead"),
  new Option("--dry-run", "Show what would be promoted, without changing the file"),
  createJsonOption(),
] as const;

export type PromoteOptions = OptionsOf<typeof promoteOptions, typeof promoteArguments>;

const planArguments = { file: createFileArgument() };

const planOptions = [
  new Option("--shards <n>", "Number of shards")
    .argParser(parseWholeNumber(1, MOST_SHARDS))
    .makeOptionMandatory(),
  createOnlyWorkspacesOption(),
  createWaveOption("Divide only the workspaces of this wave"),
  createFiguresOption(),
  formatOption(shardFormats),
] as const;

export type PlanOptions = OptionsOf<typeof planOptions, typeof planArguments>;

const mergeArguments = { reports: new Argument("<reports...>", "Files that --format json=FILE has written") };

const mergeOptions = [
  new Option("--figures <file>", "Write the requests and objects of this run to this file, for the next one"),
  formatOption(formats),
  createOutputOption(),
] as const;

export type MergeOptions = OptionsOf<typeof mergeOptions, typeof mergeArguments>;

/** Further options of some commands for each workspace. */
const furtherOptions = {
  drift: [
    new Option(
      "--state-file <file>",
      "Remember in this file what was posted to the owners, and post only what has changed",
    ),
  ],
  compare: [
    new Option("--with <name>", "The workspace with which to compare the others").makeOptionMandatory(),
  ],
  up: [
    new Option(
      "--approved <fingerprint>",
      "Apply only plans with this fingerprint, which fleet preview prints, or refuse",
    ).argParser(parseApprovedFingerprint),
    new Option(
      "--plan <file>",
      "Apply exactly the plans in this JSON report of fleet preview: of all workspaces, a wave or a shard",
    ),
    createWaveOption("Run only this wave, and its gate"),
    new Option("--resume", "Continue a run that did not finish, without the workspaces that are done"),
    new Option(
      "--run <name>",
      "Divide the workspaces with all machines that name the same run. Its progress is next to the states",
    )
      .conflicts("shard")
      .argParser(parseRunName),
    waitOption(),
    createYesOption(),
  ],
} as const;

const createOptions = () =>
  [
    createOnlyWorkspacesOption(),
    new Option(
      "--owner <pattern>",
      "Limit to workspaces whose owner matches, such as 'team-*'; repeatable",
    ).argParser(parseRepeatable()),
    new Option("--shard <i/n>", "Run only this shard of the workspaces, such as 1/4").argParser(
      parseShardChoice,
    ),
    createFiguresOption(),
    new Option(
      "--changed-since <commit>",
      "Limit to workspaces whose files have changed since this commit or branch, such as origin/main",
    ),
    new Option("--parallel <n>", "Number of workspaces at a time")
      .argParser(parseWholeNumber(1, 64))
      .default(4),
    allowEnvOption(),
    new Option("--fail-fast", "Start no further workspace after one has failed"),
    formatOption(formats),
    createQuietOption(),
  ] as const;

const createArguments = (name: string) => ({
  file: createFileArgument(),
  more: new Argument("[options...]", `After --: further options of workspacectl ${name} for each workspace`),
});

export type FleetOptions = OptionsOf<ReturnType<typeof createOptions>, ReturnType<typeof createArguments>> &
  OptionsOf<readonly [ReturnType<typeof createPolicyOption>]> &
  Partial<OptionsOf<(typeof furtherOptions)[keyof typeof furtherOptions]>>;

export const fleetCommand = defineCommand({
  name: "fleet",
  group: "Existing and multiple workspaces",
  description: "Review, update, check and compare several workspaces",
  subcommands: [
    defineForEachWorkspace("preview", "Preview the changes that up would make in each workspace"),
    defineForEachWorkspace("up", "Create, update or delete objects so that each workspace matches its file"),
    defineForEachWorkspace("drift", "Detect drift in each workspace, without changing anything"),
    defineForEachWorkspace("validate", "Check the files of each workspace for errors"),
    defineForEachWorkspace("lint", "Find likely mistakes in the files of each workspace"),
    defineForEachWorkspace("access", "Show who can do what in each workspace, according to its files"),
    defineForEachWorkspace("compare", "Compare each workspace with one of them"),
    defineCommand({
      name: "promote",
      description: "Pin a workspace to the commit that runs in another one",
      arguments: promoteArguments,
      options: promoteOptions,
      example: "workspacectl fleet promote --from us --to eu",
      run: async () => (await import("./promote.js")).promote,
    }),
    defineCommand({
      name: "plan",
      description: "Divide the workspaces among the jobs of a CI system",
      arguments: planArguments,
      options: planOptions,
      example: "workspacectl fleet plan --shards 4 --format github-matrix",
      run: async () => {
        const { planShards } = await import("./shards.js");
        return (options: PlanOptions, io) => planShards(options, io);
      },
    }),
    defineCommand({
      name: "merge",
      description: "Combine the reports of all shards into one report and one exit code",
      arguments: mergeArguments,
      options: mergeOptions,
      example: "workspacectl fleet merge reports/*.json --format text --format junit=fleet.xml",
      run: async () => {
        const { mergeReports } = await import("./saved-reports.js");
        return (options: MergeOptions, io) => mergeReports(options, io);
      },
    }),
  ],
});

function createFileArgument() {
  return new Argument("[fleet.yaml]", "File that lists the workspaces").default(DEFAULT_FLEET_FILE);
}

/** Without a file, the first option after `--` is parsed as the file. */
function withFile(options: FleetOptions): FleetOptions {
  const { file, more = [] } = options;
  return file.startsWith("-") ? { ...options, file: DEFAULT_FLEET_FILE, more: [file, ...more] } : options;
}

function createOnlyWorkspacesOption() {
  return new Option(
    "--only <pattern>",
    "Limit to workspaces with matching names, such as 'eu-*'; repeatable",
  ).argParser(parseRepeatable());
}

function createWaveOption(description: string) {
  return new Option("--wave <name>", description);
}

function createFiguresOption() {
  return new Option(
    "--figures <file>",
    "Requests and objects of the last runs, which balance the shards (default: fleet.figures.json next to the fleet file)",
  );
}

function defineForEachWorkspace(name: FleetCommand, description: string): CommandDefinition {
  const isUp = name === "up";
  return defineCommand({
    name,
    description,
    arguments: createArguments(name),
    options: [
      ...createOptions(),
      ...(["drift", "access", "compare"].includes(name) ? [] : [createPolicyOption()]),
      ...(name === "drift" || name === "compare" || isUp ? furtherOptions[name] : []),
    ],
    example: `workspacectl fleet ${name} fleet.yaml ${name === "compare" ? "--with us" : "--parallel 2"}${isUp ? " --yes" : ""}`,
    run: async () => {
      const { runFleetCommand } = await import("./run-fleet.js");
      return (options: FleetOptions, io) => runFleetCommand(name, withFile(options), io);
    },
  });
}
