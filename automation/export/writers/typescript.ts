/** Exports a Pulumi program in TypeScript, in its own folder. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { readTextIfPresent } from "../../../trust/checkout-files.js";
import { findProgramPackages, type ProgramPackages } from "../../config-files/package-source.js";
import { findProject } from "../../stack/project.js";
import { listHeadLines } from "../remaining.js";
import { buildResources, ProgramSettings } from "../typescript/declared-resources.js";
import { hasManyProjects, MAIN, renderModules } from "../typescript/program-text.js";
import type { Writer } from "./writer.js";

/** Files that are not replaced when a program is exported again, because users edit them. */
const SCAFFOLD = /^(Pulumi\.yaml|package\.json|tsconfig\.json|\.gitignore|\.npmrc)$/;

const TO_SET =
  "Values that the service does not return, or that no program should contain: set them in each stack.";

export const typescript: Writer = {
  main: "index.ts",
  own: /^(index\.ts|Pulumi\.ya?ml)$/,
  folder: true,
  keeps: SCAFFOLD,
  write(exported, split) {
    const { declared, document, address, folder = "." } = exported;
    const settings = new ProgramSettings(declared);
    const resources = buildResources(exported, settings);
    const sources = renderModules(resources, {
      split: split || hasManyProjects(resources),
      head: listHeadLines(address, declared, [TO_SET, settings.commands]),
    });
    // A workspace file in the folder has stacks of this project, so the URNs must be the same.
    const project = findProject(resolve(folder)).name;
    const around = createScaffold({
      project,
      workspace: document.workspace ?? "",
      packages: findProgramPackages(folder),
    });
    const files = new Map([...sources, ...around]);
    return { files, doubts: [], setup: settings.commands, dropped: listDroppedFrom(folder, files) };
  },
};

/** Lists modules that the existing program imports and the new one does not. */
function listDroppedFrom(folder: string, files: ReadonlyMap<string, string>): string[] {
  const main = join(folder, `${MAIN}.ts`);
  const before = readTextIfPresent(main, { named: true }) ?? "";
  return [...before.matchAll(/^import ["']\.\/([^"']+)["'];?$/gm)]
    .map(([, module = ""]) => `${module}.ts`)
    .filter((file) => !files.has(file) && existsSync(join(folder, file)));
}

interface ScaffoldOptions {
  /** Name of the Pulumi project, which is part of every URN. */
  readonly project: string;
  readonly workspace: string;
  readonly packages: ProgramPackages;
}

function createScaffold({ project, workspace, packages }: ScaffoldOptions): ReadonlyMap<string, string> {
  const pulumi = {
    name: project,
    description: `The workspace ${workspace}`,
    runtime: "nodejs",
    // The program does not name a workspace: the configuration of another stack can.
    config: { "workspace-automation:workspace": workspace },
  };
  const packageJson = {
    name: `workspace-${workspace.toLowerCase().replace(/[^a-z0-9-]+/g, "-")}`,
    private: true,
    main: "index.ts",
    dependencies: packages.dependencies,
    devDependencies: { typescript: "^5.9.0" },
  };
  const tsconfig = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: "es2022",
      module: "commonjs",
      moduleResolution: "node",
      skipLibCheck: true,
      noEmit: true,
    },
  };
  return new Map([
    ["Pulumi.yaml", stringify(pulumi)],
    ["package.json", formatJsonFile(packageJson)],
    ...(packages.settings === undefined ? [] : ([[".npmrc", packages.settings]] as const)),
    ["tsconfig.json", formatJsonFile(tsconfig)],
    [".gitignore", "node_modules/\n"],
  ]);
}

function formatJsonFile(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
