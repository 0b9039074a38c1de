/** The commands that find drift and deal with it. */
import { InvalidArgumentError, Option, type Command } from "commander";
import {
  addedScopes,
  findingClasses,
  formats,
  type FindingClass,
  type Format,
  type Wish,
} from "./drift/words.js";
import { documentFile } from "./document-options.js";
import { addDriftRemedies } from "./drift-remedy-commands.js";
import { example, type Work } from "./options.js";

export function addDriftCommands(program: Command, work: Work): void {
  const drift = example(
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
        ).argParser(classList),
      )
      .addOption(
        new Option("--added <scope>", "how far to look for what nobody declared")
          .choices(addedScopes)
          .default("declared"),
      )
      .option("--ignore <file>", "what not to tell (default: drift-ignore.yaml beside the workspace file)")
      .addOption(
        new Option(
          "--format <form[=file]>",
          `${formats.join(", ")}; repeatable, each with a file but one`,
        ).argParser(formatWish),
      )
      .option("--json", "the same as --format json")
      .option("-o, --output <file>", "write to this file instead of standard output")
      .option(
        "--state-file <file>",
        "remember what was found, and tell whether it is the same as the last time",
      )
      .option("--webhook <url>", "post what was found as JSON, when it is not the same as the last time")
      .option("--webhook-always", "post it also when nothing is new"),
    "workspacectl drift -f workspace.yaml --stack us --format markdown --format html=drift.html",
  ).action(work(async () => (await import("./commands/drift.js")).drift));
  addDriftRemedies(drift, work);
}

/** `changed,deleted`, or `none`. */
function classList(text: string): readonly FindingClass[] {
  if (text === "none") return [];
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !findingClasses.includes(name as FindingClass));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is none of ${findingClasses.join(", ")}.`);
  return names as FindingClass[];
}

function formatWish(text: string, before: readonly Wish[] = []): readonly Wish[] {
  const [format = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (!formats.includes(format as Format))
    throw new InvalidArgumentError(`It must be one of ${formats.join(", ")}.`);
  if (rest.length > 0 && file === "") throw new InvalidArgumentError("A file has to follow the =.");
  return [...before, { format: format as Format, ...(file === "" ? {} : { file }) }];
}
