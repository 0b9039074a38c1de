/** Reads and writes saved plans and receipts, readable by their user only, and applies exactly a saved plan, or nothing: compares it with the current one. */
import { join } from "node:path";
import { hashSha256 } from "../../diff/digest.js";
import { isSameJson, stringifyStably } from "../../diff/values.js";
import { fromJson, type JsonValue } from "../../text/json-value.js";
import { formatFirst } from "../../text/lists.js";
import { parseJsonFile, readNamedText, refuseRepeated } from "../config-files/checked-files.js";
import { writeFileAtomically } from "../config-files/write-file.js";
import { AutomationError } from "../errors.js";
import type { CheckedPlan, CheckOptions } from "../policy/checked-plan.js";
import type { Allowances } from "../policy/guards/types.js";
import type { StackOptions } from "../stack/locate-stack.js";
import type { OpenStack } from "../stack/open-stack.js";
import { makeTemporaryFolder } from "../temporary-folders.js";
import { compareSteps, listStepDifferences } from "./published-steps.js";
import { describeRun, type StoredPlan, toSavedPlan } from "./saved-plan.js";
import { type Receipt, type SavedPlan, savedPlan } from "./schema.js";

/** @throws {AutomationError} when the file is not a plan, or is too old */
export function openPlan(file: string, maxAgeMs: number | undefined): StoredPlan {
  const stored = readPlan(file);
  refuseFor(explainTooOld(stored.plan, maxAgeMs, new Date()));
  if (stored.plan.pulumiPlan === null)
    throw new AutomationError(
      `${file} contains a plan that deletes a protected object, which nobody has allowed, so it was not applied`,
      "To allow it, create the plan again: workspacectl preview --save-plan FILE with --delete-project NAME or --allow-delete NAME",
    );
  return stored;
}

/** Adds the options of the preview; the stack is the plan's unless another one is named. */
export function withFlagsOf<O extends CheckOptions & StackOptions>(
  options: O,
  plan: SavedPlan | undefined,
): O {
  if (plan === undefined) return options;
  const { allowances } = plan.guards;
  const lists = ["allowDelete", "deleteProject", "ignoreGuard"] as const;
  const merged: Allowances = Object.fromEntries(
    lists.map((name) => [name, [...(allowances[name] ?? []), ...(options[name] ?? [])]]),
  );
  const { only } = plan;
  if (options.only !== undefined && !isSameJson(options.only, only))
    refuseFor([`it is ${only === undefined ? "not limited" : `limited to ${only.join(", ")}`}: omit --only`]);
  return {
    ...allowances,
    stack: plan.stack,
    ...options,
    ...merged,
    refresh: plan.refreshed,
    ...(only === undefined ? {} : { only }),
  };
}

/** Checks the plan before anything is read. @throws {AutomationError} when it is for another stack, workspace or file, or the file has changed */
export function refuseElsewhere(saved: SavedPlan, open: OpenStack): void {
  const now = describeRun(open);
  refuseFor([...listTargetDifferences(saved, now), ...findChangedFiles(saved, now)]);
}

/** @throws {AutomationError} when the current plan differs from the saved one */
export function restrictToPlan(
  saved: SavedPlan,
  open: OpenStack,
  plan: CheckedPlan,
  options: CheckOptions,
): void {
  const now = toSavedPlan(open, plan, options, saved.pulumiPlan, saved.declared.salt);
  refuseFor(planDifferences(saved, now), listStepDifferences(saved.steps, now.steps));
}

/** @param steps differences between the operations, for people */
function refuseFor(reasons: readonly string[], steps: readonly string[] = []): void {
  if (reasons.length === 0) return;
  const text = reasons.length === 1 ? reasons[0] : ["", ...reasons].join("\n  ");
  throw new AutomationError(
    [`the saved plan was not applied, and nothing was changed: ${text}`, ...steps].join("\n"),
    'Create a new plan with "workspacectl preview --save-plan"',
  );
}

/** Maximum number of names listed. */
const NAMED = 5;

