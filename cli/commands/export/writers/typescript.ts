/** Exports a Pulumi program in TypeScript, in its own folder. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageSource } from "../../../config-files/package-source.js";
import { findProject } from "../../../engine/stack/project.js";
import { formatted } from "../typescript/format.js";
import { hasManyProjects, MAIN } from "../typescript/layout.js";
import { resourcesOf } from "../typescript/program.js";
import { scaffold, SCAFFOLD } from "../typescript/scaffold.js";
import { ProgramSettings } from "../typescript/settings.js";
import { sourcesOf, type Pieces } from "../typescript/source.js";
import type { Declarable } from "../declare.js";
import type { Writer } from "../writer.js";

export const typescript: Writer = {
  main: "index.ts",
  own: /^(index\.ts|Pulumi\.ya?ml)$/,
  folder: true,
  keeps: SCAFFOLD,
  async write(exported, split) {
    const { declared, document, address, folder = "." } = exported;
    const settings = new ProgramSettings(declared);
    const resources = resourcesOf(exported, settings);
    const sources = sourcesOf(resources, {
      split: split || hasManyProjects(resources),
      head: headOf(address, declared, settings.commands),
    });
    // A workspace file in the folder has stacks of this project, so the URNs must be the same.
    const project = findProject(resolve(folder)).name;
    const around = scaffold({
      project,
      workspace: document.workspace ?? "",
      source: packageSource(folder),
    });
    const pieces = [...around].map(([file, text]): [string, Pieces] => [file, [text]]);
    const files = await formatted(new Map([...sources, ...pieces]), resolve(folder));
    return { files, doubts: [], setup: settings.commands, dropped: droppedFrom(folder, files) };
  },
};

/** Lists modules that the existing program imports and the new one does not. */
function droppedFrom(folder: string, files: ReadonlyMap<string, string>): string[] {
  const main = join(folder, `${MAIN}.ts`);
  const before = existsSync(main) ? readFileSync(main, "utf8") : "";
  return [...before.matchAll(/^import ["']\.\/([^"']+)["'];?$/gm)]
    .map(([, module = ""]) => `${module}.ts`)
    .filter((file) => !files.has(file) && existsSync(join(folder, file)));
}

function headOf(address: string, { hidden }: Declarable, commands: readonly string[]): string[] {
  const lines = [`Exported by workspacectl from ${address}`];
  if (commands.length > 0)
    lines.push(
      "",
      "Values that the service keeps to itself, or that no program should hold: set them in each stack.",
      ...commands.map((command) => `  ${command}`),
    );
  if (hidden.size > 0) {
    lines.push("", "What the service does not show, and so is not here:");
    for (const [noun, args] of hidden) lines.push(`  ${noun}: ${args.join(", ")}`);
  }
  return lines;
}
