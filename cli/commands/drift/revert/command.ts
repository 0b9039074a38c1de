import { detailsOptions, receiptOption, waitOption, yesOption } from "../../../options/common.js";
import { guardOptions } from "../../../options/guards.js";
import { defineCommand } from "../../command.js";
import { remedyArguments, remedyOptions, withoutReportOptions } from "../remedy.js";

export const driftRevertCommand = defineCommand({
  name: "revert",
  description: "Restore only the selected objects to what the file declares",
  arguments: remedyArguments(),
  options: [
    ...remedyOptions(),
    ...detailsOptions(),
    yesOption(),
    receiptOption(),
    ...guardOptions(),
    waitOption(),
  ],
  example: "workspacectl drift revert projects/web/pipelines/deploy --yes",
  configure: withoutReportOptions,
  run: async () => (await import("./run.js")).driftRevert,
});
