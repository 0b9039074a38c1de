/** The fingerprint of a plan, by which somebody approves it: the same for the same operations on the same workspace. */
import { createHmac, scryptSync } from "node:crypto";
import { getShortName } from "../../workspace-file/load/files.js";
import { setFingerprint } from "../../diff/fingerprint.js";
import { stringifyStably } from "../../diff/values.js";
import { getAddress, getDefinition, maskArgs, listSecretNames, type Fields } from "../../provider/index.js";
import type { Loosened } from "./guards/strictness.js";
import { hasPassphrase } from "../engine/stack/passphrase.js";
import type { OpenStack } from "../engine/stack/open.js";
import { readPassphrase } from "../engine/stack/shared-secret.js";
import { pickDeclared, listChangesBetween } from "../engine/plan/changes.js";
import type { UnmanagedContent } from "../engine/plan/contents.js";
import type { PlanWithLists } from "../engine/plan/list-changes.js";
import type { PlannedObject } from "../engine/plan/objects.js";

/** What a fingerprint depends on besides the plan. */
export interface FingerprintScope {
  readonly baseUrl: string;
  readonly workspace: string;
  readonly project: string;
  readonly stack: string;
  /** Passphrase of the state; without one, only that a secret is set counts. */
  readonly passphrase?: string | undefined;
  /** Declared objects with the arguments that the file gives as secrets. */
  readonly declared: readonly Declared[];
}

type Declared = Pick<
  NonNullable<OpenStack["file"]["declared"]>["declarations"][number],
  "name" | "definition" | "args" | "secrets" | "references"
>;

export function fingerprintScope(open: OpenStack): FingerprintScope {
  const { connection, project, name, file, cli, create, io } = open;
  // Until a stack exists, Pulumi has a random passphrase, unless the environment provides the real one.
  const isReal = create === undefined || hasPassphrase(io.env);
  return {
    baseUrl: connection.baseUrl,
    workspace: connection.workspace,
    project: project.name,
    // `us` and `organization/project/us` name the same stack.
    stack: getShortName(name),
    passphrase: isReal ? readPassphrase(cli) : undefined,
    declared: file.declared?.declarations ?? [],
  };
}

interface FingerprintedPlan extends PlanWithLists {
  readonly loosened?: readonly Loosened[];
  readonly contents?: readonly UnmanagedContent[];
}

/**
 * Returns the fingerprint of what a plan would do: each operation with the object, its values before and after, what else is deleted
 * with it, the guards that the plan loosens, and the workspace. It does not depend on times, on the order of the operations, or on the machine.
 */
export function planFingerprint(
  { objects, steps, loosened = [], contents = [] }: FingerprintedPlan,
  scope: FingerprintScope,
): string {
  const { baseUrl, workspace, project, stack } = scope;
  const declared = new Map(scope.declared.map((one) => [`${one.definition.type} ${one.name}`, one]));
  const former = new Map(steps.map((step) => [`${step.type} ${step.name}`, step.formerName]));
  const printed = createSecretPrinter(scope);
  const operations = objects
    .filter(({ operation }) => operation !== "same")
    .map((object) => {
      const { operation, type, name, within } = object;
      const id = `${type} ${name}`;
      const named = [operation, type, name, former.get(id) ?? null, within ?? null];
      return [...named, ...listValues(object, declared.get(id), printed)];
    });
  const about = ["plan", 1, getAddress(baseUrl, workspace), project, stack];
  return setFingerprint(operations, [
    about,
    ...(loosened.length > 0 ? [["guards", loosened]] : []),
    ...(contents.length > 0 ? [["contents", contents.map(({ type, name }) => [type, name])]] : []),
  ]);
}

/** Returns the values that an operation writes or removes: secrets as keyed fingerprints, or only masked. */
function listValues(
  object: PlannedObject,
  declared: Declared | undefined,
  printed: (declared: Declared) => unknown,
): unknown[] {
  const { operation, type, within } = object;
  // A member of a list is known by its name alone, and what is released stays as it is.
  if (within !== undefined || operation === "release") return [];
  const definition = getDefinition(type);
  const argsOf = (values: Fields | undefined) => {
    return values === undefined
      ? {}
      : pickDeclared(maskArgs(definition, values, undefined, declared?.secrets));
  };
  const after = argsOf(object.after);
  if (operation === "delete") return [argsOf(object.inputs)];
  const before = operation === "adopt" ? pickLike(argsOf(object.before), after) : argsOf(object.inputs);
  const changes = listChangesBetween(before, after).map(
    ({ parts, before: valueBefore, after: valueAfter }) => [parts, valueBefore ?? null, valueAfter ?? null],
  );
  const whole = operation === "update" ? [] : [after];
  return [...whole, changes, declared === undefined ? [] : printed(declared)];
}

function pickLike(values: Fields, like: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in like));
}

/**
 * Returns a function that fingerprints the declared secrets of an object. The fingerprint of a plan is public, so the key is
 * derived slowly: a guess at the passphrase costs about as much as one at the salt that Pulumi stores next to the file.
 */
function createSecretPrinter({ passphrase, baseUrl, workspace, stack }: FingerprintScope) {
  let key: Buffer | undefined;
  return ({ definition, name, secrets, references, ...declared }: Declared): unknown => {
    // A reference is approved, not the secret, which a run of the plan may not have.
    const args = { ...declared.args, ...references };
    const names = [...new Set([...listSecretNames(definition, args), ...secrets])].toSorted();
    const given = names.filter((arg) => args[arg] !== undefined && args[arg] !== null);
    if (given.length === 0 || !passphrase) return given;
    key ??= scryptSync(passphrase, ["workspacectl approval", baseUrl, workspace, stack].join("\n"), 32, SLOW);
    return given.map((arg) => [arg, computeMac(key as Buffer, [definition.type, name, arg, args[arg]])]);
  };
}

const SLOW = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

function computeMac(key: Buffer, value: unknown): string {
  return createHmac("sha256", key).update(stringifyStably(value)).digest("hex");
}
