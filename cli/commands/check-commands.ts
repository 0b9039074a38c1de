/** The commands that check a workspace file: `validate`, `lint`. */
import { Option, type Command } from "commander";
import { documentOptions } from "../options/document.js";
import { example, several, wholeNumber, type Work } from "../options/options.js";
import { diagnosticFormats } from "../reporters/format-names.js";

export function addCheckCommands(program: Command, work: Work): void {
  const check = (name: string, description: string) =>
    documentOptions(program.command(name).description(description))
      .addOption(
        new Option("--format <format>", "form of what is found").choices(diagnosticFormats).default("text"),
      )
      .addOption(new Option("--json", "the same as --format json").conflicts("format"));

  example(
    check("validate", "check a workspace file, without the service"),
    "workspacectl validate -f workspace.yaml --format github",
  ).action(work(async () => (await import("./validate/run.js")).validate));
  example(
    check("lint", "look for what is allowed and yet a mistake, such as a secret in the file")
      .addOption(new Option("-E, --error <code>", "make it an error; repeatable").argParser(several()))
      .addOption(new Option("-W, --warning <code>", "make it a warning; repeatable").argParser(several()))
      .addOption(new Option("--off <code>", "leave the rule out; repeatable").argParser(several()))
      .option("--max-warnings <n>", "more warnings than this are an error too", wholeNumber(0))
      .option("--list-rules", "print the rules"),
    "workspacectl lint -f workspace.yaml -E no-administrator --off latest-image",
  ).action(work(async () => (await import("./lint/run.js")).lint));
  example(
    documentOptions(
      program
        .command("render")
        .description("print the file after includes, overlays, templates, defaults and placeholders"),
    ).addOption(
      new Option("--format <format>", "form of the result").choices(["yaml", "json"]).default("yaml"),
    ),
    "workspacectl render -f workspace.yaml --stack eu",
  ).action(work(async () => (await import("./render/run.js")).render));
}
