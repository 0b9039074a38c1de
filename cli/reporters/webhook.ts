/** `--webhook`: posts findings to a chat or a service. */
import { setTimeout as sleep } from "node:timers/promises";
import { isLoopback } from "../../client/index.js";
import { CliError } from "../errors.js";
import { limitLines } from "../terminal/shown-change.js";
import { listBlockLines, formatUnreadText } from "./format-values.js";
import { stripControls } from "../../client/printable.js";
import { formatScopedName, type Report, type ReportView } from "./report-view.js";

/** Maximum number of findings in the text. */
const NAMED = 10;
/** Maximum length of a finding in the text. */
const LONGEST = 1000;
const TRIES = 4;
const TIMEOUT_MS = 15_000;

/**
 * Parses the address of the webhook.
 * @throws {CliError} unless it is https, or http to this machine
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
  throw new CliError(
    "the address of --webhook is not accepted",
    "use one that begins with https:// (http:// only to this machine)",
  );
}

/**
 * Posts the report, in which secrets are fingerprints.
 * @throws {CliError} when it is rejected after several attempts; without the address, which may be a secret
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
      const { name, cause } = error as Error;
      const code = (cause as { code?: unknown } | undefined)?.code;
      problem = typeof code === "string" ? code : name;
    }
  }
  throw new CliError(
    `the report could not be posted to the webhook at ${url.host}: ${problem}`,
    "Check its address, and that it accepts JSON",
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
