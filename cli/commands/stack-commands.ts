/** The commands around stacks and their configuration: `stack`, `config`, and Pulumi's own behind `pulumi --`. */
import type { Command } from "commander";
import { example, type Work } from "../options/options.js";

const FILE = ["-f, --file <file>", "the workspace file whose project it is", "workspace.yaml"] as const;
const STACK = [
  "-s, --stack <name>",
  "the Pulumi stack (default: the selected one of the project, else dev)",
] as const;
const YES = ["-y, --yes", "do not ask; needed where there is no terminal"] as const;

export function addStackManagement(program: Command, work: Work): void {
  const load = () => import("./stack/run.js");
  const stack = program
    .command("stack")
    .alias("state")
    .description("list, select, remove, unlock and export the stacks of a project");
  example(
    stack
      .command("ls")
      .description("list the stacks, and say where their state is")
      .option(...FILE)
      .option("--json", "print JSON"),
    "workspacectl stack ls",
  ).action(work(async () => (await load()).stackList));
  const named = (name: string, description: string) =>
    stack
      .command(name)
      .description(description)
      .argument("<stack>", "name of the stack")
      .option(...FILE);
  example(
    named("select", "make a stack the one that commands without --stack work on"),
    "workspacectl stack select eu",
  ).action((name: string, options: object) =>
    work(async () => (await load()).stackSelect)({ file: "workspace.yaml", ...options, name }),
  );
  example(
    named("rm", "remove a stack that manages nothing any more").option(...YES),
    "workspacectl stack rm old --yes",
  ).action((name: string, options: object) =>
    work(async () => (await load()).stackRemove)({ file: "workspace.yaml", ...options, name }),
  );
  example(
    stack
      .command("unlock")
      .description("release the lock that a killed run left")
      .option(...FILE)
      .option(...STACK)
      .option(...YES),
    "workspacectl stack unlock --stack us",
  ).action(work(async () => (await load()).stackUnlock));
  example(
    stack
      .command("export")
      .description("print the state, as a backup; secrets stay encrypted")
      .option(...FILE)
      .option(...STACK)
      .option("-o, --output <file>", "write it to a file"),
    "workspacectl stack export --stack us -o state.json",
  ).action(work(async () => (await load()).stackExport));
}

export function addConfigCommands(program: Command, work: Work): void {
  const load = () => import("./config/run.js");
  const config = program.command("config").description("show and set the configuration of a stack");
  example(
    config
      .command("get")
      .description("print a value, or all with secrets hidden")
      .argument("[key]", "such as workspace-automation:baseUrl; a name alone is of the project")
      .option(...FILE)
      .option(...STACK)
      .option("--json", "print JSON"),
    "workspacectl config get workspace-automation:workspace --stack us",
  ).action((key: string | undefined, options: object) =>
    work(async () => (await load()).configGet)({
      file: "workspace.yaml",
      ...options,
      ...(key === undefined ? {} : { key }),
    }),
  );
  example(
    config
      .command("set")
      .description("set a value; a secret is asked for, or read from standard input")
      .argument("<key>", "such as workspace-automation:baseUrl; a name alone is of the project")
      .argument("[value]", "the value; - reads it from standard input")
      .option(...FILE)
      .option(...STACK)
      .option("--secret", "encrypt it"),
    "echo $TOKEN | workspacectl config set workspace-automation:token - --secret --stack us",
  ).action((key: string, value: string | undefined, options: object) =>
    work(async () => (await load()).configSet)({
      file: "workspace.yaml",
      ...options,
      key,
      ...(value === undefined ? {} : { value }),
    }),
  );
}

export function addPulumiCommand(program: Command, work: Work): void {
  example(
    program
      .command("pulumi")
      .description("run a command of Pulumi's own on the project: its backend, passphrase and toolchain")
      .argument("<arguments...>", "after --: what Pulumi takes")
      .option(...FILE),
    "workspacectl pulumi -- stack history",
  ).action((args: readonly string[], options: object) =>
    work(async () => (await import("./pulumi/run.js")).pulumi)({
      file: "workspace.yaml",
      ...options,
      args,
    }),
  );
}
