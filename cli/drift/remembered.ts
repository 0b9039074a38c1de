/** `--state-file`: what the last run found, so that a job speaks up only when there is something new. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { CliError } from "../errors.js";
import { writeWhole } from "../write.js";
import type { DriftReport } from "./model.js";

const schema = z.object({ version: z.literal(1), fingerprint: z.string() });

/** @returns whether the set of findings is another one than at the last run; at the first run, whether there is any */
export function changedSince(file: string, { fingerprint, findings, complete }: DriftReport): boolean {
  const last = readLast(file);
  return last === undefined ? findings.length > 0 || !complete : last !== fingerprint;
}

/** Keeps the set for the next run. */
export async function remember(
  file: string,
  { fingerprint, workspace, stack, generatedAt, counts }: DriftReport,
): Promise<void> {
  const kept = { version: 1, fingerprint, workspace, stack, seenAt: generatedAt, counts };
  await writeWhole(file, `${JSON.stringify(kept, null, 2)}\n`);
}

function readLast(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8"))).fingerprint;
  } catch (error) {
    throw new CliError(
      `${file} is no state file of workspacectl drift: name another with --state-file, or delete it`,
      undefined,
      { cause: error },
    );
  }
}
