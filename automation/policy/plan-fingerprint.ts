/** The fingerprint of a plan, by which somebody approves it: the same for the same operations on the same workspace. */
import { createHmac } from "node:crypto";
import { hashSha256 } from "../../diff/digest.js";
import { setFingerprint } from "../../diff/fingerprint.js";
import { hasSecret, isSameJson, stringifyStably } from "../../diff/values.js";
import { type Fields, findDefinition, getAddress, listSecretNames, maskArgs } from "../../provider/index.js";
import { listCopiedArgs } from "../../resources/definition/resource-inputs.js";
import { fillReferences, type ReferringValue } from "../../resources/definition/secrets/references.js";
import { formatFirst } from "../../text/lists.js";
import type { OpenedReference, SecretReference } from "../../trust/references.js";
import { getShortName } from "../../workspace-file/load/files.js";
import { mapRefs, Ref } from "../../workspace-file/load/load.js";
import type { PlanWithLists, UnmanagedContent } from "../plan/contained-objects.js";
import { createSecretReader } from "../plan/missing-secrets.js";
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
  /** Opens a reference to a secret. Without it, this run knows none of them. */
  readonly open?: ((reference: SecretReference) => OpenedReference) | undefined;
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
    open: createSecretReader(open),
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

/** Why a fingerprint does not cover the value of a secret. */
export type NotCoveredReason = "missing" | "no-passphrase" | "program";

/** What an approval of a plan names, and what it leaves open. */
export interface PlanFingerprint {
  readonly fingerprint: string;
  /** What the fingerprint covers. */
  readonly hashes: PlanHashes;
  /** The same without the values of referenced secrets: what a run has that lacks one. Absent where nothing refers to a secret. */
  readonly withoutSecrets?: Pick<PlanFingerprint, "fingerprint" | "hashes"> | undefined;
  /** Objects with secret values that the fingerprint does not cover. */
  readonly notCovered: readonly NotCovered[];
}

export interface NotCovered {
  readonly reason: NotCoveredReason;
  /** Logical names. */
  readonly objects: readonly string[];
}

/**
 * Fingerprints a plan, with the values of the secrets to which its objects refer. A run that lacks one of these covers none of them, so
 * that there are two fingerprints of a plan at most: the run that applies it has all of the secrets, and can compute both.
 */
export function fingerprintPlan(plan: FingerprintedPlan, scope: FingerprintScope): PlanFingerprint {
  const written = plan.objects.filter(
    ({ operation, within }) => WRITES.has(operation) && within === undefined,
  );
  const names = new Set(written.map(({ name }) => name));
  const declared = scope.declared.filter(({ name }) => names.has(name));
  const references = declared.flatMap((one) =>
    Object.values(one.references).map((value) => ({ one, value })),
  );
  const isKnown = ({ value }: (typeof references)[number]) => openValue(value, scope) !== undefined;
  const printer = createKeyedPrinter(scope);
  const build = (withValues: boolean) => {
    const hashes = hashPlan(plan, scope, printer(withValues));
    return { fingerprint: fingerprintHashes(hashes.values(), scope), hashes };
  };
  const hasKey = Boolean(scope.passphrase);
  const lacking = references.filter((one) => !isKnown(one)).map(({ one }) => one.name);
  const ofFile = new Set(scope.declared.map(({ name }) => name));
  const found: readonly (readonly [NotCoveredReason, readonly string[]])[] = [
    ["no-passphrase", hasKey ? [] : declared.filter(needsKey).map(({ name }) => name)],
    ["missing", hasKey && lacking.length > 0 ? references.map(({ one }) => one.name) : []],
    [
      "program",
      written.filter(({ name, after }) => !ofFile.has(name) && hasSecret(after)).map(({ name }) => name),
    ],
  ];
  const notCovered = found.flatMap(([reason, all]) =>
    all.length === 0 ? [] : [{ reason, objects: [...new Set(all)] }],
  );
  if (!hasKey || references.length === 0) return { ...build(false), notCovered };
  const withoutSecrets = build(false);
  return { ...(lacking.length > 0 ? withoutSecrets : build(true)), withoutSecrets, notCovered };
}

const WRITES: ReadonlySet<PlannedObject["operation"]> = new Set(["create", "adopt", "update", "replace"]);

const NOT_COVERED: Readonly<Record<NotCoveredReason, string>> = {
  missing: "this run does not have all of them",
  "no-passphrase": "without a passphrase of the state, nobody else can compare them",
  program: "Pulumi hides the secrets of a program",
};

/** Maximum number of objects to name. */
const NAMED = 8;

export function formatNotCovered({ reason, objects }: NotCovered): string {
  return `the values of the secrets in ${formatFirst(objects, NAMED)}: ${NOT_COVERED[reason]}`;
}

/** Returns an argument with its secrets; undefined if this run lacks one. */
function openValue(value: ReferringValue, { open }: Pick<FingerprintScope, "open">): unknown {
  if (open === undefined) return undefined;
  const filled = fillReferences(value, open);
  return filled.closed.length > 0 ? undefined : filled.value;
}

/**
 * Returns a hash of each operation with the object and its values before and after, of each guard that the plan loosens, and of what
 * else is deleted. They do not depend on times, on the machine, or on what else is in the plan: a reference counts by the name that it
 * refers to, because its id is known only when that object exists.
 */
export function hashPlan(
  { objects, steps, loosened = [], contents = [] }: FingerprintedPlan,
  scope: FingerprintScope,
  printed: SecretPrinter = createKeyedPrinter(scope)(false),
): PlanHashes {
  const declared = new Map(scope.declared.map((one) => [`${one.definition.type} ${one.name}`, one]));
  const former = new Map(steps.map((step) => [buildHashKey(step), step.formerName]));
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
  printed: SecretPrinter,
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

type SecretPrinter = (declared: Declared) => unknown;

/**
 * Returns a function that fingerprints the declared secrets of an object, with the values of referenced ones or without. The fingerprint
 * of a plan is public, so the key is derived slowly: a guess at the passphrase costs about as much as one at the salt that Pulumi stores
 * next to the file.
 */
function createKeyedPrinter({ passphrase, open, ...scope }: FingerprintScope) {
  let key: Buffer | undefined;
  return (withValues: boolean): SecretPrinter =>
    (declared) => {
      const { definition, name, references } = declared;
      const { args, given, isBound } = listGivenSecrets(declared);
      if (!passphrase)
        return given.map((arg) => (isBound(arg) ? [arg, digestSlowly(scope, args[arg])] : arg));
      if (given.length === 0) return given;
      const known = (key ??= deriveKey(passphrase, "approval", scope, SLOW));
      return given.map((arg) => {
        const value = withValues && references[arg] ? [openValue(references[arg], { open })] : [];
        return [arg, computeMac(known, [definition.type, name, arg, args[arg], ...value])];
      });
    };
}

/** Returns the secret arguments of an object, and which of them are known without a key: a reference is, its secret is not. */
function listGivenSecrets({ definition, secrets, references, ...declared }: Declared) {
  const args: Fields = { ...declared.args, ...references };
  const names = [...new Set([...listSecretNames(definition, args), ...secrets])].toSorted();
  const given = names.filter((arg) => args[arg] !== undefined && args[arg] !== null);
  const isBound = (arg: string) => arg in references || isPlaintext({ definition, secrets }, args, arg);
  return { args, given, isBound };
}

/** Whether an object has a secret whose value counts only by a key. */
function needsKey(declared: Declared): boolean {
  const { given, isBound } = listGivenSecrets(declared);
  return given.some((arg) => arg in declared.references || !isBound(arg));
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
