import { Argument, Option } from "commander";
import { quietOption, yesOption } from "../../options/common.js";
import { repeatable, wholeNumber } from "../../options/parsers.js";
import { defineCommand, type CommandDefinition } from "../command.js";
import type { FleetCommand } from "./child.js";
import type { FleetOptions } from "./run.js";

export const fleetCommand = defineCommand({
  name: "fleet",
  group: "Existing and multiple workspaces",
  description: "Run preview, up or drift for several workspaces",
  subcommands: [
    forEachWorkspace("preview", "Preview the changes that up would make in each workspace"),
    forEachWorkspace("up", "Create, update or delete objects so that each workspace matches its file"),
    forEachWorkspace("drift", "Detect drift between file, state and live workspace for each workspace"),
  ],
});

function forEachWorkspace(name: FleetCommand, description: string): CommandDefinition {
  const isUp = name === "up";
  return defineCommand({
    name,
    description,
    arguments: {
      file: new Argument("[fleet.yaml]", "File that lists the workspaces").default("fleet.yaml"),
      more: new Argument(
        "[options...]",
        `After --: further options of workspacectl ${name} for each workspace`,
      ),
    },
    options: [
      new Option(
        "--only <pattern>",
        "Limit to workspaces with matching names, such as 'eu-*'; repeatable",
      ).argParser(repeatable()),
      new Option("--parallel <n>", "Number of workspaces at a time").argParser(wholeNumber(1, 64)).default(4),
      new Option("--fail-fast", "Start no further workspace after one has failed"),
      new Option("--format <format>", "Format of the summary")
        .choices(["table", "json", "markdown"])
        .default("table"),
      quietOption(),
      ...(isUp ? [yesOption()] : []),
    ],
    example: `workspacectl fleet ${name} fleet.yaml --parallel 2${isUp ? " --yes" : ""}`,
    run: async () => {
      const { fleet } = await import("./run.js");
      return (options: FleetOptions, io) => fleet(name, options, io);
    },
  });
}
