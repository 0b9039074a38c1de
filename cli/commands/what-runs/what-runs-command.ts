/** Declares `workspacectl what-runs`. */
import { Option } from "@commander-js/extra-typings";
import { createDocumentOptions } from "../../options/document.js";
import type { OptionsOf } from "../../options/option-values.js";
import { createJsonOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const EVENTS = ["push", "pushTag", "schedule", "manual"];
const listOtherOptions = (own: string) => EVENTS.filter((event) => event !== own);

const options = [
  ...createDocumentOptions(),
  new Option("--push <branch>", "Show what a push to this branch would run").conflicts(
    listOtherOptions("push"),
  ),
  new Option("--push-tag <tag>", "Show what a push of this tag would run").conflicts(
    listOtherOptions("pushTag"),
  ),
  new Option("--schedule", "Show what all schedules would run").conflicts(listOtherOptions("schedule")),
  new Option(
    "--manual <pipeline>",
    "Show what starting this pipeline (PROJECT/PIPELINE) manually would run",
  ).conflicts(listOtherOptions("manual")),
  new Option("--project <pattern>", "Limit to projects with matching names, such as 'web-*'"),
  createJsonOption(),
] as const;

export type WhatRunsOptions = OptionsOf<typeof options>;

export const whatRunsCommand = defineCommand({
  name: "what-runs",
  group: "Common commands",
  description: "Show what a push, a schedule or a manual start would run, according to the file",
  options,
  example: "workspacectl what-runs --push main",
  run: async () => (await import("./run-what-runs.js")).runWhatRuns,
});
