/** The options of `workspacectl drift`, which its subcommands take too. */
import { Option } from "@commander-js/extra-typings";
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
import type { OptionsOf } from "../../options/infer-options.js";
import { addedScopes, findingClasses } from "./classes.js";

export const driftOptions = [
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
] as const;

export type DriftOptions = OptionsOf<typeof driftOptions>;
