/** The command that reproduces a workspace at another connection. */
import { Option, type Command } from "commander";
import { documentFile } from "../options/document.js";
import { commaSeparated, example, formerly, withDetails, type Work } from "../options/options.js";
import { guardOptions } from "../options/plan.js";

export function addReplicateCommands(program: Command, work: Work): void {
  const command = documentFile(
    program
      .command("replicate")
      .description(
        "reproduce a workspace at another connection: writes the overlay of its stack, then as up",
      ),
  )
    .requiredOption("--from <connection>", "the workspace that the file describes; it is only read")
    .requiredOption("--to <connection>", "the workspace that is to be alike")
    .option("-s, --stack <name>", "the stack of the other one (default: the name of its connection)")
    .addOption(
      new Option(
        "--kinds <kinds>",
        "only these sections or types, such as projects,pipelines; all others stay out",
      ).argParser(commaSeparated),
    )
    .option(
      "--mapping <file>",
      "names of integrations there (default: replicate-mapping.yaml, if it is there)",
    )
    .option("--adopt", "take over what is there already under the same name")
    .option("--dry-run", "write nothing, neither the overlay nor the workspace")
    .option("-y, --yes", "carry it out without asking")
    .option("--create-stack", "make the stack of the other one if it is not there")
    .option("--no-refresh", "trust the last run instead of reading the workspace")
    .option("--receipt <file>", "write to a file what was done")
    .option("--wait", "wait for the next hour's requests when they do not suffice");
  formerly(withDetails(command), "--watch-list <kinds>", "kinds", commaSeparated);
  example(guardOptions(command), "workspacectl replicate --from us --to eu").action(
    work(async () => (await import("./replicate/run.js")).replicate),
  );
}
