/** Reads and writes saved plans and receipts, readable by their user only. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJsonFile, readNamedText } from "../config-files/json-file.js";
import { writeFileAtomically } from "../terminal/output.js";
import { hashSha256 } from "../../diff/fingerprint.js";
import type { StoredPlan } from "./saved-plan.js";
import { savedPlan, type Receipt, type SavedPlan } from "./schema.js";

export function writePrivately(file: string, value: SavedPlan | Receipt): void {
  writeFileAtomically(file, `${JSON.stringify(value, undefined, 1)}\n`, { named: true, mode: 0o600 });
}

/** @throws {CliError} when the file does not exist, or is not a plan of this version */
export function readPlan(file: string): StoredPlan {
  const remedy = `create one with "workspacectl preview --save-plan ${file}"`;
  const text = readNamedText(file, remedy);
  const what = "a plan that this release can apply";
  return { plan: parseJsonFile(savedPlan, file, text, { what, remedy }), sha256: hashSha256(text) };
}

/** Makes a private folder for Pulumi's own plan, which Pulumi writes with open permissions. */
export function createPrivateFolder(): { readonly planFile: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-plan-"));
  return {
    planFile: join(folder, "pulumi-plan.json"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
