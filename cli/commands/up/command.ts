import { Option } from "commander";
import {
  checkpointOption,
  createStackOption,
  detailsOptions,
  noRefreshOption,
  onlyOption,
  receiptOption,
  waitOption,
  yesOption,
} from "../../options/common.js";
import { guardOptions } from "../../options/guards.js";
import { duration, approvedFingerprint } from "../../options/parsers.js";
import { engineOptions } from "../../options/stack.js";
import { defineCommand } from "../command.js";

export const upCommand = defineCommand({
  name: "up",
  alias: "apply",
  group: "Common commands",
  description: "Create, update or delete objects so that the workspace matches the file",
  options: [
    ...engineOptions(),
    ...detailsOptions(),
    yesOption(),
    onlyOption(),
    noRefreshOption(),
    new Option("--adopt-after-crash", "Adopt objects that an interrupted run on another machine created"),
    new Option("--plan <file>", "Apply exactly this saved plan, or refuse"),
    new Option(
      "--approved <fingerprint>",
      "Apply only a plan with this fingerprint, which preview prints, or refuse",
    ).argParser(approvedFingerprint),
    new Option("--max-age <duration>", "Refuse a saved plan older than this, such as 12h").argParser(
      duration,
    ),
    receiptOption(),
    createStackOption(),
    checkpointOption(),
    ...guardOptions(),
    waitOption(),
  ],
  example: "workspacectl up -f workspace.yaml --stack us --yes",
  run: async () => (await import("./run.js")).up,
});
