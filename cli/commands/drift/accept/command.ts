/** Declares `workspacectl drift accept`. */
import { driftOptions } from "../options.js";
import { Option } from "@commander-js/extra-typings";
import { defineCommand } from "../../command.js";
import { createRemedyArguments, createRemedyOptions, withoutReportOptions } from "../remedy.js";

export const driftAcceptCommand = defineCommand({
  name: "accept",
  description: "Update the workspace file to match the live workspace, keeping comments and placeholders",
  inherited: driftOptions,
  arguments: createRemedyArguments(),
  options: [
    ...createRemedyOptions(),
    new Option("--write-files", "Also write the files that ${file:...} placeholders name"),
    new Option("--dry-run", "Write nothing; show the changes as a diff"),
  ],
  example: "workspacectl drift accept groups/QA variables/REGION --dry-run",
  configure: withoutReportOptions,
  run: async () => (await import("./run.js")).runDriftAccept,
});
