/** Reads and writes saved plans and receipts, readable by their user only. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readText } from "../../../trust/files.js";
import { parseFailure } from "../../../trust/quoting.js";
import { writeFileAtomically } from "../../terminal/write-file.js";
import { CliError } from "../../errors.js";
import { sha256 } from "../../digest.js";
import type { StoredPlan } from "./saved-plan.js";
import { PLAN_FORMAT, savedPlan, type Receipt, type SavedPlan } from "./schema.js";

export function writePrivately(file: string, value: SavedPlan | Receipt): void {
  writeFileAtomically(file, `${JSON.stringify(value, undefined, 1)}\n`, { named: true, mode: 0o600 });
}

/** @throws {CliError} when the file does not exist, or is not a plan of this version */
export function readPlan(file: string): StoredPlan {
  let text: string;
  let value: unknown;
  try {
    text = readText(file, { named: true });
    value = JSON.parse(text);
  } catch (error) {
    throw new CliError(
      `${file} cannot be read: ${parseFailure(error)}`,
      `Write a plan with "workspacectl preview --save-plan ${file}"`,
    );
  }
  const parsed = savedPlan.safeParse(value);
  if (parsed.success) return { plan: parsed.data, sha256: sha256(text) };
  const version = (value as { formatVersion?: unknown } | null)?.formatVersion;
  const why =
    typeof version === "number" && version !== PLAN_FORMAT
      ? `it has format ${version}, and this release knows ${PLAN_FORMAT}`
      : z.prettifyError(parsed.error);
  throw new CliError(
    `${file} is not a plan that this release can apply (${why})`,
    `make a new one with "workspacectl preview --save-plan ${file}"`,
  );
}

/** Makes a private folder for Pulumi's own plan, which Pulumi writes with open permissions. */
export function privateFolder(): { readonly planFile: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-plan-"));
  return {
    planFile: join(folder, "pulumi-plan.json"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
