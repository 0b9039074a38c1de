/** The fingerprint of a plan, by which somebody approves it: the same for the same operations on the same workspace. */
import { createHmac } from "node:crypto";
import { hashSha256 } from "../../diff/digest.js";
import { setFingerprint } from "../../diff/fingerprint.js";
import { hasSecret, isSameJson, stringifyStably } from "../../diff/values.js";
import { type Fields, findDefinition, getAddress, listSecretNames, maskArgs } from "../../provider/index.js";
import { listCopiedArgs } from "../../resources/definition/resource-inputs.js";
import { getShortName } from "../../workspace-file/load/files.js";
import { mapRefs, Ref } from "../../workspace-file/load/load.js";
import type { PlanWithLists, UnmanagedContent } from "../plan/contained-objects.js";
import type { PlannedObject } from "../plan/planned-objects.js";
import { listChangesBetween, pickDeclared } from "../plan/property-changes.js";
import type { OpenStack } from "../stack/open-stack.js";
import { deriveKey, hasPassphrase, type KeyScope, readPassphrase } from "../stack/passphrase.js";
import type { Loosened } from "./guards/types.js";

/** What a fingerprint depends on besides the plan. */
export interface FingerprintScope extends KeyScope {
  readonly project: string;
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

/** Hashes of all that a plan would do, by the object: its approval is for this set, and for each part of it. */
export type PlanHashes = ReadonlyMap<string, string>;

/** Identifies the operation on an object among the hashes of a plan. */
export const buildHashKey = ({ type, name }: Pick<PlannedObject, "type" | "name">): string =>
  `${type} ${name}`;

/**
 * Returns a hash of each operation with the object and its values before and after, of each guard that the plan loosens, and of what
 * else is deleted. They do not depend on times, on the machine, or on what else is in the plan: a reference counts by the name that it
 * refers to, because its id is known only when that object exists.
 */
export function hashPlan(
  { objects, steps, loosened = [], contents = [] }: FingerprintedPlan,
  scope: FingerprintScope,
): PlanHashes {
  const declared = new Map(scope.declared.map((one) => [`${one.definition.type} ${one.name}`, one]));
  const former = new Map(steps.map((step) => [buildHashKey(step), step.formerName]));
  const printed = createSecretPrinter(scope);
  const hash = (value: unknown) => hashSha256(stringifyStably(value)).slice(0, HASH_LENGTH);
  const operations = objects
    .filter(({ operation }) => operation !== "same")
    .map((object): [string, string] => {
      const { operation, type, name, within } = object;
      const key = buildHashKey(object);
      const named = [operation, type, name, former.get(key) ?? null, within ?? null];
      return [key, hash([...named, ...listValues(object, declared.get(key), printed)])];
    });
  return new Map([
    ...operations,
    ...loosened.map((one): [string, string] => [`guard ${hash(one)}`, hash(["guard", one])]),
    ...contents.map((one): [string, string] => [
      `content ${buildHashKey(one)}`,
      hash(["content", one.type, one.name]),
    ]),
  ]);
}

/** 128 bits. */
const HASH_LENGTH = 32;

/** Returns the fingerprint over the hashes of a plan for one stack and workspace. */
export function fingerprintHashes(
  hashes: Iterable<string>,
  { baseUrl, workspace, project, stack }: FingerprintScope,
): string {
  return setFingerprint([...hashes], [["plan", 2, getAddress(baseUrl, workspace), project, stack]]);
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
  const definition = findDefinition(type);
  // The engine has masked what a resource of another provider has marked as secret.
  const mask = (values: Fields) =>
    definition === undefined ? values : maskArgs(definition, values, undefined, declared?.secrets);
  const argsOf = (values: Fields | undefined) => (values === undefined ? {} : pickDeclared(mask(values)));
  if (operation === "delete") return [argsOf(object.inputs)];
  const after = argsOf(object.after);
  const before = operation === "adopt" ? pickLike(argsOf(object.before), after) : argsOf(object.inputs);
  const { named, copied } = declared === undefined ? NO_REFERENCES : nameReferences(declared);
  const isOther = (name: unknown) => !Object.hasOwn(named, String(name)) && !copied.has(String(name));
  const changes = listChangesBetween(before, after)
    .filter(({ parts }) => isOther(parts[0]))
    .map(({ parts, before: valueBefore, after: valueAfter }) => [
      parts,
      valueBefore ?? null,
      valueAfter ?? null,
    ]);
  const referring = Object.entries(named).flatMap(([name, value]) =>
    isSameJson(before[name], after[name]) ? [] : [[[name], before[name] ?? null, value]],
  );
  const others = Object.fromEntries(Object.entries(after).filter(([name]) => isOther(name)));
  const whole = operation === "update" ? [] : [{ ...others, ...named }];
  return [...whole, [...changes, ...referring], declared === undefined ? [] : printed(declared)];
}

interface NamedReferences {
  /** The arguments that refer to declarations, with their names. */
  readonly named: Fields;
  /** The arguments that follow from these. */
  readonly copied: ReadonlySet<string>;
}

const NO_REFERENCES: NamedReferences = { named: {}, copied: new Set() };

function nameReferences({ definition, args, secrets }: Declared): NamedReferences {
  const masked = new Set([...listSecretNames(definition, args), ...secrets]);
  const named = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    let refers = false;
    const replaced = mapRefs(value, (ref) => {
      refers = true;
      return ref instanceof Ref ? { refersTo: ref.name } : { parts: ref.parts };
    });
    return refers && !masked.has(name) && !hasSecret(value) ? [[name, replaced]] : [];
  });
  const copied = named.flatMap(([name]) => {
    const reference = definition.references[name];
    return reference === undefined ? [] : listCopiedArgs(reference, args).map(([arg]) => arg);
  });
  return { named: Object.fromEntries(named), copied: new Set(copied) };
}

