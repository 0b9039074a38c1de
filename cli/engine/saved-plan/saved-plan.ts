/** Builds a saved plan from a preview. */
import { randomBytes } from "node:crypto";
import { secretNames } from "../../../provider/index.js";
import { fileIdentity } from "../stack/applied-from.js";
import type { OpenStack } from "../stack/open.js";
import { sharedSecret } from "../stack/shared-secret.js";
import type { Allowances } from "../../policies/guards/index.js";
import type { CheckedPlan, CheckOptions } from "../plan/checked-plan.js";
import type { PropertyChange } from "../plan/changes.js";
import { version } from "../../version.js";
import {
  declaredFingerprints,
  fileDigests,
  fingerprintKey,
  shortDigest,
  type FingerprintKey,
} from "./fingerprints.js";
import { PLAN_FORMAT, type SavedPlan } from "./schema.js";

/** The header that plans and receipts share. */
export function aboutRun(
  open: OpenStack,
): Pick<SavedPlan, "tool" | "stack" | "project" | "workspace" | "baseUrl" | "file" | "files"> {
  const { connection, name, project, file } = open;
  const identity = fileIdentity(file.file, project);
  return {
    tool: version(),
    stack: name,
    project: project.name,
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    ...(identity === undefined ? {} : { file: identity }),
    files: file.declared ? fileDigests(file.file, file.declared) : [],
  };
}

/**
 * @param pulumiPlan Pulumi's own plan, as it wrote it
 * @param salt salt of the plan that this one is compared with
 */
export function savedPlanOf(
  open: OpenStack,
  plan: CheckedPlan,
  options: CheckOptions,
  pulumiPlan: unknown,
  salt: string = randomBytes(16).toString("hex"),
): SavedPlan {
  // Without a shared secret nobody can say that the declared values are the same, so the plan is never applied.
  const key = fingerprintKey(sharedSecret(open) ?? randomBytes(32).toString("hex"), salt);
  const declared = open.file.declared;
  const secrets = secretsIn(open, key);
  const shown = (name: string, changes: readonly PropertyChange[]) =>
    changes.map((change) => ({ ...change, after: secrets.get(`${name} ${change.path}`) ?? change.after }));
  const objects = plan.seen.length > 0 ? plan.seen : undefined;
  const { made, needed, left, reserve } = plan.budget;
  return {
    kind: "workspacectl-plan",
    formatVersion: PLAN_FORMAT,
    createdAt: new Date().toISOString(),
    ...aboutRun(open),
    refreshed: options.refresh,
    steps: plan.steps.map(({ operation, type, name, formerName, within, changes, replacedFor }) => ({
      operation,
      type,
      name,
      ...(formerName === undefined ? {} : { formerName }),
      ...(within === undefined ? {} : { within }),
      changes: shown(name, changes),
      replacedFor: [...replacedFor],
    })),
    drift: plan.drift.map((one) => ({ ...one, changes: one.changes.map((change) => ({ ...change })) })),
    declared: { salt, key: key.id, objects: declared ? declaredFingerprints(declared, key) : {} },
    state: Object.fromEntries(
      objects
        ? objects.map(({ name, state }) => [name, shortDigest(state)])
        : plan.objects.flatMap(({ operation, name, before, within }) =>
            before && within === undefined && operation !== "adopt" ? [[name, shortDigest(before)]] : [],
          ),
    ),
    live: options.refresh
      ? Object.fromEntries(plan.seen.map(({ name, live }) => [name, live ? shortDigest(live) : null]))
      : null,
    ...(plan.taken.length > 0 ? { taken: plan.taken.map((one) => ({ ...one })) } : {}),
    guards: {
      allowances: allowancesOf(options),
      verdicts: plan.verdicts.map((v) => ({ ...v, objects: [...v.objects] })),
    },
    requests: {
      made: { reads: made.reads, writes: made.writes },
      needed: { ...needed },
      reserve,
      ...(left ? { left: { ...left, resetAt: left.resetAt.toISOString() } } : {}),
    },
    pulumiPlan,
  };
}

function allowancesOf({ maxDeletes, maxDeleteShare, allowDelete, deleteProject, ignoreGuard }: Allowances) {
  return {
    ...(maxDeletes === undefined ? {} : { maxDeletes }),
    ...(maxDeleteShare === undefined ? {} : { maxDeleteShare }),
    ...(allowDelete ? { allowDelete: [...allowDelete] } : {}),
    ...(deleteProject ? { deleteProject: [...deleteProject] } : {}),
    ...(ignoreGuard ? { ignoreGuard: [...ignoreGuard] } : {}),
  };
}

/** Keyed fingerprints of declared secrets, by logical name and argument. */
function secretsIn({ file }: OpenStack, key: FingerprintKey): Map<string, string> {
  const found = new Map<string, string>();
  for (const { definition, name, args, secrets } of file.declared?.declarations ?? [])
    for (const arg of new Set([...secretNames(definition, args), ...secrets]))
      if (args[arg] !== undefined) found.set(`${name} ${arg}`, `[secret ${key.of(args[arg])}]`);
  return found;
}
