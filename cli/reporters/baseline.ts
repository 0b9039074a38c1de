/** `--state-file`: the findings of the last run, so that a job can report only changes. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { CliError } from "../errors.js";
import { writeFileAtomically } from "../terminal/write-file.js";

const schema = z.object({ version: z.literal(1), fingerprint: z.string() });

/** The part of a report that shows whether it has changed. */
export interface Baseline {
  readonly fingerprint: string;
  readonly findings: readonly unknown[];
  readonly complete: boolean;
}

/** @returns whether the set of findings has changed since the last run; at the first run, whether there are any */
export function changedSince(file: string, { fingerprint, findings, complete }: Baseline): boolean {
  const last = readLast(file);
  return last === undefined ? findings.length > 0 || !complete : last !== fingerprint;
}

/** Stores the set for the next run. @param more information for people who read the file */
export async function writeBaseline(
  file: string,
  { fingerprint }: Baseline,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  await writeFileAtomically(file, `${JSON.stringify({ version: 1, fingerprint, ...more }, null, 2)}\n`);
}

function readLast(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8"))).fingerprint;
  } catch (error) {
    throw new CliError(
      `${file} is no state file of workspacectl: name another with --state-file, or delete it`,
      undefined,
      { cause: error },
    );
  }
}
