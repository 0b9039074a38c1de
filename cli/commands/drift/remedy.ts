/** What `drift accept` and `drift revert` have in common. They inherit file, stack, connection and ignore file from `drift`. */
import { Argument, Option } from "@commander-js/extra-typings";
import type { Command } from "commander";
import { createHelpSettings } from "../../options/help.js";
import { CliError } from "../../errors.js";

export const createRemedyArguments = () => ({
  names: new Argument(
    "[names...]",
    "Logical names of objects (groups/QA) or ids of findings; without any, a prompt offers them",
  ),
});

export const createRemedyOptions = () =>
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
export function withoutReportOptions(command: Command): void {
  const hidden = ["json", ...REPORT_OPTIONS];
  command.configureHelp(createHelpSettings(hidden)).hook("preAction", () => {
    const options = command.optsWithGlobals<Record<string, unknown>>();
    const unsuitable = REPORT_OPTIONS.find((option) => options[option] !== undefined);
    if (unsuitable === undefined) return;
    const flag = unsuitable.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CliError(
      `"drift ${command.name()}" does not support --${flag}, which is an option of the report`,
      `omit it, or use it with "workspacectl drift"`,
    );
  });
}
