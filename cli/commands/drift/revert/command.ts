/** Declares `workspacectl drift revert`. */
import { driftOptions } from "../options.js";
import {
  createDetailsOptions,
  createReceiptOption,
  waitOption,
  createYesOption,
} from "../../../options/common.js";
import { createGuardOptions } from "../../../options/guards.js";
import { defineCommand } from "../../command.js";
import { createRemedyArguments, createRemedyOptions, withoutReportOptions } from "../remedy.js";

export const driftRevertCommand = defineCommand({
  name: "revert",
  description: "Restore only the selected objects to what the file declares",
  inherited: driftOptions,
  arguments: createRemedyArguments(),
  options: [
    ...createRemedyOptions(),
    ...createDetailsOptions(),
    createYesOption(),
    createReceiptOption(),
    ...createGuardOptions(),
    waitOption(),
  ],
  example: "workspacectl drift revert projects/web/pipelines/deploy --yes",
  configure: withoutReportOptions,
  run: async () => (await import("./run.js")).runDriftRevert,
});
