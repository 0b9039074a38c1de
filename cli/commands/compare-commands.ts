/** The command that compares two workspaces, however each is given. */
import { Option, type Command } from "commander";
import { comparedClasses } from "./compare/classes.js";
import { example, scopeOptions, several, type Work } from "../options/options.js";
import { oneOrMore, reportOptions } from "../options/report.js";

const side =
  "a connection, a workspace file (FILE+OVERLAY) or a stack; connection:, file: and stack: say which";

export function addCompareCommand(program: Command, work: Work): void {
  example(
    reportOptions(
      scopeOptions(
        program
          .command("compare")
          .description("tell where two workspaces differ: live, as files, or as stacks; writes nothing")
          .argument("<left>", side)
          .argument("<right>", "the same")
          .option("-f, --file <file>", "the workspace file whose project stacks belong to", "workspace.yaml"),
      )
        .option("--mapping <file>", "what is called otherwise on the right (default: replicate-mapping.yaml)")
        .option("--left-people <file>", "who is who on the left, where the service hides e-mail addresses")
        .option("--right-people <file>", "who is who on the right; `export --people` makes such a file")
        .option("--exceptions <file>", "differences that are meant to be (default: compare-exceptions.yaml)")
        .addOption(
          new Option(
            "--fail-on <classes>",
            `what makes the exit code 7: ${comparedClasses.join(", ")}, or none (default: missing,added,changed)`,
          ).argParser(oneOrMore(comparedClasses)),
        )
        .addOption(
          new Option(
            "--allow-path <dir>",
            "let placeholders and includes of files read there too; repeatable",
          ).argParser(several()),
        )
        .option("--wait", "wait for the next hour's requests when they do not suffice")
        .option("-q, --quiet", "print the result and problems only"),
    ),
    "workspacectl compare us eu --format markdown --format html=compare.html",
  ).action((left: string, right: string, options: object) =>
    work(async () => (await import("./compare/run.js")).compare)({ ...options, left, right } as never),
  );
}
