/** Builds saved plans from previews, and receipts from runs of `up`. */
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { hashSha256 } from "../../diff/digest.js";
import { stringifyStably } from "../../diff/values.js";
import { type Count, listSecretNames, readRequestCounter } from "../../provider/index.js";
import { type JsonValue, SecretValue, toJson } from "../../text/json-value.js";
import { readVersion } from "../../toolchain/locations.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { AutomationError } from "../errors.js";
import type { Operation } from "../plan/planned-objects.js";
import type { PlanStep } from "../plan/record-plan.js";
import type { CheckedPlan, CheckOptions } from "../policy/checked-plan.js";
import type { Allowances } from "../policy/guards/types.js";
import { buildHashKey } from "../policy/plan-fingerprint.js";
import type { Budget } from "../policy/request-budget.js";
import type { RunOrigin } from "../run-origin.js";
import type { OpenStack } from "../stack/open-stack.js";
import { findSharedSecret } from "../stack/passphrase.js";
import { identifyFile } from "../stack/stack-tags.js";
import { publishDrift, publishSteps } from "./published-steps.js";
import { PLAN_FORMAT, type Receipt, RECEIPT_FORMAT, type SavedPlan } from "./schema.js";

const SHORT = 16;

export function shortenDigest(value: unknown): string {
  return hashSha256(stringifyStably(value)).slice(0, SHORT);
}

/** Key for fingerprints of secrets, derived from what both runs know and the plan does not contain. */
interface FingerprintKey {
  readonly salt: string;
  /** Shows whether two runs have the same key, without revealing it. */
  readonly id: string;
  readonly of: (value: unknown) => string;
}

/** @param secret the passphrase of the state, or else the token */
export function fingerprintKey(secret: string, salt: string): FingerprintKey {
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "workspacectl plan", 32));
  const mac = (text: string) => createHmac("sha256", key).update(text).digest("hex").slice(0, SHORT);
  return { salt, id: mac("key"), of: (value) => mac(stringifyStably(value)) };
}

/** Fingerprints of all declarations, by logical name; a reference counts by the name it refers to. */
function fingerprintDeclarations(
  { declarations }: Pick<LoadedFile, "declarations">,
  key: FingerprintKey,
): Record<string, string> {
  return Object.fromEntries(
    declarations.map(({ name, args, definition, retain, protect, ignoreChanges, after }) => [
      name,
      key.of([definition.type, args, retain, protect ?? null, after ?? null, ...ignoreChanges]),
    ]),
  );
}

/** Digests of the files of a document, relative to the folder of the first one, in reading order. */
function digestFiles(file: string, { sources }: Pick<LoadedFile, "sources">): SavedPlan["files"] {
  return [...sources].map(([path, source]) => ({
    path:
      path === "<stdin>"
        ? path
        : relative(dirname(resolve(file)), resolve(path))
            .split(sep)
            .join("/") || basename(path),
    sha256: hashSha256(source.text),
  }));
}

/** The header that plans and receipts share. */
export function describeRun(
  open: OpenStack,
): Pick<SavedPlan, "tool" | "stack" | "project" | "workspace" | "baseUrl" | "file" | "files"> {
  const { connection, name, project, file } = open;
  return {
    tool: readVersion(),
    stack: name,
    project: project.name,
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    file: identifyFile(file.file, project),
    files: file.declared ? digestFiles(file.file, file.declared) : [],
  };
}

/**
 * @param pulumiPlan Pulumi's own plan, as it wrote it
 * @param salt salt of the plan that this one is compared with
 */
export function toSavedPlan(
  open: OpenStack,
  plan: CheckedPlan,
  options: CheckOptions,
  pulumiPlan: unknown,
  salt: string = randomBytes(16).toString("hex"),
): SavedPlan {
  // Without a shared secret nobody can say that the declared values are the same, so the plan is never applied.
  const key = fingerprintKey(findSharedSecret(open) ?? randomBytes(32).toString("hex"), salt);
  const declared = open.file.declared;
  const secrets = fingerprintSecrets(open, key);
  const withPrints = ({ name, changes, after, ...step }: SavedPlan["steps"][number]) => ({
    ...step,
    name,
    after: after && withFingerprints(after, (arg) => secrets.get(`${name} ${arg}`)),
    changes: changes.map((change) => ({
      ...change,
      after: secrets.get(`${name} ${change.path}`) ?? change.after,
    })),
  });
  const read = plan.observed.flatMap(({ name, stateBefore, stateNow }) =>
    stateBefore ? [{ name, before: stateBefore, now: stateNow }] : [],
  );
  const { made, needed, left, reserve } = plan.budget;
  return {
    kind: "workspacectl-plan",
    formatVersion: PLAN_FORMAT,
    createdAt: new Date().toISOString(),
    ...describeRun(open),
    fingerprint: plan.fingerprint,
    hashes: [...plan.hashes.values()],
    refreshed: options.refresh,
    only: options.only,
    steps: toSavedSteps(plan).map(withPrints),
    drift: publishDrift(plan),
    unmanagedContents: plan.contents,
    declared: { salt, key: key.id, objects: declared ? fingerprintDeclarations(declared, key) : {} },
    state: Object.fromEntries(
      read.length > 0
        ? read.map(({ name, before }) => [name, shortenDigest(before)])
        : plan.objects.flatMap(({ operation, name, before, within }) =>
            before && within === undefined && operation !== "adopt" ? [[name, shortenDigest(before)]] : [],
          ),
    ),
    live: options.refresh
      ? Object.fromEntries(read.map(({ name, now }) => [name, now ? shortenDigest(now) : null]))
      : null,
    taken: plan.taken.length > 0 ? plan.taken : undefined,
    guards: { allowances: pickAllowances(options), verdicts: plan.verdicts },
    requests: { made: { reads: made.reads, writes: made.writes }, needed, reserve, left: describeLeft(left) },
    pulumiPlan,
  };
}

