/** Fuzzes in a thread, so that the main thread notices a hang. Shared memory contains the start time of the current input. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { randomOf } from "../../test/chaos/random.js";
import { Mutator } from "./loader-mutator.js";

interface Work {
  readonly target: string;
  readonly seeds: readonly string[];
  readonly words: readonly string[];
  readonly seed: number;
  readonly until: number;
  readonly longest: number;
  /** Start time and bytes of the current input. */
  readonly began: SharedArrayBuffer;
  readonly input: SharedArrayBuffer;
}

type Counters = Record<string, number>;
type Coverage = Record<string, { readonly s: Counters; readonly b: Record<string, number[]> }>;

const { target, seeds, words, seed, until, longest, began, input } = workerData as Work;
const { fuzz } = createRequire(import.meta.url)(target) as { fuzz: (data: Buffer) => void };
const coverage = (globalThis as unknown as { __coverage__: Coverage }).__coverage__;
const files = Object.values(coverage);
const start = new Float64Array(began);
const current = new Uint8Array(input);
const length = new Uint32Array(input, 0, 1);

const random = randomOf(seed);
const mutator = new Mutator(random, words, longest);
const reached = new Set<number>();
const corpus: string[] = [];
const known = new Set<string>();
let executions = 0;
let slowest = 0;

for (const text of seeds) run(text);
const first = corpus.length;
while (Date.now() < until) {
  run(mutator.change(random.pick(corpus), random.pick(corpus)));
  if (executions % 2000 === 0) report();
}
report();

function report(): void {
  parentPort?.postMessage({ executions, corpus: corpus.length, first, covered: reached.size, slowest });
}

/** Runs an input, and adds it to the corpus when it reaches new code, or code more often than before. */
function run(text: string): void {
  const bytes = Buffer.from(text).subarray(0, current.length - 4);
  current.set(bytes, 4);
  length[0] = bytes.length;
  clear();
  const from = performance.now();
  start[0] = Date.now();
  try {
    fuzz(bytes);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const kind = stack.split("\n").slice(0, 3).join("\n");
    if (!known.has(kind)) parentPort?.postMessage({ finding: text, stack });
    known.add(kind);
  }
  start[0] = 0;
  const took = performance.now() - from;
  slowest = Math.max(slowest, took);
  executions += 1;
  // Excludes slow inputs, which would leave no time for others.
  if (reachesNew() && took < 100) corpus.push(text);
}

function clear(): void {
  for (const { s, b } of files) {
    for (const id in s) s[id] = 0;
    for (const id in b) b[id]?.fill(0);
  }
}

function reachesNew(): boolean {
  const before = reached.size;
  let number = 0;
  const note = (count: number) => {
    number += 1;
    // Distinguishes how often code is reached, by powers of two.
    if (count > 0) reached.add(number * 16 + Math.min(15, Math.floor(Math.log2(count))));
  };
  for (const { s, b } of files) {
    for (const id in s) note(s[id] ?? 0);
    for (const id in b) b[id]?.forEach(note);
  }
  return reached.size > before;
}
