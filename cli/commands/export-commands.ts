/** The commands that bring an existing workspace under code. */
import { Option, type Command } from "commander";
import { beside, documentFile } from "../options/document.js";
import { writers } from "./export/writers/index.js";
import { example, scopeOptions, type Work } from "../options/options.js";

export function addExportCommands(program: Command, work: Work): void {
  example(
    scopeOptions(
      beside(
        program
          .command("export")
          .description(
            "write the live workspace as a workspace file, or bring one up to date; changes nothing in the workspace",
          ),
      )
        .option("-c, --connection <name>", "the connection: which service, as whom")
        .option("-w, --workspace <domain>", "the workspace, when it is another one than the connection's")
        .option("-o, --output <file>", "write this file; one that is there is brought up to date")
        .option(
          "--split <dir>",
          "write a folder, or bring it up to date: workspace.yaml, a file per project",
        ),
    )
      .addOption(
        new Option("--language <language>", "a workspace file, or a Pulumi program in a folder (-o)")
          .choices(Object.keys(writers))
          .default("yaml"),
      )
      .option(
        "--people <file>",
        "e-mail addresses of members, where the service hides them; a file that is not there is written, to be filled in",
      )
      .option(
        "-s, --stack <name>",
        "the stack whose overlay is laid over the file that is brought up to date",
      )
      .option("--dry-run", "show what would change in the file that is there, and write nothing")
      .option("--wait", "wait for the next hour's requests when this hour's are used up")
      .option("--fresh", "read all anew, though an interrupted export has read a part")
      .option("--force", "replace files that are there"),
    "workspacectl export --connection us -o workspace.yaml",
  ).action(work(async () => (await import("./export/run.js")).exportWorkspace));
  example(
    documentFile(
      program
        .command("import")
        .description(
          "put what a file or a program declares, and is there already, under a stack; changes nothing in it",
        ),
    )
      .addOption(
        new Option("--program <dir>", "the folder of a Pulumi program, in place of a file").conflicts([
          "file",
          "overlay",
          "allowPath",
        ]),
      )
      .option("-s, --stack <name>", "the Pulumi stack (default: the selected one of the project, else dev)")
      .option("-c, --connection <name>", "the connection: which service, as whom")
      .option("--create-stack", "make the stack if it is not there; asked for where there is a terminal")
      .option("--json", "print what was imported as JSON"),
    "workspacectl import -f workspace.yaml --stack us",
  ).action(work(async () => (await import("./import/run.js")).importWorkspace));
}
