/** Declares `workspacectl preview`. */
import { Option } from "commander";
import {
  createDetailsOptions,
  FormerOption,
  createNoRefreshOption,
  createOnlyOption,
  createOutputOption,
  createUnverifiableOption,
} from "../../options/common.js";
import { createGuardOptions } from "../../options/guards.js";
import { formatOption } from "../../options/report.js";
import { planFormats } from "../../reporters/format-names.js";
import { createProgramOption } from "../../options/document.js";
import { createEngineOptions } from "../../options/stack.js";
import { defineCommand } from "../command.js";

export const previewCommand = defineCommand({
  name: "preview",
  alias: "plan",
  group: "Common commands",
  description: "Preview the changes that up would make, and show changes made outside of Pulumi",
  options: [
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
    new Option("--strict-guards", "Fail if up would refuse the plan because of a guard"),
    new FormerOption("--out <file>", "savePlan"),
  ],
  example: "workspacectl preview -f workspace.yaml --stack us --format markdown=preview.md",
  run: async () => (await import("./run.js")).preview,
});