function pickLike(values: Fields, like: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in like));
}

/**
 * Returns a function that fingerprints the declared secrets of an object. The fingerprint of a plan is public, so the key is
 * derived slowly: a guess at the passphrase costs about as much as one at the salt that Pulumi stores next to the file.
 */
function createSecretPrinter({ passphrase, ...scope }: FingerprintScope) {
  let key: Buffer | undefined;
  return ({ definition, name, secrets, references, ...declared }: Declared): unknown => {
    // A reference is approved, not the secret, which a run of the plan may not have.
    const args = { ...declared.args, ...references };
    const names = [...new Set([...listSecretNames(definition, args), ...secrets])].toSorted();
    const given = names.filter((arg) => args[arg] !== undefined && args[arg] !== null);
    const isBound = (arg: string) => arg in references || isPlaintext({ definition, secrets }, args, arg);
    if (!passphrase) return given.map((arg) => (isBound(arg) ? [arg, digestSlowly(scope, args[arg])] : arg));
    if (given.length === 0) return given;
    const known = (key ??= deriveKey(passphrase, "approval", scope, SLOW));
    return given.map((arg) => [arg, computeMac(known, [definition.type, name, arg, args[arg]])]);
  };
}

/**
 * Whether an argument is masked only because it looks like a secret, or is secret as a whole because nobody knows what is in it. The author
 * of a change chooses both, so what the file says there is part of the approval.
 */
function isPlaintext(
  { definition, secrets }: Pick<Declared, "definition" | "secrets">,
  args: Fields,
  arg: string,
): boolean {
  if (secrets.includes(arg)) return false;
  return typeof args[arg] === "object" || !definition.secret(args).includes(arg);
}

/** Without a key, each guess at a short value costs some time at least. */
function digestSlowly({ baseUrl, workspace, stack }: KeyScope, value: unknown): string {
  return deriveKey(stringifyStably(value), "plaintext", { baseUrl, workspace, stack }).toString("hex");
}

const SLOW = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

function computeMac(key: Buffer, value: unknown): string {
  return createHmac("sha256", key).update(stringifyStably(value)).digest("hex");
}
