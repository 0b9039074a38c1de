/** Delivers a report: writes it in the requested formats, compares it with the last run (`--state-file`), and posts it (`--webhook`). */
import { setTimeout as sleep } from "node:timers/promises";
import pc from "picocolors";
import { z } from "zod";
import { readJsonFileIfPresent } from "../automation/config-files/checked-files.js";
import { writeFileAtomically } from "../automation/config-files/write-file.js";
import { AutomationError } from "../automation/errors.js";
import { note } from "../automation/port.js";
import { formatScopedName, type Report, type ReportView } from "../automation/report/report-view.js";
import { isLoopback } from "../client/index.js";
import { stripControls } from "../client/printable.js";
import { limitLines } from "../text/shown-change.js";
import { getWidth } from "../text/wrap.js";
import { formatUnreadText, listBlockLines } from "./format-values.js";
import { DATA_FORMAT, type DeliveryOptions, type Format, type FormatRequest } from "./formats.js";
import { type Io, printCommands } from "./io.js";
import { printResultTo } from "./output.js";

/** A published report. */
interface Published extends Baseline {
  readonly changedSinceLast?: boolean | undefined;
}

interface Delivery<R extends Published> {
  /** Compares the report with the last run, writes it and posts it. */
  readonly deliver: (
    found: R,
    make: (report: R) => Report,
    kept: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

/**
 * Checks the options, before anything is read.
 * @throws {AutomationError}
 */
export function openDelivery<R extends Published>(options: DeliveryOptions, io: Io): Delivery<R> {
  const { stateFile, webhook, webhookAlways } = options;
  const wishes = listRequestedFormats<Format>(options, "text");
  const url = webhook === undefined ? undefined : parseWebhookUrl(webhook);
  return {
    async deliver(found, make, kept) {
      const changed = stateFile === undefined ? undefined : hasChangedSince(stateFile, found);
      const report = make(changed === undefined ? found : { ...found, changedSinceLast: changed });
      const { view } = report;
      for (const wish of wishes) await writeReport(report, wish, io);
      if (!isPrinted(wishes, "text")) note(io, view.verdict);
      // If posting fails, the next run tries again.
      if (url !== undefined && (webhookAlways || (changed ?? view.outcome !== "clean")))
        await postReport(url, report);
      if (stateFile !== undefined) writeBaseline(stateFile, found, kept);
    },
  };
}

/** Writes a report in one format, to its file or to standard output. */
export async function writeReport(report: Report, { format, file }: FormatRequest, io: Io): Promise<void> {
  const plain = file === undefined ? io : { ...io, colors: pc.createColors(false) };
  const text = await writeFormat(report, format, plain, file === undefined ? getWidth(io.stdout) : Infinity);
  if (file === undefined && format === "github") printCommands(io, text);
  else if (file !== undefined && format === DATA_FORMAT) writeFileAtomically(file, text);
  else printResultTo(file, text, io);
}

/** Reports whether a format goes to standard output. */
function isPrinted<F extends string>(wishes: readonly FormatRequest<F>[], format: F): boolean {
  return wishes.some((wish) => wish.format === format && wish.file === undefined);
}

interface FormatOptions<F extends string> {
  readonly format?: readonly FormatRequest<F | "json">[] | undefined;
  readonly json?: boolean | undefined;
  readonly output?: string | undefined;
}

/**
 * Returns the formats with their files: the one without a file goes to standard output, or to `-o`.
 * @param usual the format without an option
 */
export function listRequestedFormats<F extends string>(
  { format = [], json, output }: FormatOptions<F>,
  usual: F,
): FormatRequest<F | "json">[] {
  type Wish = FormatRequest<F | "json">;
  const wishes: Wish[] = [...format, ...(json ? [{ format: "json" as const }] : [])];
  const open = wishes.filter(({ file }) => file === undefined);
  if (open.length > 1) {
    const names = open.map((wish) => wish.format).join(" and ");
    throw new AutomationError(
      `the formats ${names} cannot both be written to standard output`,
      `write one to a file, as in --format ${open[0]?.format}=FILE`,
    );
  }
  const files = wishes.filter(({ file }) => file !== undefined);
  if (output === undefined) return open.length === 0 ? [...files, { format: usual }] : wishes;
  const [only = { format: usual }] = open;
  return [...files, output === "-" ? only : { ...only, file: output }];
}

/** Formats a report as a file has it. */
export function formatForFile(report: Report, format: Format, env: NodeJS.ProcessEnv): Promise<string> {
  return writeFormat(report, format, { colors: pc.createColors(false), env }, Infinity);
}

/** Writes a report. Each format is loaded on demand. */
async function writeFormat(
  { value, view }: Report,
  format: Format,
  io: Pick<Io, "colors" | "env">,
  width: number,
): Promise<string> {
  switch (format) {
    case "text":
      return (await import("./table.js")).formatReportTable(view, io.colors, width);
    case "json":
      return (await import("../automation/report/report-schemas.js")).formatJsonReport(value);
    case DATA_FORMAT:
      return JSON.stringify((await import("./view-data.js")).toViewData(view));
    case "markdown":
      return (await import("./markdown/markdown-report.js")).formatMarkdownReport(view, io.env);
    case "junit":
      return (await import("./junit.js")).formatJunit(view);
    case "sarif":
      return (await import("./sarif.js")).formatSarif(view, io.env);
    case "github":
      return (await import("./github.js")).formatGithub(view, io.env);
    case "html":
      return (await import("./html/html-report.js")).formatHtmlReport(view);
  }
}

const schema = z.object({ version: z.literal(1), fingerprint: z.string() });

/** The part of a report that shows whether it has changed. */
interface Baseline {
  readonly fingerprint: string;
  readonly findings: readonly unknown[];
  readonly complete: boolean;
}

/** @returns whether the set of findings has changed since the last run; at the first run, whether there are any */
export function hasChangedSince(file: string, { fingerprint, findings, complete }: Baseline): boolean {
  const last = readLast(file);
  return last === undefined ? findings.length > 0 || !complete : last !== fingerprint;
}

/** Stores the set for the next run. @param more information for people who read the file */
export function writeBaseline(
  file: string,
  { fingerprint }: Baseline,
  more: Readonly<Record<string, unknown>>,
): void {
  const text = `${JSON.stringify({ version: 1, fingerprint, ...more }, null, 2)}\n`;
  writeFileAtomically(file, text, { named: true });
}

function readLast(file: string): string | undefined {
  return readJsonFileIfPresent(schema, file, {
    what: "a record of findings of workspacectl",
    remedy: "choose another with --state-file, or delete it: the next run then reports every finding as new",
    named: true,
  })?.fingerprint;
}

/** Maximum number of findings in the text. */
const NAMED = 10;
/** Maximum length of a finding in the text. */
const LONGEST = 1000;
const TRIES = 4;
const TIMEOUT_MS = 15_000;

/**
 * Parses the address of the webhook.
 * @throws {AutomationError} unless it is https, or http to this machine
 */
export function parseWebhookUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Reported below; the text may contain a secret.
  }
  const isHttp = url?.protocol === "http:" && isLoopback(url.hostname);
  if (url !== undefined && (url.protocol === "https:" || isHttp)) return url;
  throw new AutomationError(
    "the address after --webhook is not accepted",
    "use one that begins with https:// (http:// only to this machine)",
  );
}

