/** Declares `workspacectl up`. */
import { Option } from "@commander-js/extra-typings";
import { createProgramOption } from "../../options/document.js";
import { createGuardOptions } from "../../options/guards.js";
import { type OptionsOf, parseApprovedFingerprint, parseDuration } from "../../options/option-values.js";
import {
  createCheckpointOption,
  createDetailsOptions,
  createEngineOptions,
  createNoRefreshOption,
  createOnlyOption,
  createReceiptOption,
  createStackOption,
  createYesOption,
  waitOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  ...createEngineOptions(),
  createProgramOption(),
  ...createDetailsOptions(),
  createYesOption(),
  createOnlyOption(),
  createNoRefreshOption(),
  new Option("--adopt-after-crash", "Adopt objects that an interrupted run on another machine created"),
  new Option("--plan <file>", "Apply exactly this saved plan, or refuse"),
  new Option(
    "--approved <fingerprint>",
    "Apply only a plan with this fingerprint, which preview prints, or refuse",
  ).argParser(parseApprovedFingerprint),
  new Option("--max-age <duration>", "Refuse a saved plan older than this, such as 12h").argParser(
    parseDuration,
  ),
  createReceiptOption(),
  createStackOption(),
  createCheckpointOption(),
  ...createGuardOptions(),
  waitOption(),
] as const;

export type UpCommandOptions = OptionsOf<typeof options>;

export const upCommand = defineCommand({
  name: "up",
  alias: "apply",
  group: "Common commands",
  description: "Create, update or delete objects so that the workspace matches the file",
  options,
  example: "workspacectl up -f workspace.yaml --stack us --yes",
  run: async () => (await import("../../operations/up.js")).runUp,
});
