/** Options that name a workspace file and what it is composed of. */
import { Option } from "@commander-js/extra-typings";
import { DEFAULT_FILE } from "../../automation/next-command.js";
import { parseRepeatable } from "./option-values.js";

export const DEFAULT_FLEET_FILE = "fleet.yaml";

const allowPathOption = () =>
  new Option(
    "--allow-path <path>",
    "Allow placeholders and includes to read this folder or file, which may be hidden; repeatable",
  ).argParser(parseRepeatable());

/** Becomes part of the environment of the command (`createIo` in program.ts). */
export const allowEnvOption = () =>
  new Option(
    "--allow-env <pattern>",
    "Allow placeholders to read matching environment variables, such as 'SHOP_*', besides WORKSPACE_VAR_*; repeatable",
  ).argParser(parseRepeatable());

/** What a workspace file may read besides its own folder. */
export const allowOptions = () => [allowPathOption(), allowEnvOption()] as const;

/** Options that come with a workspace file, however the command names the file itself. */
export const createCompositionOptions = () =>
  [
    new Option("--overlay <file>", "Apply this overlay to the workspace file; repeatable").argParser(
      parseRepeatable(),
    ),
    ...allowOptions(),
  ] as const;

export const createProgramOption = (description = "Folder of a Pulumi program, instead of a file") =>
  new Option("--program <dir>", description).conflicts(["file", "overlay", "allowPath"]);

/** Options of commands that work on a workspace file. */
export const createFileOptions = () =>
  [
    new Option(
      "-f, --file <file>",
      "Workspace file, folder of workspace files, or - for standard input",
    ).default(DEFAULT_FILE),
    ...createCompositionOptions(),
  ] as const;

/** Options of commands that read a workspace file without opening a stack. */
export const createDocumentOptions = () =>
  [
    ...createFileOptions(),
    new Option("-s, --stack <name>", "Apply the overlay of this stack (workspace.<stack>.yaml) to the file"),
    new Option("--offline", "Use mock values for environment variables and stack configuration"),
  ] as const;

/** Names the project of a command that works on stacks rather than on the file's content. */
export const createProjectFileOption = () =>
  new Option("-f, --file <file>", "Workspace file whose project is used").default(DEFAULT_FILE);
