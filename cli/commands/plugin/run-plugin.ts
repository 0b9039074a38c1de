/** Installs the packaged plugin of the library into Pulumi's own folder of plugins. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { type Io, printResult } from "../../../reports/io.js";
import { findLibraryRoot } from "../../../toolchain/locations.js";

const PLUGIN = "workspace-automation";

/**
 * Pulumi starts the executable. With this file next to it, `pulumi package` would start the folder by its Node.js language host, which
 * needs another @pulumi/pulumi in the folder.
 */
const LEFT_OUT = "PulumiPlugin.yaml";

/** Copies the plugin. Does nothing where the same files are installed already. */
export function runPluginInstall(_options: object, io: Io): Promise<number> {
  const library = findLibraryRoot();
  const source = join(library, "plugin");
  if (!existsSync(join(source, "dist", "index.js")))
    throw new AutomationError(
      `the installed package is not complete: ${source}`,
      'install the packages of a release again (in a clone, run "npm run build")',
    );
  const { version } = JSON.parse(readFileSync(join(library, "package.json"), "utf8")) as { version: string };
  const target = join(getPluginsFolder(io.env), `resource-${PLUGIN}-v${version}`);
  const isThere = haveSameFiles(source, target);
  if (!isThere) replaceFolder(source, target);
  printResult(io, `The plugin ${PLUGIN} ${version} is ${isThere ? "already " : ""}installed: ${target}`);
  note(io, `Pulumi finds it there: programs need no "plugins:" in Pulumi.yaml. To remove it:`);
  note(io, `  pulumi plugin rm resource ${PLUGIN} ${version}`);
  return Promise.resolve(exitCodes.ok);
}

/** The folder in which Pulumi looks for plugins. */
function getPluginsFolder(env: Io["env"]): string {
  return join(env["PULUMI_HOME"] || join(homedir(), ".pulumi"), "plugins");
}

/** Replaces a folder as a whole, so that no run of Pulumi sees a part of it. */
function replaceFolder(source: string, target: string): void {
  // Pulumi ignores folders with such names.
  const temporary = (): string => `${target}.tmp${process.pid}${Math.floor(Math.random() * 1e9)}`;
  const [copy, former] = [temporary(), temporary()];
  try {
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, copy, { recursive: true, filter: (file) => basename(file) !== LEFT_OUT });
    if (existsSync(target)) renameSync(target, former);
    renameSync(copy, target);
    // An installation by Pulumi that was interrupted leaves this mark.
    rmSync(`${target}.partial`, { force: true });
  } catch (error) {
    if (existsSync(former) && !existsSync(target)) renameSync(former, target);
    throw new AutomationError(
      `the plugin cannot be installed in ${target} (${(error as Error).message}); nothing was changed`,
      "make the folder writable, or choose another with PULUMI_HOME",
    );
  } finally {
    for (const folder of [copy, former]) if (existsSync(folder)) rmSync(folder, { recursive: true });
  }
}

function haveSameFiles(source: string, target: string): boolean {
  if (!existsSync(target) || existsSync(`${target}.partial`)) return false;
  const [files, installed] = [listFilesIn(source).filter((file) => file !== LEFT_OUT), listFilesIn(target)];
  return (
    files.join("\n") === installed.join("\n") &&
    files.every((file) => readFileSync(join(source, file)).equals(readFileSync(join(target, file))))
  );
}

/** Paths in the folder, sorted. */
function listFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
