/** Declares `workspacectl history`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { createProjectFileOption } from "../../options/document.js";
import { type OptionsOf, parseRepeatable, parseWholeNumber } from "../../options/option-values.js";
import { createJsonOption, stackOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const args = { object: new Argument("<object>", "Logical name of the object, such as groups/QA") };

const options = [
  createProjectFileOption(),
  stackOption(),
  new Option(
    "--receipts <path>",
    "Also read this file that up --receipt has written, or all in this folder; repeatable",
  ).argParser(parseRepeatable()),
  new Option("--limit <n>", "Show at most this many changes").argParser(parseWholeNumber(1)).default(20),
  createJsonOption(),
] as const;

export type HistoryOptions = OptionsOf<typeof options, typeof args>;

export const historyCommand = defineCommand({
  name: "history",
  group: "Common commands",
  description: "Show who changed what of an object when, from receipts and Pulumi's history",
  arguments: args,
  options,
  example: "workspacectl history projects/web/pipelines/deploy --stack us --receipts receipts",
  run: async () => (await import("./run-history.js")).showHistory,
});
