/** Declares `workspacectl stack`, `config` and `pulumi`: the stacks of a project, their configuration, and Pulumi itself. */
import { Argument, Option } from "@commander-js/extra-typings";
import { engines } from "../../../resources/definition/provider-engine.js";
import { createFileOptions, createProjectFileOption } from "../../options/document.js";
import type { OptionsOf } from "../../options/option-values.js";
import {
  createConnectionOption,
  createEngineOption,
  createJsonOption,
  createOutputOption,
  createStackOption,
  createYesOption,
  stackOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const load = () => import("./run-stack.js");

const createNameArgument = () => ({ name: new Argument("<stack>", "Name of the stack") });

const listOptions = [createProjectFileOption(), createJsonOption()] as const;

const selectOptions = [createProjectFileOption()] as const;

const removeOptions = [createProjectFileOption(), createYesOption()] as const;

const unlockOptions = [
  createProjectFileOption(),
  stackOption(),
  new Option(
    "--if-owner-gone",
    "Release it without asking if its run has not renewed it for a minute; exit with code 1 otherwise",
  ),
  new Option(
    "--unique-hostname",
    "With --if-owner-gone, also release a lock of this host that nobody renews, if its process has ended: only where no other machine has this host name",
  ),
  new Option("--force", "With --yes, also release the lock of a process that runs on this machine"),
  createYesOption(),
] as const;

const repairOptions = [
  ...createFileOptions(),
  stackOption(),
  createConnectionOption(),
  createEngineOption(),
  createStackOption(),
  new Option("--forget <name>", "Forget what a killed run did to this object instead"),
  createYesOption(),
] as const;

const exportOptions = [createProjectFileOption(), stackOption(), createOutputOption()] as const;

const migrateOptions = [
  createProjectFileOption(),
  stackOption(),
  new Option("--to <engine>", "Migrate the state to this engine").choices(engines).makeOptionMandatory(),
  new Option(
    "--backup <file>",
    "Write the state before the migration to this file (default: a file in a private folder)",
  ),
  createYesOption(),
] as const;

type NameArgument = ReturnType<typeof createNameArgument>;
export type StackListOptions = OptionsOf<typeof listOptions>;
export type StackSelectOptions = OptionsOf<typeof selectOptions, NameArgument>;
export type StackRemoveOptions = OptionsOf<typeof removeOptions, NameArgument>;
export type StackUnlockOptions = OptionsOf<typeof unlockOptions>;
export type StackRepairOptions = OptionsOf<typeof repairOptions>;
export type StackExportOptions = OptionsOf<typeof exportOptions>;
export type StackMigrateOptions = OptionsOf<typeof migrateOptions>;

export const stackCommand = defineCommand({
  name: "stack",
  group: "Stacks and tools",
  description: "List, create, select, remove, unlock, repair, export and migrate the stacks of a project",
  subcommands: [
    defineCommand({
      name: "ls",
      alias: "list",
      description: "List the stacks, and show where their state is stored",
      options: listOptions,
      example: "workspacectl stack ls",
      run: async () => (await load()).stackList,
    }),
    defineCommand({
      name: "init",
      description: "Create an empty stack, and select it",
      arguments: createNameArgument(),
      options: selectOptions,
      example: "workspacectl stack init eu",
      run: async () => (await load()).stackInit,
    }),
    defineCommand({
      name: "select",
      description: "Select the stack that commands use without --stack",
      arguments: createNameArgument(),
      options: selectOptions,
      example: "workspacectl stack select eu",
      run: async () => (await load()).stackSelect,
    }),
    defineCommand({
      name: "rm",
      description: "Remove a stack that no longer manages any object",
      arguments: createNameArgument(),
      options: removeOptions,
      example: "workspacectl stack rm old --yes",
      run: async () => (await load()).stackRemove,
    }),
    defineCommand({
      name: "unlock",
      description: "Release the lock that an interrupted run left behind",
      options: unlockOptions,
      example: "workspacectl stack unlock --stack us",
      run: async () => (await import("./unlock.js")).stackUnlock,
    }),
    defineCommand({
      name: "repair",
      description: "Rebuild a lost state from its copies, the journal of a killed run and the workspace",
      options: repairOptions,
      example: "workspacectl stack repair --stack us",
      run: async () => (await import("./repair.js")).stackRepair,
    }),
    defineCommand({
      name: "export",
      description: "Export the state as a backup, with secrets encrypted",
      options: exportOptions,
      example: "workspacectl stack export --stack us -o state.json",
      run: async () => (await load()).stackExport,
    }),
    defineCommand({
      name: "migrate",
      description:
        "Rewrite the state for dynamic providers or for the packaged plugin, without a request to the service",
      options: migrateOptions,
      example: "workspacectl stack migrate --to plugin --stack us",
      run: async () => (await import("./run-stack.js")).stackMigrate,
    }),
  ],
});

const loadConfig = () => import("./config.js");

const KEY = "Key, such as workspace-automation:connection; without a namespace, the project's";

const getArguments = { key: new Argument("[key]", KEY) };
const getOptions = [createProjectFileOption(), stackOption(), createJsonOption()] as const;

export type ConfigGetOptions = OptionsOf<typeof getOptions, typeof getArguments>;

const setArguments = {
  key: new Argument("<key>", KEY),
  value: new Argument("[value]", "Value; - reads it from standard input"),
};
const setOptions = [
  createProjectFileOption(),
  stackOption(),
  new Option("--secret", "Encrypt the value"),
] as const;

export type ConfigSetOptions = OptionsOf<typeof setOptions, typeof setArguments>;

export const configCommand = defineCommand({
  name: "config",
  group: "Stacks and tools",
  description: "Get and set the configuration of a stack",
  subcommands: [
    defineCommand({
      name: "get",
      description: "Print a configuration value, or all of them with secrets masked",
      arguments: getArguments,
      options: getOptions,
      example: "workspacectl config get workspace-automation:workspace --stack us",
      run: async () => (await loadConfig()).runConfigGet,
    }),
    defineCommand({
      name: "set",
      description: "Set a configuration value; a secret is read from a prompt or standard input",
      arguments: setArguments,
      options: setOptions,
      example: "echo $API_KEY | workspacectl config set api-key - --secret --stack us",
      run: async () => (await loadConfig()).runConfigSet,
    }),
  ],
});

export const pulumiCommand = defineCommand({
  name: "pulumi",
  group: "Stacks and tools",
  description: "Run any Pulumi command with the project's backend, passphrase and toolchain",
  arguments: { args: new Argument("<arguments...>", "After --: arguments for pulumi") },
  options: [createProjectFileOption()],
  example: "workspacectl pulumi -- stack history",
  run: async () => {
    const { openLoginCli, openPulumi } = await import("../../../automation/stack/pulumi-project.js");
    const { passToPulumi } = await import("../../operations/print-pulumi.js");
    const { noteUnsettled } = await import("../../../automation/stack/recovery.js");
    const { runsProgram } = await import("../../../automation/stack/user-program.js");
    const { findBackend } = await import("../../../automation/stack/backend.js");
    return async (options, io) => {
      if (options.args[0] === "login") return passToPulumi(await openLoginCli(options, io), options.args, io);
      // Pulumi itself asks for the passphrase if the command needs one.
      const { cli, location, project } = await openPulumi(options, { secrets: false, passed: true }, io);
      await noteUnsettled(location, cli, options, io);
      if (!runsProgram(options.args, project)) return passToPulumi(cli, options.args, io);
      const { openProgramCli } = await import("../../../automation/stack/pulumi-project.js");
      return passToPulumi(
        await openProgramCli(project.root, findBackend(project, io.env), io),
        options.args,
        io,
      );
    };
  },
});