/** Finds another stack, project or workspace, before the workspace is read. */
export function listTargetDifferences(
  saved: SavedPlan,
  now: Pick<SavedPlan, "stack" | "project" | "workspace" | "baseUrl" | "file">,
): string[] {
  const words = {
    project: "project",
    stack: "stack",
    baseUrl: "address",
    workspace: "workspace",
    file: "workspace file",
  };
  return (Object.keys(words) as (keyof typeof words)[])
    .filter((key) => saved[key] !== now[key])
    .map(
      (key) => `the ${words[key]} is ${now[key] ?? "unknown"}, and the plan is for ${saved[key] ?? "none"}`,
    );
}

export function explainTooOld(saved: SavedPlan, maxAgeMs: number | undefined, now: Date): string[] {
  if (maxAgeMs === undefined) return [];
  const age = now.getTime() - Date.parse(saved.createdAt);
  return age <= maxAgeMs
    ? []
    : [`the plan was created at ${saved.createdAt}, and is older than --max-age allows`];
}

type Files = Pick<SavedPlan, "files">;

export function findChangedFiles(saved: Files, now: Files): string[] {
  return formatList("changed in the file", listNamesThatDiffer(indexByPath(saved), indexByPath(now)));
}

/** Lists what has changed since: declared values, state, workspace and steps. */
export function planDifferences(saved: SavedPlan, now: SavedPlan): string[] {
  if (saved.declared.key !== now.declared.key)
    return [
      "whether the declared values are the same cannot be verified: preview and up need the same passphrase " +
        "(PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE), or, without one, the same personal access token",
    ];
  const declared = listNamesThatDiffer(saved.declared.objects, now.declared.objects);
  const state = listNamesThatDiffer(saved.state, now.state);
  const live = saved.live && now.live ? listNamesThatDiffer(saved.live, now.live) : [];
  const found = [
    // The digest covers the content of a file, but no value of the environment.
    formatList("another value is declared (by the environment, or another overlay)", declared),
    formatList("changed in the state", state),
    formatList(
      "changed in the workspace",
      live.filter((name) => !state.includes(name)),
    ),
  ].flat();
  if (found.length > 0) return found;
  const steps = compareSteps(saved.steps, now.steps).map(({ name }) => name);
  const drift = listNamesThatDiffer(indexByName(saved.drift), indexByName(now.drift));
  const contents = listNamesThatDiffer(
    indexByName(saved.unmanagedContents ?? []),
    indexByName(now.unmanagedContents ?? []),
  );
  return [
    formatList("something else would be done", steps),
    formatList("changed outside", drift),
    formatList("the contents to be deleted differ", contents),
  ].flat();
}

type Digests = Readonly<Record<string, unknown>>;

function listNamesThatDiffer(a: Digests, b: Digests): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names]
    .filter((name) => stringifyStably(a[name]) !== stringifyStably(b[name]) || name in a !== name in b)
    .sort();
}

function formatList(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${formatFirst(names, NAMED)}`];
}

function indexByPath({ files }: Files): Digests {
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]));
}

function indexByName(items: readonly { readonly type: string; readonly name: string }[]): Digests {
  return Object.fromEntries(items.map((item) => [item.name, fromJson(item as unknown as JsonValue)]));
}

export function writePrivately(file: string, value: SavedPlan | Receipt): void {
  writeFileAtomically(file, `${JSON.stringify(value, undefined, 1)}\n`, { named: true, mode: 0o600 });
}

/** @throws {AutomationError} when the file does not exist, or is not a plan of this version */
export function readPlan(file: string): StoredPlan {
  const remedy = `create a new plan with "workspacectl preview --save-plan ${file}"`;
  const text = readNamedText(file, remedy);
  const what = "a plan that this release can apply";
  const plan = parseJsonFile(savedPlan, file, text, { what, remedy });
  const steps = plan.steps.map(({ type, name, within = "" }) => [type, name, within].join(" ").trim());
  for (const names of [steps, plan.files.map(({ path }) => path)]) refuseRepeated(file, names, remedy);
  return { plan, sha256: hashSha256(text) };
}

/** Returns a path in a private folder for Pulumi's own plan, which Pulumi writes with open permissions. */
export function createPlanPath(): string {
  return join(makeTemporaryFolder(), "pulumi-plan.json");
}
