import { Option } from "commander";
import {
  detailsOptions,
  FormerOption,
  noRefreshOption,
  onlyOption,
  outputOption,
  unverifiableOption,
} from "../../options/common.js";
import { guardOptions } from "../../options/guards.js";
import { formatOption } from "../../options/report.js";
import { planFormats } from "../../reporters/format-names.js";
import { engineOptions } from "../../options/stack.js";
import { defineCommand } from "../command.js";

export const previewCommand = defineCommand({
  name: "preview",
  alias: "plan",
  group: "Common commands",
  description: "Preview the changes that up would make, and show changes made outside of Pulumi",
  options: [
    ...engineOptions(),
    ...detailsOptions(),
    onlyOption(),
    noRefreshOption(),
    unverifiableOption(),
    new Option("--save-plan <file>", "Save the plan to this file, for up --plan"),
    outputOption(),
    ...guardOptions(),
    formatOption(planFormats),
    new Option("--strict-guards", "Fail if up would refuse the plan because of a guard"),
    new FormerOption("--out <file>", "savePlan"),
  ],
  example: "workspacectl preview -f workspace.yaml --stack us --format markdown=preview.md",
  run: async () => (await import("./run.js")).preview,
});
