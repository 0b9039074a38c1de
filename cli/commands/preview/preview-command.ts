/** Declares `workspacectl preview`. */
import { Option } from "@commander-js/extra-typings";
import { planFormats } from "../../../reports/formats.js";
import { createProgramOption } from "../../options/document.js";
import { formatOption } from "../../options/formats.js";
import { createGuardOptions } from "../../options/guards.js";
import type { OptionsOf } from "../../options/option-values.js";
import {
  createDetailsOptions,
  createEngineOptions,
  createNoRefreshOption,
  createOnlyOption,
  createOutputOption,
  createUnverifiableOption,
  FormerOption,
  waitOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  ...createEngineOptions(),
  createProgramOption(),
  ...createDetailsOptions(),
  createOnlyOption(),
  createNoRefreshOption(),
  createUnverifiableOption(),
  new Option("--save-plan <file>", "Save the plan to this file, for up --plan"),
  createOutputOption(),
  ...createGuardOptions(),
  formatOption(planFormats),
  waitOption(),
  new Option("--strict-guards", "Fail if up would refuse the plan because of a guard"),
  new Option("--exit-code", "Exit with code 2 if up would change something"),
  new FormerOption("--out <file>", "savePlan"),
  // Terraform's word.
  new FormerOption("--detailed-exitcode", "exitCode"),
] as const;

export type PreviewCommandOptions = OptionsOf<typeof options>;

export const previewCommand = defineCommand({
  name: "preview",
  alias: "plan",
  group: "Common commands",
  description: "Preview the changes that up would make, and show changes made outside of Pulumi",
  options,
  example: "workspacectl preview -f workspace.yaml --stack us --format markdown=preview.md",
  run: async () => (await import("../../operations/preview.js")).preview,
});
