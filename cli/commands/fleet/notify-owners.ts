/** Posts what `fleet drift` has found to the owners of the workspaces. */
import { z } from "zod";
import { readJsonFileIfPresent } from "../../../automation/config-files/checked-files.js";
import { writeFileAtomically } from "../../../automation/config-files/write-file.js";
import { note, warn } from "../../../automation/port.js";
import { setFingerprint } from "../../../diff/fingerprint.js";
import { parseWebhookUrl, postReport } from "../../../reports/deliver-report.js";
import type { Io } from "../../../reports/io.js";
import { groupBy } from "../../../text/lists.js";
import type { FleetEntry } from "./fleet-file.js";
import type { FleetReport } from "./outcome.js";
import { buildFleetView } from "./view.js";

const recordSchema = z.object({
  version: z.literal(1),
  /** Fingerprint of what was posted last, by name of the webhook. */
  posted: z.record(z.string(), z.string()),
});

/**
 * Posts to each webhook the part of the report that concerns its workspaces, if something was found there.
 * @param stateFile remembers what was posted: nothing is posted again until it changes
 * @returns whether no receiver has refused a report. What has not arrived is posted by the next run
 */
export async function notifyOwners(
  entries: readonly FleetEntry[],
  report: FleetReport,
  stateFile: string | undefined,
  io: Io,
): Promise<boolean> {
  let isComplete = true;
  const posted = { ...readPosted(stateFile) };
  const owned = entries.filter(({ notify }) => notify !== undefined);
  for (const [name, of] of groupBy(owned, ({ notify }) => notify ?? "")) {
    const part = selectPart(report, new Set(of.map((entry) => entry.name)));
    const isFound = part.results.some(({ result }) => result !== "ok" && result !== "skipped");
    const fingerprint = fingerprintPart(part);
    const isNew = isFound && posted[name] !== fingerprint;
    const sent = isNew ? await post(name, part, io) : "posted";
    if (sent === "refused") isComplete = false;
    if (sent !== "posted") continue;
    if (isFound) posted[name] = fingerprint;
    else delete posted[name];
  }
  if (stateFile !== undefined)
    writeFileAtomically(stateFile, `${JSON.stringify({ version: 1, posted }, null, 2)}\n`, { named: true });
  return isComplete;
}

function readPosted(file: string | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {};
  const expected = {
    what: "a record of findings of workspacectl fleet drift",
    remedy: "choose another with --state-file, or delete it: the next run then reports every finding as new",
    named: true,
  };
  return readJsonFileIfPresent(recordSchema, file, expected)?.posted ?? {};
}

/** Limits the report to some workspaces. */
function selectPart({ command, results, review }: FleetReport, names: ReadonlySet<string>): FleetReport {
  const limit = <P extends { readonly workspaces: readonly string[] }>(parts: readonly P[] = []) =>
    parts
      .map((part) => ({ ...part, workspaces: part.workspaces.filter((name) => names.has(name)) }))
      .filter(({ workspaces }) => workspaces.length > 0);
  return {
    command,
    results: results.filter(({ name }) => names.has(name)),
    review: { groups: limit(review?.groups), notes: limit(review?.notes) },
  };
}

function fingerprintPart({ results, review }: FleetReport): string {
  const failed = results.map(({ name, result, summary }) => [name, result, summary]);
  return setFingerprint([...(review?.groups ?? []), ...(review?.notes ?? [])], failed);
}

/** Somebody who runs the fleet by hand needs no address. */
async function post(name: string, part: FleetReport, io: Io): Promise<"posted" | "refused" | "unset"> {
  const variable = `WORKSPACE_AUTOMATION_NOTIFY_${name.toUpperCase().replaceAll("-", "_")}`;
  const address = io.env[variable];
  if (!address) {
    warn(io, `Not posted to ${name}: set ${variable} to the address of its webhook.`);
    return "unset";
  }
  try {
    await postReport(parseWebhookUrl(address), buildFleetView(part));
    note(io, `Posted to ${name}.`);
    return "posted";
  } catch (error) {
    // The others may still arrive.
    warn(io, `Not posted to ${name} (${variable}): ${(error as Error).message}`);
    return "refused";
  }
}