/**
 * Posts the report, in which secrets are fingerprints.
 * @throws {AutomationError} when it is rejected after several attempts; without the address, which may be a secret
 */
export async function postReport(url: URL, { value, view }: Report, waitMs: number = 1000): Promise<void> {
  const body = JSON.stringify({ text: formatWebhook(view), report: value });
  let problem = "";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await sleep(waitMs * 2 ** (attempt - 1));
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": `workspacectl/${view.tool.version}` },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return;
      problem = `it answered ${response.status}`;
      if (response.status < 500 && response.status !== 429 && response.status !== 408) break;
    } catch (error) {
      const { cause } = error as Error;
      const code = (cause as { code?: unknown } | undefined)?.code;
      problem = typeof code === "string" ? code : "the server redirects, or the connection failed";
    }
  }
  throw new AutomationError(
    `the report could not be posted to the webhook at ${url.host}: ${problem}`,
    "Check the address, and that the server accepts a POST of JSON",
  );
}

/** Returns a short text for a chat. */
export function formatWebhook(report: ReportView): string {
  const { findings, incomplete } = report;
  const lines = findings
    .filter((finding) => report.failOn.includes(finding.class))
    .map((finding) => [
      stripControls(`• ${finding.class}: ${finding.type} ${formatScopedName(finding)} ${finding.sentence()}`),
      ...listBlockLines(finding),
    ]);
  const unread = incomplete.map((one) => [stripControls(`• not read: ${formatUnreadText(one)}`)]);
  const all = [...lines, ...unread].map((of) => limitLines(of.map(makeHarmless), LONGEST).join("\n"));
  const more = all.length > NAMED ? [`… and ${all.length - NAMED} more`] : [];
  return [`${report.verdict} (${report.scene})`, ...all.slice(0, NAMED), ...more].join("\n");
}

/** Escapes the markup and mentions of chats. */
function makeHarmless(line: string): string {
  return line
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(/@(?=(all|channel|everyone|here)\b)/gi, "@\u200b");
}
