/**
 * Refuses everything that could make Pulumi run code beside a workspace file, or code that its state names. A workspace file is data. To
 * run code, use --program or plain Pulumi.
 */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ownType, providerText, type ProviderEngine } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import { note, type Io } from "../../terminal/io.js";
import { libraryRoot, PACKAGE_NAME } from "../../toolchain/locations.js";
import { stateFile, type StackLocation } from "./lock-files.js";
import { projectSettings, stackSettings, type PulumiProjectFolder } from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import type { Deployment, StateEntry } from "./state.js";

/** A package by name, with or without a version, runs no code from a folder. */
const PACKAGE_BY_NAME = /^\w[\w.-]*(@[\w.+-]+)?$/;
const REMEDY =
  "A workspace file is data and runs no code of its folder: remove it, or use the folder as a program with --program";

/** Refuses project files that make Pulumi run code. @throws {CliError} */
export function refuseCodeOf(project: PulumiProjectFolder, stack: string): void {
  const { plugins, packages } = projectSettings(project);
  if (plugins !== undefined) throw new CliError(`Pulumi.yaml in ${project.root} has "plugins:". ${REMEDY}`);
  for (const [name, entry] of Object.entries(mapOf(packages))) {
    const source = typeof entry === "string" ? entry : mapOf(entry)["source"];
    if (typeof source !== "string" || !PACKAGE_BY_NAME.test(source))
      throw new CliError(`Pulumi.yaml in ${project.root} uses the package ${name} from a folder. ${REMEDY}`);
  }
  // An inline environment may set any variable of Pulumi's process, including NODE_OPTIONS. A list only names environments.
  const { environment } = stackSettings(project, stack);
  if (environment !== undefined && !Array.isArray(environment))
    throw new CliError(
      `the configuration of stack ${stack} defines an environment inline ("environment:"): ` +
        "create one in Pulumi ESC, and name it in a list",
    );
}

/** Notes which copy of the package runs when another one is installed nearer to the file. */
export function noteOtherCopy({ root }: PulumiProjectFolder, io: Io): void {
  let other: string;
  try {
    other = dirname(createRequire(join(root, "/")).resolve(`${PACKAGE_NAME}/package.json`));
  } catch {
    return;
  }
  if (realpathSync(other) === realpathSync(libraryRoot())) return;
  note(
    io,
    `${other} is not run: a workspace file is data, and workspacectl works on it with its own provider.`,
  );
}

/** Pulumi's own types, and the providers of this package. */
const BUILT_IN = /^pulumi:(pulumi:|providers:(pulumi(-nodejs)?|workspace-automation)$)/;

/**
 * Refuses a state that makes Pulumi run other code. The state names the code for each object, and may come with a checkout.
 * @returns the engine of the objects in the state; undefined when there are none
 * @throws {CliError} when it contains anything but this package's objects
 */
export async function refuseCodeInState(
  location: StackLocation & { name: string; cli: PulumiCli },
): Promise<ProviderEngine | undefined> {
  const { resources = [], pending_operations: pending = [] } = await deploymentOf(location);
  const all = [...resources, ...pending.map(({ resource }) => resource)];
  const foreign = all.find((one) => !isOurs(one));
  const found = new Set(all.flatMap(({ type }) => ownType(type)?.engine ?? []));
  if (foreign === undefined && found.size > 1)
    throw new CliError(
      `the state of stack ${location.name} contains objects of dynamic providers and of the plugin: migrate them with ` +
        '"workspacectl stack migrate"',
    );
  if (foreign === undefined) return [...found][0];
  throw new CliError(
    `the state of stack ${location.name} contains an object of type ${foreign.type} that is not ${PACKAGE_NAME}'s, and code ` +
      "that the state names would run to read it or delete it. A workspace file has a stack of its own: choose another with " +
      "--stack, or use this one with the program that created it (--program, or plain pulumi)",
  );
}

function isOurs({ type, inputs = {}, outputs = {} }: StateEntry): boolean {
  if (BUILT_IN.test(type)) return true;
  const own = ownType(type);
  if (own === undefined || !/^\w+$/.test(own.type)) return false;
  if (own.engine === "plugin") return true;
  const text = providerText(own.type);
  return [inputs, outputs].every(({ __provider: said }) => said === undefined || said === text);
}

/** Reads the state file where there is one, because the CLI takes a third of a second. */
export async function deploymentOf(
  location: StackLocation & { name: string; cli: PulumiCli },
): Promise<Deployment> {
  const file = stateFile(location);
  if (file !== undefined) {
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as { checkpoint?: { latest?: Deployment } };
    return checkpoint?.latest ?? {};
  }
  const text = await runPulumi(location.cli, ["stack", "export", "--stack", location.name]);
  return (JSON.parse(text) as { deployment?: Deployment }).deployment ?? {};
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
