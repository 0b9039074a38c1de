/** Declares `workspacectl access`. */
import { Option } from "@commander-js/extra-typings";
import { createDocumentOptions } from "../../options/document.js";
import { formatNameIn } from "../../options/formats.js";
import type { OptionsOf } from "../../options/option-values.js";
import { createConnectionOption, createOutputOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const FORMATS = ["text", "json", "markdown", "html"] as const;

const options = [
  ...createDocumentOptions(),
  createConnectionOption(),
  new Option("--live", "Read the workspace; exit with code 10 when something cannot be read"),
  new Option("--declared", "Read the file (default)").conflicts("live"),
  new Option("--member <member>", "Limit to this person: e-mail address, name or number"),
  new Option("--project <name>", "Limit to this project"),
  new Option("--format <format>", "Output format")
    .choices(FORMATS)
    .argParser(formatNameIn(FORMATS))
    .default("text"),
  createOutputOption(),
] as const;

export type AccessOptions = OptionsOf<typeof options>;

export const accessCommand = defineCommand({
  name: "access",
  group: "Common commands",
  description: "Show who can do what, according to the file or in the live workspace",
  options,
  example: "workspacectl access --live --format html -o access.html",
  run: async () => (await import("./run-access.js")).access,
});
