/** The commands around writing a workspace file: `init`, `fmt`, `graph`. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { documentOptions } from "../options/document.js";
import { graphFormats, parts, type Part } from "./graph/parts.js";
import { existingWays } from "./init/types.js";
import { example, formerly, several, type Work } from "../options/options.js";

export function addAuthoringCommands(program: Command, work: Work): void {
  example(
    program
      .command("init")
      .description("write a first workspace file, by asking or by flags; overwrites nothing")
      .argument("[dir]", "the folder to write to", ".")
      .option("-c, --connection <name>", "the connection: which service, as whom")
      .option("-w, --workspace <domain>", "the workspace")
      .addOption(new Option("--project <name>", "a project to make; repeatable").argParser(several()))
      .addOption(new Option("--member <email>", "a person to invite; repeatable").argParser(several()))
      .addOption(new Option("--admin <email>", "one who administers it; repeatable").argParser(several()))
      .addOption(
        new Option("--existing <how>", "projects that exist: refer to them, or manage them too").choices(
          existingWays,
        ),
      )
      .option("--pulumi", "write a Pulumi project around it: Pulumi.yaml, package.json and a program")
      .option("--backend <address>", 'where the state lives: an address, or "local" for the folder (default)')
      .option("--force", "overwrite files that exist")
      .option("-y, --yes", "do not ask: take what the flags say"),
    "workspacectl init infrastructure --workspace acme --connection us --project web --yes",
  ).action((dir: string, options: object) =>
    work(async () => (await import("./init/run.js")).init)({ ...options, dir }),
  );
  example(
    program
      .command("fmt")
      .description("put the keys of workspace files into their usual order; comments stay")
      .argument(
        "[files...]",
        "files or folders, or - for standard input (default: workspace.yaml and its overlays)",
      )
      .option("--check", "change nothing; exit code 1 when a file is not formatted")
      .option("--diff", "change nothing; show what would be changed"),
    "workspacectl fmt --check",
  ).action((files: readonly string[], options: object) =>
    work(async () => (await import("./fmt/run.js")).fmt)({ ...options, files }),
  );
  const graph = formerly(
    documentOptions(
      program
        .command("graph")
        .description("draw the workspace: projects, pipelines, actions, who can do what"),
    )
      .addOption(
        new Option(
          "--format <format>",
          "form of the drawing (default: svg for a file *.svg, else mermaid)",
        ).choices(graphFormats),
      )
      .option("-o, --output <file>", "write to this file instead of standard output")
      .addOption(
        new Option("--parts <parts>", `some of ${parts.join(", ")}, separated by commas`).argParser(partsOf),
      )
      .addOption(new Option("--project <name>", "only this project; repeatable").argParser(several())),
    "--only <parts>",
    "parts",
    partsOf,
  );
  example(graph, "workspacectl graph -f workspace.yaml -o workspace.svg").action(
    work(async () => (await import("./graph/run.js")).graph),
  );
}

function partsOf(text: string): readonly Part[] {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !(parts as readonly string[]).includes(word));
  if (unknown === undefined) return words as Part[];
  throw new InvalidArgumentError(`"${unknown}" is no part: take some of ${parts.join(", ")}.`);
}
