/** Declares `workspacectl drift`. */
import { Option } from "commander";
import {
  createConnectionOption,
  createEngineOption,
  createQuietOption,
  stackOption,
  createUnverifiableOption,
} from "../../options/common.js";
import { createFileOptions, createProgramOption } from "../../options/document.js";
import { parseDuration, parseSomeOfOrNone } from "../../options/parsers.js";
import { reportOptions } from "../../options/report.js";
import { defineCommand } from "../command.js";
import { driftAcceptCommand } from "./accept/command.js";
import { addedScopes, findingClasses } from "./classes.js";
import { driftHistoryCommand } from "./history/command.js";
import { driftRevertCommand } from "./revert/command.js";

export const driftCommand = defineCommand({
  name: "drift",
  group: "Common commands",
  description: "Detect drift between file, state and live workspace, without changing any of them",
  options: [
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
    ...reportOptions(),
  ],
  example: "workspacectl drift -f workspace.yaml --stack us --format markdown --format html=drift.html",
  run: async () => (await import("./run.js")).runDrift,
  subcommands: [driftAcceptCommand, driftRevertCommand, driftHistoryCommand],
});
