import { randomBytes } from "node:crypto";
import { compareSides } from "./compare.js";
import { readExceptions } from "./suppressions.js";
import { mapped } from "./mapping.js";
import { defaultFailOn, type CompareReport } from "./model.js";
import { keptOf, reportOf } from "./report.js";
import { specsOf, type SpecOptions } from "./specs.js";
import { readSides } from "./sources/index.js";
import { viewOf } from "./view.js";
import type { ComparedClass } from "./classes.js";
import { readingProgress } from "../export/progress.js";
import { scopeOf, type ScopeOptions } from "../export/scope.js";
import type { Io } from "../../terminal/io.js";
import { readMapping } from "../replicate/mapping-file.js";
import { delivery, type DeliveryOptions } from "../../reporters/deliver.js";

export interface CompareOptions extends SpecOptions, ScopeOptions, DeliveryOptions {
  readonly mapping?: string;
  readonly exceptions?: string;
  /** Files that say whose e-mail address belongs to which member, where a side hides it. */
  readonly leftPeople?: string;
  readonly rightPeople?: string;
  /** Wait for the next hour's requests. */
  readonly wait?: boolean;
  readonly failOn?: readonly ComparedClass[];
  /** Folders beside a file's own from which it may read. */
  readonly allowPath?: readonly string[];
}

/** Tells where two workspaces, files or stacks differ. Writes none of them. */
export async function compare(options: CompareOptions, io: Io): Promise<number> {
  const began = Date.now();
  const { deliver } = delivery<CompareReport>(options, io);
  const exceptions = readExceptions(options.exceptions);
  const scope = scopeOf(options);
  const specs = specsOf(options, io);
  const written = specs.find((spec) => spec.kind === "file" && spec.file !== "-");
  const mapping = readMapping(options.mapping, written?.kind === "file" ? written.file : options.file);
  const people = [options.leftPeople, options.rightPeople] as const;
  const { allowPath: allowPaths, wait = false } = options;
  const reading = { scope, allowPaths, people, wait, progress: () => readingProgress(io) };
  const [left, right] = await readSides(specs, reading, io);

  const compared = compareSides(mapped(left, right, mapping), right, scope.includes);
  const report = reportOf({
    left,
    right,
    compared,
    mapping: mapping.file,
    // Fingerprints are for one report: nobody can find a secret by trying.
    key: randomBytes(32).toString("hex"),
    exceptions,
    scoped: [options.kinds, options.project, options.name].some((one) => one !== undefined),
    failOn: options.failOn ?? defaultFailOn,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
  await deliver(report, (value) => ({ value, view: viewOf(value) }), keptOf(report));
  return report.exitCode;
}
