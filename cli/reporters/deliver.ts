/** Delivers a report: writes it in the requested formats, stores its fingerprint, and posts it. */
import pc from "picocolors";
import { CliError } from "../errors.js";
import { note, printText, type Io } from "../terminal/io.js";
import { writeFileAtomically } from "../terminal/write-file.js";
import { written, type Report } from "./formats.js";
import { changedSince, writeBaseline, type Baseline } from "./baseline.js";
import { postReport, webhookUrl } from "./webhook.js";
import type { FormatRequest } from "./format-names.js";

export interface DeliveryOptions {
  readonly format?: readonly FormatRequest[];
  readonly json?: boolean;
  readonly output?: string;
  readonly stateFile?: string;
  readonly webhook?: string;
  readonly webhookAlways?: boolean;
}

/** A published report. */
interface Published extends Baseline {
  readonly changedSinceLast?: boolean | undefined;
}

export interface Delivery<R extends Published> {
  /** Compares the report with the last run, writes it and posts it. */
  readonly deliver: (
    found: R,
    make: (report: R) => Report,
    kept: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

/**
 * Checks the options, before anything is read.
 * @throws {CliError}
 */
export function delivery<R extends Published>(options: DeliveryOptions, io: Io): Delivery<R> {
  const { stateFile, webhook, webhookAlways } = options;
  const wishes = wishesOf(options);
  const url = webhook === undefined ? undefined : webhookUrl(webhook);
  return {
    async deliver(found, make, kept) {
      const changed = stateFile === undefined ? undefined : changedSince(stateFile, found);
      const report = make(changed === undefined ? found : { ...found, changedSinceLast: changed });
      const { view } = report;
      for (const { format, file } of wishes) {
        const plain = file === undefined ? io : { ...io, colors: pc.createColors(false) };
        const text = await written(report, format, plain);
        if (file === undefined) printText(io, text);
        else {
          await writeFileAtomically(file, text);
          note(io, `Written: ${file}`);
        }
      }
      if (!wishes.some(({ format, file }) => format === "table" && file === undefined))
        note(io, view.verdict);
      // If posting fails, the next run tries again.
      if (url !== undefined && (webhookAlways || (changed ?? view.outcome !== "clean")))
        await postReport(url, report);
      if (stateFile !== undefined) await writeBaseline(stateFile, found, kept);
    },
  };
}

/** Returns the formats with their files: the one without a file goes to standard output, or to `-o`. */
function wishesOf({ format = [], json, output }: DeliveryOptions): FormatRequest[] {
  const wishes: FormatRequest[] = [...format, ...(json ? [{ format: "json" as const }] : [])];
  const open = wishes.filter(({ file }) => file === undefined);
  if (open.length > 1) {
    const names = open.map((wish) => wish.format).join(" and ");
    throw new CliError(
      `${names} cannot both go to standard output: give one a file, as in --format ${open[0]?.format}=FILE`,
    );
  }
  const files = wishes.filter(({ file }) => file !== undefined);
  if (output === undefined) return open.length === 0 ? [...files, { format: "table" }] : wishes;
  const [only = { format: "table" as const }] = open;
  return [...files, { ...only, file: output }];
}
