// Steps of setup.mjs. Uses Node.js only, because nothing is installed yet when this runs.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, isBuilt } from "./build.mjs";
import { beginToCompilePulumi } from "./compile-pulumi.mjs";
import { installModules, modulesProblem } from "./modules.mjs";
import { forwardSignals, run, SetupError, stopChildren, Stopped, stopSignal } from "./process.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Commands that can run after the setup: the program with its arguments. */
const commands = {
  demo: (args) => [join(root, "dist/bin/workspacectl.js"), "demo", ...args],
  test: (args) => [join(root, "node_modules/vitest/vitest.mjs"), "run", ...tests(args)],
  prepare: undefined,
  build: undefined,
};

/**
 * Returns the arguments of vitest: long tests run only with `--all`. With `--nightly`, all tests run, also the nightly ones, and tell all
 * of their stories (test/stories.ts).
 */
function tests(args) {
  const rest = args.filter((arg) => arg !== "--all" && arg !== "--nightly");
  const isNightly = args.includes("--nightly");
  if (isNightly) process.env["STORIES"] ??= "all";
  // vitest runs a project that any of several filters matches, so two exclusions would exclude nothing.
  const projects = isNightly
    ? ["nightly", "long", "e2e", "unit"]
    : ["unit", "e2e", ...(args.includes("--all") ? ["long"] : [])];
  return [...projects.map((project) => `--project=${project}`), ...rest];
}

/** Runs the setup and then the named command, and sets the exit code. */
export async function main([name = "", ...args]) {
  const release = forwardSignals();
  try {
    if (!Object.hasOwn(commands, name)) {
      throw new SetupError(`"${name}" is none of ${Object.keys(commands).join(", ")}.`);
    }
    const toolchain = await setUp(name !== "build");
    const command = commands[name];
    if (command) process.exitCode = await start(command(args), toolchain);
  } catch (error) {
    stopChildren();
    process.exitCode = report(error);
  } finally {
    release();
  }
}

/** Runs the numbered steps. Returns the Pulumi toolchain, if it is wanted: its compiler and the build do not need each other. */
async function setUp(withPulumi) {
  const step = async (number, title, work) => {
    const label = `[${number}/${withPulumi ? 4 : 3}] ${title}`;
    const began = Date.now();
    const outcome = await work((text) => console.error(`${label}: ${text} ...`));
    console.error(`${label}: ${outcome.text ?? outcome} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    return outcome;
  };
  await step(1, "Node.js", async () => process.versions.node);
  await step(2, "node modules", (tell) => prepareModules(tell, withPulumi));
  const isReady = isBuilt(root);
  const built = step(3, "build", prepareBuild);
  const [, pulumi] = await Promise.all([
    built,
    withPulumi ? step(4, "Pulumi", () => preparePulumi(isReady, built)) : undefined,
  ]);
  return pulumi?.toolchain;
}

async function prepareModules(tell, withPulumi) {
  const problem = modulesProblem(root);
  if (!problem) return "up to date";
  tell(`${problem}, running npm ci`);
  const stopCompiling = withPulumi ? beginToCompilePulumi(root) : () => undefined;
  await tellEveryTenSeconds(tell, installModules(root)).finally(stopCompiling);
  return "installed";
}

async function prepareBuild(tell) {
  if (isBuilt(root)) return "up to date";
  tell("running npm run build");
  await tellEveryTenSeconds(tell, build(root));
  return "done";
}

/** Neither npm nor a compiler prints anything for a minute where there is no terminal. Pulumi's installation has progress of its own. */
async function tellEveryTenSeconds(tell, work) {
  let seconds = 0;
  const clock = setInterval(() => tell(`still running, ${(seconds += 10)} s`), 10_000);
  return await work.finally(() => clearInterval(clock));
}

/**
 * @param isReady whether the build was up to date, so that it can be asked first
 * @param built the build
 */
async function preparePulumi(isReady, built) {
  // Its sources do the same while they are built. Where the release cannot be downloaded, Go builds it.
  const provide = () =>
    run(process.execPath, ["--import", "tsx", join(root, "scripts/toolchain/build-pulumi.ts")], {
      cwd: root,
    });
  if (!isReady) await provide();
  await built;
  if (stopSignal().aborted) throw stopSignal().reason;
  const { ensurePulumi, createProgressPrinter } = await import(
    pathToFileURL(join(root, "dist/toolchain/index.js")).href
  );
  const options = { onProgress: createProgressPrinter(process.stderr), signal: stopSignal() };
  const toolchain = await ensurePulumi(options).catch(async (error) => {
    if (error.code !== "no-pulumi" || !isReady) throw error;
    const code = await provide();
    if (stopSignal().aborted) throw stopSignal().reason;
    if (code !== 0) throw error;
    return await ensurePulumi(options);
  });
  return { text: `${toolchain.version} at ${toolchain.binDir}`, toolchain };
}

/** Runs the command in this terminal with the toolchain. */
async function start(command, toolchain) {
  if (!existsSync(command[0])) {
    throw new SetupError(`${command[0]} is not there.`, "run `npm run clean` and the command again.");
  }
  console.error("");
  return await run(process.execPath, command, {
    cwd: root,
    env: { ...process.env, PULUMI_BIN: toolchain.binDir },
  });
}

/** Prints an error and returns the exit code. */
function report(error) {
  if (error instanceof Stopped || error.code === "cancelled") {
    console.error("\nStopped. Run the command again to go on where this ended.");
    return error.exitCode ?? 130;
  }
  console.error(
    `\n${error.name === "ToolchainError" ? error.message : `Setting up failed: ${error.message}`}`,
  );
  // The message of the toolchain contains its remedy.
  if (error.name !== "ToolchainError") console.error(error.remedy ? `Remedy: ${error.remedy}` : error.stack);
  return 1;
}
