/** The commands for many workspaces at once: `fleet up`, `fleet preview`, `fleet drift`. */
import { Option, type Command } from "commander";
import type { FleetCommand } from "./fleet/child.js";
import { example, several, wholeNumber, type Work } from "../options/options.js";

const WHAT: Readonly<Record<FleetCommand, string>> = {
  preview: "show what `up` would change in each workspace",
  up: "bring each workspace to what its file says",
  drift: "tell how file, last applied state and workspace differ, for each",
};

export function addFleetCommands(program: Command, work: Work): void {
  const fleet = program
    .command("fleet")
    .description("do it for several workspaces: files, connections and stacks");
  for (const command of ["preview", "up", "drift"] as const) {
    const one = fleet
      .command(command)
      .description(WHAT[command])
      .argument("[fleet.yaml]", "the file that names the workspaces", "fleet.yaml")
      .argument("[options...]", `after --: further options of \`workspacectl ${command}\` for each`)
      .addOption(
        new Option("--only <pattern>", "only workspaces of this name, * for anything; repeatable").argParser(
          several(),
        ),
      )
      .option("--parallel <n>", "so many at a time", wholeNumber(1, 64), 4)
      .option("--fail-fast", "start no more when one has failed")
      .addOption(
        new Option("--format <format>", "form of the summary")
          .choices(["table", "json", "markdown"])
          .default("table"),
      )
      .option("-q, --quiet", "print the summary only");
    if (command === "up") one.option("-y, --yes", "do not ask; needed where there is no terminal");
    example(
      one,
      `workspacectl fleet ${command} fleet.yaml --parallel 2${command === "up" ? " --yes" : ""}`,
    ).action((file: string, more: readonly string[], options: object) =>
      work(async () => (await import("./fleet/run.js")).fleet)({
        ...options,
        command,
        file,
        more,
      } as never),
    );
  }
}
