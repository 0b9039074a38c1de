/** What to do about drift: `drift accept`, `drift revert`. */
import { type Command } from "commander";
import type { DriftAcceptOptions } from "./drift/accept/run.js";
import type { DriftRevertOptions } from "./drift/revert/run.js";
import { CliError } from "../errors.js";
import { example, withDetails, type Work } from "../options/options.js";
import { guardOptions } from "../options/plan.js";

/** What only makes sense for the report. */
const OF_THE_REPORT = ["format", "output", "stateFile", "webhook", "webhookAlways", "failOn"] as const;

function isOfTheReport(option: string): boolean {
  return ["json", ...OF_THE_REPORT].includes(option);
}

/** @param drift the command under which they stand; its options (file, stack, connection, ignore file) count for them, too */
export function addDriftRemedies(drift: Command, work: Work): void {
  const remedy = (name: string, description: string) =>
    drift
      .command(name)
      .description(description)
      // The help shows the parent's options too, without those that are refused here.
      .configureHelp({
        showGlobalOptions: true,
        visibleGlobalOptions: ({ parent }) =>
          [...(parent?.options ?? []), ...(parent?.parent?.options ?? [])].filter(
            (option) => !option.hidden && !isOfTheReport(option.attributeName()),
          ),
      })
      .argument(
        "[names...]",
        "logical names of objects (groups/QA), or ids of findings; picked on a terminal",
      )
      .option("--all", "all that has drifted")
      .option(
        "--report <file>",
        "take the findings of `drift --format json` instead of reading the workspace",
      );
  const given = <O>(names: readonly string[], command: Command): O => {
    const options = command.optsWithGlobals<Record<string, unknown>>();
    const stray = OF_THE_REPORT.find((option) => options[option] !== undefined);
    if (stray === undefined) return { ...options, names } as O;
    const flag = stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CliError(`--${flag} is of the report: it means nothing to "drift ${command.name()}"`);
  };

  example(
    remedy("accept", "make the workspace file say what is in the workspace; comments and placeholders stay")
      .option("--write-files", "write the files that ${file:...} names, too")
      .option("--dry-run", "write nothing; show what would be changed"),
    "workspacectl drift accept groups/QA variables/REGION --dry-run",
  ).action((names: readonly string[], _options: object, command: Command) =>
    work(async () => (await import("./drift/accept/run.js")).driftAccept)(
      given<DriftAcceptOptions>(names, command),
    ),
  );
  example(
    guardOptions(
      withDetails(remedy("revert", "bring the named objects, and no others, back to what the file says"))
        .option("-y, --yes", "do not ask; needed where there is no terminal")
        .option("--receipt <file>", "write to a file what was done"),
    ).option("--wait", "wait for the next hour's requests when they do not suffice"),
    "workspacectl drift revert projects/web/pipelines/deploy --yes",
  ).action((names: readonly string[], _options: object, command: Command) =>
    work(async () => (await import("./drift/revert/run.js")).driftRevert)({
      ...given<DriftRevertOptions>(names, command),
      refresh: true,
    }),
  );
}
