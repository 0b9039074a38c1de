import { detectDrift, type DetectOptions } from "../drift/detect.js";
import { written } from "../drift/formats/index.js";
import type { DriftReport } from "../drift/model.js";
import { changedSince, remember } from "../drift/remembered.js";
import { verdict } from "../drift/values.js";
import { postReport, webhookUrl } from "../drift/webhook.js";
import type { Wish } from "../drift/words.js";
import { CliError } from "../errors.js";
import { note, type Io } from "../io.js";
import { writeWhole } from "../write.js";

export interface DriftOptions extends DetectOptions {
  readonly format?: readonly Wish[];
  readonly json?: boolean;
  readonly output?: string;
  readonly stateFile?: string;
  readonly webhook?: string;
  readonly webhookAlways?: boolean;
}

/** Tells how the file, the last applied state and the workspace differ. Writes none of them. */
export async function drift(options: DriftOptions, io: Io): Promise<number> {
  const { stateFile, webhook, webhookAlways } = options;
  const wishes = wishesOf(options);
  const url = webhook === undefined ? undefined : webhookUrl(webhook);
  const { report: found } = await detectDrift(options, io);
  const report: DriftReport =
    stateFile === undefined ? found : { ...found, changedSinceLast: changedSince(stateFile, found) };

  for (const { format, file } of wishes) {
    const plain = file === undefined ? io : { ...io, colors: noColors(io) };
    const text = await written(report, format, plain);
    if (file === undefined) io.stdout.write(text);
    else {
      await writeWhole(file, text);
      note(io, `Written: ${file}`);
    }
  }
  if (!wishes.some(({ format, file }) => format === "table" && file === undefined)) note(io, verdict(report));
  // A set that could not be posted is not known to have been told: it is tried again by the next run.
  if (url !== undefined && (webhookAlways || (report.changedSinceLast ?? report.result !== "clean")))
    await postReport(url, report);
  if (stateFile !== undefined) await remember(stateFile, report);
  return report.exitCode;
}

/** Which forms go where: the one without a file goes to standard output, or to `-o`. */
function wishesOf({ format = [], json, output }: DriftOptions): Wish[] {
  const wishes: Wish[] = [...format, ...(json ? [{ format: "json" as const }] : [])];
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

function noColors({ colors }: Io): Io["colors"] {
  const plain = Object.keys(colors).map((name) => [name, name === "isColorSupported" ? false : String]);
  return Object.fromEntries(plain) as Io["colors"];
}
