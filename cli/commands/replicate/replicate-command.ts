/** Declares `workspacectl replicate`. */
import { Option } from "@commander-js/extra-typings";
import { createFileOptions } from "../../options/document.js";
import { createGuardOptions } from "../../options/guards.js";
import { type OptionsOf, splitCommas } from "../../options/option-values.js";
import {
  createDetailsOptions,
  createNoRefreshOption,
  createReceiptOption,
  createStackOption,
  createYesOption,
  FormerOption,
  waitOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  ...createFileOptions(),
  new Option(
    "--from <connection>",
    "Connection of the source workspace, which the file describes (read only)",
  ).makeOptionMandatory(),
  new Option("--to <connection>", "Connection of the workspace to create or update").makeOptionMandatory(),
  new Option("-s, --stack <name>", "Stack of the target workspace (default: the name of its connection)"),
  new Option("--kinds <kinds>", "Limit to these sections or types, such as projects,pipelines").argParser(
    splitCommas,
  ),
  new Option("--mapping <file>", "Names of integrations in the target (default: replicate-mapping.yaml)"),
  new Option("--adopt", "Adopt existing objects of the same name in the target"),
  new Option("--dry-run", "Write neither the overlay nor the workspace"),
  createYesOption(),
  createStackOption(),
  createNoRefreshOption(),
  createReceiptOption(),
  waitOption(),
  ...createDetailsOptions(),
  new FormerOption("--watch-list <kinds>", "kinds", splitCommas),
  ...createGuardOptions(),
] as const;

export type ReplicateOptions = OptionsOf<typeof options>;

export const replicateCommand = defineCommand({
  name: "replicate",
  group: "Existing and multiple workspaces",
  description: "Replicate a workspace to another connection: write its stack's overlay, then run up",
  options,
  example: "workspacectl replicate --from us --to eu",
  run: async () => (await import("./run-replicate.js")).runReplicate,
});
