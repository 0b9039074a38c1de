/** Reads the policies of a run: those that the caller names, and the one that a fleet adds. */
import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { isCi } from "../../../text/safe-text.js";
import {
  FLEET_POLICY_VARIABLE,
  isOfCheckout,
  POLICY_VARIABLE,
  refusePolicyOfCheckout,
} from "../../../trust/policies.js";
import { AutomationError } from "../../errors.js";
import { note, type Port } from "../../port.js";
import type { Naming } from "../guards/types.js";
import type { Policy } from "./cel-rules.js";

/** What a plan is judged by besides the file. */
export interface AppliedPolicies {
  readonly policies: readonly Policy[];
  /** Objects that the caller of this run names, without the options of a saved plan. */
  readonly named: Naming;
}

export interface PolicyOptions {
  /** Paths that `--policy` names. */
  readonly policy?: readonly string[];
  readonly file: string;
  /** Folder of a program, instead of a file. */
  readonly program?: string;
}

/** Reads the policies of a run of a command that judges plans. @param given its options, as the caller gave them */
export async function readAppliedPolicies(given: PolicyOptions & Naming, io: Port): Promise<AppliedPolicies> {
  const { allowDelete, deleteProject } = given;
  return { policies: await readPolicies(given, io), named: { allowDelete, deleteProject } };
}

/**
 * Reads the policies that apply to a workspace file.
 * @throws {AutomationError} when one does not exist, {TrustError} when one is in the checkout of the file and nobody sees a note,
 * {WorkspaceFileError} with all problems of one
 */
export async function readPolicies(
  { policy = [], file, program }: PolicyOptions,
  io: Port,
): Promise<Policy[]> {
  const folder = program ?? getFolderOf(file);
  const named = [...fromVariable(POLICY_VARIABLE, io), ...policy];
  const isSeen = io.interactive && !isCi(io.env);
  for (const path of named) {
    if (!isSeen) refusePolicyOfCheckout(path, folder);
    else if (isOfCheckout(path, folder))
      note(io, `The policy ${path} is in the same checkout as the workspace file: CI jobs refuse that.`);
  }
  const ofFleet = fromVariable(FLEET_POLICY_VARIABLE, io).flatMap((paths) => paths.split(delimiter));
  return await parsePolicies(named, ofFleet);
}

/** Reports problems of policies once, before the processes of a fleet read them. */
export async function checkPolicies(
  {
    policy = [],
    ofFleet,
  }: { readonly policy?: readonly string[] | undefined; readonly ofFleet: readonly string[] },
  io: Port,
): Promise<void> {
  await parsePolicies([...fromVariable(POLICY_VARIABLE, io), ...policy], dropRepeated(ofFleet));
}

async function parsePolicies(named: readonly string[], ofFleet: readonly string[]): Promise<Policy[]> {
  if (named.length + ofFleet.length === 0) return [];
  // Most runs have no policy, and need no expressions.
  const { parsePolicy } = await import("./policy.js");
  return [
    ...dropRepeated(named).map((path) => parsePolicy(path, false)),
    ...ofFleet.map((path) => parsePolicy(path, true)),
  ];
}

/** An empty variable is a mistake, such as a setting of the CI system that is missing: without the policy, anything would be allowed. */
function fromVariable(name: string, { env }: Port): string[] {
  const path = env[name];
  if (path === undefined) return [];
  if (path === "")
    throw new AutomationError(
      `${name} is empty`,
      "set this environment variable to the path of a policy file, or unset it",
    );
  return [path];
}

function dropRepeated(paths: readonly string[]): string[] {
  return [...new Map(paths.map((path) => [resolve(path), path])).values()];
}

function getFolderOf(file: string): string {
  if (file === "-") return process.cwd();
  return existsSync(file) && statSync(file).isDirectory() ? file : dirname(resolve(file));
}
