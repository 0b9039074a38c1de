/** `--state-file`: what the last run found, so that a job speaks up only when there is something new. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { CliError } from "../errors.js";
import { writeFileAtomically } from "../terminal/write-file.js";

const schema = z.object({ version: z.literal(1), fingerprint: z.string() });

/** What tells whether there is anything new to tell. */
export interface Baseline {
  readonly fingerprint: string;
  readonly findings: readonly unknown[];
  readonly complete: boolean;
}

/** @returns whether the set of findings is another one than at the last run; at the first run, whether there is any */
export function changedSince(file: string, { fingerprint, findings, complete }: Baseline): boolean {
  const last = readLast(file);
  return last === undefined ? findings.length > 0 || !complete : last !== fingerprint;
}

/** Keeps the set for the next run. @param more what else is of use to people who look into the file */
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
