/** The commands that find drift and deal with it. */
import { Option, type Command } from "commander";
import { addedScopes, findingClasses } from "./drift/classes.js";
import { documentFile } from "../options/document.js";
import { addDriftRemedies } from "./drift-remedy-commands.js";
import { example, type Work } from "../options/options.js";
import { oneOrMore, reportOptions } from "../options/report.js";

export function addDriftCommands(program: Command, work: Work): void {
  const drift = example(
    reportOptions(
      documentFile(
        program
          .command("drift")
          .description("tell how the file, the last applied state and the workspace differ; writes nothing"),
      )
        .option("-s, --stack <name>", "the Pulumi stack (default: the selected one of the project, else dev)")
        .option("-c, --connection <name>", "the connection: which service, as whom")
        .option("-q, --quiet", "print the result and problems only")
        .addOption(
          new Option(
            "--fail-on <classes>",
            `what makes the exit code 7: ${findingClasses.join(", ")}, or none (default: deleted,changed,added)`,
          ).argParser(oneOrMore(findingClasses)),
        )
        .addOption(
          new Option("--added <scope>", "how far to look for what nobody declared")
            .choices(addedScopes)
            .default("declared"),
        )
        .option("--ignore <file>", "what not to tell (default: drift-ignore.yaml beside the workspace file)"),
    ),
    "workspacectl drift -f workspace.yaml --stack us --format markdown --format html=drift.html",
  ).action(work(async () => (await import("./drift/run.js")).drift));
  addDriftRemedies(drift, work);
}
