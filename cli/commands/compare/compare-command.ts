/** Declares `workspacectl compare`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { comparedClasses } from "../../../automation/report/finding-classes.js";
import { allowOptions, createProjectFileOption } from "../../options/document.js";
import { reportOptions } from "../../options/formats.js";
import { type OptionsOf, parseSomeOfOrNone } from "../../options/option-values.js";
import {
  createQuietOption,
  createScopeOptions,
  createUnverifiableOption,
  waitOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const SOURCE =
  "Connection, workspace file (FILE+OVERLAY) or stack; the prefixes connection:, file: and stack: tell them apart";

const args = {
  left: new Argument("<left>", SOURCE),
  right: new Argument("<right>", "Workspace to compare it with, given in the same way"),
};

const options = [
  createProjectFileOption(),
  ...createScopeOptions(),
  new Option(
    "--mapping <file>",
    "Read the names of integrations on the right from this file (default: replicate-mapping.yaml)",
  ),
  new Option(
    "--left-people <file>",
    "Read the e-mail addresses of members on the left from this file or state (stack:NAME@FILE), if the service hides them",
  ),
  new Option(
    "--right-people <file>",
    "Read the e-mail addresses of members on the right from this file, as written by export --people, or state",
  ),
  new Option(
    "--exceptions <file>",
    "Suppress the differences listed in this file (default: compare-exceptions.yaml)",
  ),
  new Option(
    "--fail-on <classes>",
    `Exit with code 7 for these: ${comparedClasses.join(", ")}, or none (default: missing,added,changed)`,
  ).argParser(parseSomeOfOrNone(comparedClasses)),
  ...allowOptions(),
  waitOption(),
  createUnverifiableOption(),
  createQuietOption(),
  ...reportOptions(),
] as const;

export type CompareOptions = OptionsOf<typeof options, typeof args>;

export const compareCommand = defineCommand({
  name: "compare",
  group: "Existing and multiple workspaces",
  description: "Compare two workspaces, each given as a connection, a file or a stack",
  arguments: args,
  options,
  example: "workspacectl compare us eu --format markdown --format html=compare.html",
  run: async () => (await import("./run-compare.js")).compare,
});