function describeLeft(left: Budget["left"]): SavedPlan["requests"]["left"] {
  return left && { ...left, resetAt: left.resetAt.toISOString() };
}

/** The operations of a plan, without what only a run needs. */
export function toSavedSteps(
  plan: Pick<CheckedPlan, "steps" | "shown"> & Partial<Pick<CheckedPlan, "hashes">>,
): SavedPlan["steps"] {
  return publishSteps(plan).map(({ reasons: _reasons, milliseconds: _duration, ...step }) => step);
}

function pickAllowances({ maxDeletes, maxDeleteShare, allowDelete, deleteProject, ignoreGuard }: Allowances) {
  return { maxDeletes, maxDeleteShare, allowDelete, deleteProject, ignoreGuard };
}

/** Keyed fingerprints of declared secrets, by logical name and argument. */
function fingerprintSecrets({ file }: OpenStack, key: FingerprintKey): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const { definition, name, args, secrets } of file.declared?.declarations ?? [])
    for (const arg of new Set([...listSecretNames(definition, args), ...secrets]))
      if (args[arg] !== undefined) found.set(`${name} ${arg}`, toJson(new SecretValue(key.of(args[arg]))));
  return found;
}

function withFingerprints<T extends Readonly<Record<string, JsonValue>>>(
  args: T,
  fingerprintOf: (arg: string) => JsonValue | undefined,
): Record<string, JsonValue> {
  const entries = Object.entries(args);
  return Object.fromEntries(entries.map(([arg, value]) => [arg, fingerprintOf(arg) ?? value]));
}

/** A saved plan as it was read. */
export interface StoredPlan {
  readonly plan: SavedPlan;
  readonly sha256: string;
}

/** A run of `up`, for its receipt. */
export interface ApplyRun {
  open: OpenStack;
  readonly startedAt: Date;
  readonly stored?: StoredPlan | undefined;
  /** The approved plan: that of the option, or the saved one. */
  approved?: { readonly fingerprint: string; readonly hashes: readonly string[] };
  /** Only what an earlier run has left of it is to be applied. */
  isRest?: boolean;
  plan?: CheckedPlan;
  readonly done: PlanStep[];
  readonly origin: RunOrigin;
  outcome: Receipt["outcome"];
  error?: unknown;
  /** Ids in the state, by logical name. */
  ids?: ReadonlyMap<string, string>;
}

export function describeOutcome(error: unknown): Receipt["outcome"] {
  return error instanceof AutomationError && error.code === "interrupted" ? "interrupted" : "failed";
}

export function createReceipt(run: ApplyRun): Receipt {
  const { open, startedAt, stored, approved, plan, done, outcome, error, ids } = run;
  const { reads, writes, left } = readRequestCounter(open.requestCounter);
  const { actor, commit, run: ofRun } = run.origin;
  const counts: Partial<Record<Operation, number>> = {};
  for (const { operation } of done) counts[operation] = (counts[operation] ?? 0) + 1;
  const planned = new Map(plan && toSavedSteps(plan).map((step) => [buildHashKey(step), step]));
  const completed = new Set(done.map(buildHashKey));
  const notDone = [...planned.values()].filter((step) => !completed.has(buildHashKey(step)));
  return {
    kind: "workspacectl-receipt",
    formatVersion: RECEIPT_FORMAT,
    ...describeRun(open),
    plan: stored && { sha256: stored.sha256, createdAt: stored.plan.createdAt },
    fingerprint: plan?.fingerprint,
    approved: approved?.fingerprint,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    outcome,
    error: error instanceof Error ? error.message : undefined,
    by: { actor, commit, run: ofRun },
    done: done.map(({ operation, type, name, milliseconds }) => {
      const id = operation === "delete" ? undefined : ids?.get(name);
      const { hash, before, after, changes } = planned.get(buildHashKey({ type, name })) ?? {};
      return { operation, type, name, id, milliseconds, hash, before, after, changes };
    }),
    notDone: notDone.map(({ operation, type, name }) => ({ operation, type, name })),
    counts,
    verdicts: plan?.verdicts ?? [],
    access: plan?.access.lines,
    requests: {
      estimated: plan && sum(plan.budget.made, plan.budget.needed),
      made: { reads, writes },
      left: describeLeft(left),
    },
  };
}

function sum(a: Count, b: Count): Count {
  return { reads: a.reads + b.reads, writes: a.writes + b.writes };
}
