/** Options that several commands have in common, and how help shows them. Each call makes a new option, because commander changes them. */
import { Argument, Option } from "@commander-js/extra-typings";
import { type Command, Help, type HelpConfiguration, type Option as AnOption } from "commander";
import { engines } from "../../resources/definition/provider-engine.js";
import { createFileOptions } from "./document.js";
import { parseRepeatable, splitCommas } from "./option-values.js";

export const stackOption = () =>
  new Option(
    "-s, --stack <name>",
    "Pulumi stack (default: PULUMI_STACK, the file's, the selected one, the only one, or dev)",
  );

export const createConnectionOption = () =>
  new Option("-c, --connection <name>", "Connection to use: base address and credentials");

export const createWorkspaceOption = () =>
  new Option("-w, --workspace <domain>", "Workspace domain (default: the connection's, or the only one)");

export const createEngineOption = (
  description = "Engine of the resources (default: the one in the file or the state)",
) => new Option("--engine <engine>", description).choices(engines);

export const createQuietOption = () => new Option("-q, --quiet", "Print only the result and problems");

export const createJsonOption = () =>
  new Option("--json", "Print the result as JSON; messages for people go to stderr");

export const createOutputOption = () =>
  new Option("-o, --output <file>", "Write to this file instead of standard output");

export const createYesOption = () =>
  new Option("-y, --yes", "Skip the confirmation; required without a terminal");

export const createStackOption = () =>
  new Option(
    "--create-stack [name]",
    "Create the stack if it does not exist, and select it; without it, you are asked on a terminal",
  );

export const createCheckpointOption = () =>
  new Option(
    "--checkpoint <mode>",
    "Write the state after every object, or once at the end, with a journal of all steps until then (default: journal, where possible)",
  ).choices(["every", "journal"]);

export const createNoRefreshOption = () =>
  new Option("--no-refresh", "Trust the state: skip reading the workspace first");

export const createOnlyOption = () =>
  new Option(
    "--only <pattern>",
    "Limit to matching objects, such as 'projects/web/**', and what they need; repeatable",
  ).argParser(parseRepeatable());

export const createUnverifiableOption = () =>
  new Option("--unverifiable", "List the declared values that the service never returns");

export const createReceiptOption = () =>
  new Option("--receipt <file>", "Write a record of the changes to this file");

export const waitOption = () =>
  new Option("--wait", "Wait for the rate limit to reset when the remaining requests are not enough");

export const createProjectsOption = () =>
  new Option("--project <name>", "Limit to this project; repeatable").argParser(parseRepeatable());

/** Shows more of each object in a plan. */
export const createDetailsOptions = () =>
  [
    new Option(
      "--details",
      "Show the arguments of new and deleted objects, and the unchanged lines of long strings",
    ),
    new FormerOption("--diff", "details"),
  ] as const;

/** Limits how much of a workspace is read. */
export const createScopeOptions = () =>
  [
    new Option(
      "--kinds <kinds>",
      "Limit to these sections or types, such as projects,pipelines (default: all but branches)",
    ).argParser(splitCommas),
    new Option("--project <pattern>", "Limit to projects with matching names, such as 'web-*'"),
    new Option("--name <pattern>", "Limit to objects with matching names, and what they contain"),
  ] as const;

/** Keeps a former name of an option working, without showing it in the help. */
export class FormerOption extends Option<""> {
  /** @param current attribute of the option that replaces it */
  constructor(
    flags: string,
    readonly current: string,
    readonly parse: (text: string) => unknown = (text) => text,
  ) {
    super(flags as "");
    this.hideHelp();
  }
}

export const createServiceOptions = () =>
  [createConnectionOption(), createWorkspaceOption(), createJsonOption()] as const;

export const createPipelineArgument = () =>
  new Argument("<project/pipeline>", "Project, and name or number of the pipeline");

export const watchOption = () =>
  new Option("--watch", "Show progress until the execution ends; exit with code 3 unless it succeeds");

export const createEngineOptions = () =>
  [
    ...createFileOptions(),
    stackOption(),
    createConnectionOption(),
    createEngineOption(),
    createQuietOption(),
    createJsonOption(),
  ] as const;

/**
 * Shows the options that a sub-command inherits among its own, and only those of the program as global.
 * @param refused attributes of inherited options that the command does not support
 */
export function createHelpSettings(refused: readonly string[] = []): HelpConfiguration {
  const isShown = (option: AnOption) => !option.hidden && !refused.includes(option.attributeName());
  return {
    showGlobalOptions: true,
    visibleOptions: (command) => {
      const inherited = listAncestors(command)
        .filter(({ parent }) => parent !== null)
        .flatMap(({ options }) => options.filter(isShown));
      return [...new Help().visibleOptions(command), ...inherited];
    },
    visibleGlobalOptions: (command) => {
      const program = listAncestors(command).at(-1);
      return program?.options.filter(isShown) ?? [];
    },
  };
}

function listAncestors({ parent }: Command): Command[] {
  return parent === null ? [] : [parent, ...listAncestors(parent)];
}
