/** Declares `workspacectl init`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { type OptionsOf, parseRepeatable } from "../../options/option-values.js";
import { createConnectionOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

/** How existing projects are declared. */
const existingStrategies = ["external", "adopt"] as const;
export type ExistingStrategy = (typeof existingStrategies)[number];

export interface ExistingProject {
  readonly name: string;
  readonly displayName: string | undefined;
  readonly strategy: ExistingStrategy;
}

const args = { dir: new Argument("[dir]", "Folder to write to").default(".") };

const options = [
  createConnectionOption(),
  new Option("-w, --workspace <domain>", "Workspace domain"),
  new Option("--project <name>", "Declare this project; repeatable").argParser(parseRepeatable()),
  new Option("--member <email>", "Invite this person; repeatable").argParser(parseRepeatable()),
  new Option("--admin <email>", "Invite this person as an administrator; repeatable").argParser(
    parseRepeatable(),
  ),
  new Option("--existing <how>", "Refer to existing projects (external), or manage them too (adopt)").choices(
    existingStrategies,
  ),
  new Option("--pulumi", "Also create a Pulumi project: Pulumi.yaml, package.json and a program"),
  new Option(
    "--backend <address>",
    'Where Pulumi stores the state: an address, or "local" for this folder (default)',
  ),
  new Option("--force", "Overwrite existing files"),
  new Option("-y, --yes", "Ask no questions, and use the options only"),
] as const;

export type InitOptions = OptionsOf<typeof options, typeof args>;

export const initCommand = defineCommand({
  name: "init",
  group: "Getting started",
  description: "Create a first workspace file from prompts or options, without overwriting anything",
  arguments: args,
  options,
  example: "workspacectl init infrastructure --workspace acme --connection us --project web --yes",
  run: async () => (await import("./run-init.js")).init,
});
