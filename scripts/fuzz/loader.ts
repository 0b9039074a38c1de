/*
 * `npm run fuzz -- loader [seconds] [seed]`: loads mutated texts as workspace files. Texts that reach new code of the loader, or
 * of the yaml and zod libraries below it, are mutated further. Reports errors other than WorkspaceFileError, more than 5 seconds
 * for one text, more than 2 GB of memory, and a changed prototype of objects. Starts with the valid and invalid files of the
 * repository. Writes each finding to a file and prints its name. The seed repeats a run.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { createInstrumenter } from "istanbul-lib-instrument";
import { definitions } from "../../provider/index.js";

const LONGEST = 20_000;
const HANG = 5_000;
const MEMORY_MB = 2_048;
const [seconds = "600", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const root = join(import.meta.dirname, "../..");
// Inside the package, which the sources import by name.
const work = join(root, "dist", ".fuzz-loader");
mkdirSync(work, { recursive: true });
let findings = 0;

interface Report {
  readonly executions?: number;
  readonly corpus: number;
  readonly first: number;
  readonly covered: number;
  readonly slowest: number;
  readonly finding?: string;
  readonly stack?: string;
}

const target = await buildInstrumentedTarget();
const began = new SharedArrayBuffer(8);
const input = new SharedArrayBuffer(4 * LONGEST + 4);
const until = Date.now() + Number(seconds) * 1000;
const workerData = {
  target,
  seeds: listSeeds(),
  words: formatWords(),
  seed: Number(seed),
  until,
  longest: LONGEST,
  began,
  input,
};
process.stdout.write(`seed ${seed}, ${workerData.seeds.length} files to begin with\n`);
const worker = new Worker(await bundleWorker(), {
  workerData,
  resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
});

let last = "";
setInterval(() => {
  const start = new Float64Array(began)[0] ?? 0;
  if (start > 0 && Date.now() - start > HANG)
    finish(`a text took more than ${HANG / 1000} seconds`, readCurrentInput());
}, 500);
setInterval(() => process.stdout.write(`${last}\n`), 30_000);
worker.on("error", (error) => finish(String(error), readCurrentInput()));
worker.on("message", (message: Report) => {
  if (message.finding !== undefined) reportFound(message.stack ?? "", message.finding);
  if (message.executions !== undefined)
    last = `${message.executions} executions, ${message.covered} counters, ${message.corpus} texts (${message.first} of them to begin with), slowest ${message.slowest.toFixed(0)} ms`;
});
worker.on("exit", () => finish());

function readCurrentInput(): string {
  const length = new Uint32Array(input, 0, 1)[0] ?? 0;
  return Buffer.from(new Uint8Array(input).slice(4, 4 + length)).toString("utf8");
}

function reportFound(what: string, text: string): void {
  findings += 1;
  const file = join(work, `finding-${findings}.yaml`);
  writeFileSync(file, text);
  process.stdout.write(`FOUND ${file}\n${what}\n`);
}

function finish(what?: string, text = ""): never {
  if (what !== undefined) reportFound(what, text);
  process.stdout.write(`${last}\n${findings} findings\n`);
  process.exit(findings > 0 ? 1 : 0);
}

/** Bundles the loader and its libraries into one file with coverage counters. */
async function buildInstrumentedTarget(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "loader-target.ts")],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    define: { "import.meta.url": "__url" },
    banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
    external: ["jiti", "@pulumi/pulumi"],
    logLevel: "error",
  });
  const instrumenter = createInstrumenter({
    compact: true,
    esModules: false,
    coverageVariable: "__coverage__",
  });
  const file = join(work, "target.cjs");
  writeFileSync(file, instrumenter.instrumentSync(outputFiles[0]?.text ?? "", file));
  return file;
}

/** Bundles the worker, since a thread cannot run TypeScript. */
async function bundleWorker(): Promise<string> {
  const outfile = join(work, "worker.mjs");
  const entry = join(import.meta.dirname, "loader-worker.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm" });
  return outfile;
}

/** Returns the files of the repository, and those of some folders combined into one text. */
function listSeeds(): string[] {
  const texts: string[] = [];
  const visit = (folder: string) => {
    const names = readdirSync(folder).filter((name) => !/^(Pulumi|node_modules)/.test(name));
    const paths = names.map((name) => join(folder, name));
    const files = paths.filter((path) => /\.ya?ml$/.test(path) && statSync(path).isFile());
    const own = files.map((file) => readFileSync(file, "utf8").slice(0, LONGEST));
    texts.push(...own);
    if (folder.includes("overlays/") || folder.includes("includes/"))
      texts.push([...own].reverse().join("\n%%%\n").slice(0, LONGEST));
    paths.filter((path) => statSync(path).isDirectory()).forEach(visit);
  };
  for (const folder of ["test/fixtures/broken", "test/sdk", "examples"]) visit(join(root, folder));
  return texts;
}

/** Returns the keywords of the language, which random mutations would not find. */
function formatWords(): string[] {
  const ofTypes = definitions.flatMap(({ type, args, document, variants }) => [
    type,
    document?.section ?? type,
    ...Object.keys(args.shape),
    ...Object.keys(variants?.of ?? {}),
  ]);
  const forms = [
    "<<: ",
    "${env:",
    "${env:WORD}",
    "${file:",
    "${config:token}",
    "${ref:",
    "${param:",
    "$${",
    "}",
  ];
  const overlay = ["$remove: true", "$replace: true", "$add: [", "$after: ", "$before: ", "\n%%%\n"];
  const others = ["template: ", "with: ", "entries: ", "entry: ", "x-a: ", "&a ", "*a ", "external: true"];
  return [...new Set([...ofTypes, ...forms, ...overlay, ...others, "__proto__", "constructor", "toString"])];
}
