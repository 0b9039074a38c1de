/** The command that shows who may do what: `access`. */
import { Option, type Command } from "commander";
import { documentOptions } from "../options/document.js";
import { example, type Work } from "../options/options.js";

export function addAccessCommands(program: Command, work: Work): void {
  example(
    documentOptions(
      program.command("access").description("show who may do what, by file or in the workspace"),
    )
      .option("-c, --connection <name>", "the connection: which service, as whom (with --live)")
      .option("--live", "read the workspace; exit code 10 when something cannot be read")
      .addOption(new Option("--declared", "read the file (the default)").conflicts("live"))
      .option("--member <member>", "only this person: e-mail address, name or number")
      .option("--project <name>", "only this project")
      .addOption(
        new Option("--format <format>", "form of the result")
          .choices(["table", "json", "markdown", "html"])
          .default("table"),
      )
      .option("-o, --output <file>", "write to this file instead of standard output"),
    "workspacectl access --live --format html -o access.html",
  ).action(work(async () => (await import("./access/run.js")).access));
}
