/** Declares `workspacectl export`. */
import { Option } from "@commander-js/extra-typings";
import { type Language, writers } from "../../../automation/export/writers/writers.js";
import { createCompositionOptions } from "../../options/document.js";
import { type OptionsOf, parseRepeatable } from "../../options/option-values.js";
import {
  createConnectionOption,
  createEngineOption,
  createScopeOptions,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  ...createCompositionOptions(),
  createConnectionOption(),
  new Option("-w, --workspace <domain>", "Workspace domain, when it is not the connection's"),
  new Option("-o, --output <file>", "Write to this file; update it if it exists"),
  new Option("--split <dir>", "Write or update a folder: workspace.yaml and one file per project"),
  ...createScopeOptions(),
  new Option(
    "--owns <pattern>",
    "Write the file of a team that owns the matching objects, such as 'projects/web/**'; repeatable",
  ).argParser(parseRepeatable()),
  new Option("--variables-file <file>", "Write the variables to set to this file, instead of listing them"),
  new Option(
    "--values-from <file>",
    "With --variables-file: fill in values from the output of `terraform show -json`",
  ),
  new Option("--language <language>", "Write a workspace file, or a Pulumi program into the folder -o")
    .choices(Object.keys(writers) as Language[])
    .default("yaml"),
  new Option("--format <format>", "Write declarations, or the file that `pulumi import --file` reads")
    .choices(["declarations", "import-file"])
    .default("declarations")
    .conflicts(["split", "language"]),
  createEngineOption("With --format import-file: engine of the resources (default: plugin)"),
  new Option(
    "--people <file>",
    "Read the e-mail addresses of members from this file, if the service hides them; create it, to be filled in, if it is missing",
  ),
  new Option("-s, --stack <name>", "Apply the overlay of this stack to the file that is updated"),
  new Option("--dry-run", "Write nothing; show the changes to the existing file"),
  new Option("--wait", "Wait for the rate limit to reset when it is reached"),
  new Option("--fresh", "Read everything again, instead of resuming an interrupted export"),
  new Option("--force", "Replace existing files"),
] as const;

export type ExportCommandOptions = OptionsOf<typeof options>;

export const exportCommand = defineCommand({
  name: "export",
  group: "Existing and multiple workspaces",
  description: "Export the live workspace to a workspace file or a program, or update an existing file",
  options,
  example: "workspacectl export --connection us -o workspace.yaml",
  run: async () => (await import("../../operations/export.js")).exportWorkspace,
});
