/** What a checked plan permits: a run performs each of its operations once, and refuses every other write. */
import { createHmac, randomBytes } from "node:crypto";
import { isRecord } from "../../diff/structural-diff.js";
import { hasUnknown, stringifyStably, UNKNOWN, withoutMarks } from "../../diff/values.js";
import { ProviderError } from "../errors.js";
import { PROVIDER_KEY } from "./provider-text.js";
import type { Props } from "./secret-marks.js";

/** An operation of a plan that sends something to the service. A replacement is a creation and a deletion. */
export interface PermittedOperation {
  readonly kind: "create" | "update" | "delete";
  /** Resource type, such as `Group`. */
  readonly type: string;
  readonly urn: string;
  /** Id of the object that is changed or deleted. */
  readonly id?: string;
  /** It is deleted only after its replacement was created. */
  readonly afterCreation?: boolean;
}

/** An operation that the engine asks for. Pulumi's own host of dynamic providers does not pass the URN. */
export interface RequestedOperation extends Omit<PermittedOperation, "urn" | "afterCreation"> {
  readonly urn?: string | undefined;
  /** Arguments in the state. */
  readonly before?: Props;
  /** Arguments to write. */
  readonly after?: Props;
}

/** The digest of a value; null for one that was not known, which may become any value. */
type Digest = string | null | readonly Digest[] | { readonly [name: string]: Digest };

/** Digests of the arguments that a preview has planned with, secrets included, by a key that only this process has. */
export class PlannedArguments {
  private readonly key = randomBytes(32);
  private readonly digests = new Map<string, Readonly<Record<string, Digest>>>();

  /** Notes the arguments on one side of an operation. Those of the last preview of an object count. */
  note(side: "before" | "after", urn: string, values: Props): void {
    const known = Object.entries(listValues(values)).map(([name, value]) => [name, this.digest(value)]);
    this.digests.set(`${side} ${urn}`, Object.fromEntries(known) as Record<string, Digest>);
  }

  /** The names of arguments that are not as planned. */
  listDiffering(side: "before" | "after", urn: string, values: Props): string[] {
    const planned = this.digests.get(`${side} ${urn}`);
    if (planned === undefined) return [];
    const actual = listValues(values);
    const names = new Set([...Object.keys(planned), ...Object.keys(actual)]);
    return [...names].filter((name) => !this.isSame(planned[name], actual[name]));
  }

  private digest(value: unknown): Digest {
    if (value === UNKNOWN) return null;
    if (!hasUnknown(value))
      return createHmac("sha256", this.key).update(stringifyStably(value)).digest("hex");
    if (Array.isArray(value)) return value.map((item) => this.digest(item));
    const parts = Object.entries(value as object).map(([name, part]) => [name, this.digest(part)] as const);
    return Object.fromEntries(parts);
  }

  private isSame(planned: Digest | undefined, actual: unknown): boolean {
    if (planned === null) return true;
    if (planned === undefined || typeof planned === "string") return planned === this.digest(actual);
    if (Array.isArray(planned))
      return (
        Array.isArray(actual) &&
        actual.length === planned.length &&
        planned.every((one: Digest, at) => this.isSame(one, actual[at]))
      );
    if (!isRecord(actual)) return false;
    const parts = planned as Readonly<Record<string, Digest>>;
    const names = new Set([...Object.keys(parts), ...Object.keys(actual)]);
    return [...names].every((name) => this.isSame(parts[name], actual[name]));
  }
}

/** The arguments without marks of secrets, and without what every object has. What is not set counts as absent. */
function listValues(values: Props): Props {
  const entries = Object.entries(withoutMarks(values) as Props);
  return Object.fromEntries(
    entries.filter(([name, value]) => name !== PROVIDER_KEY && value !== null && value !== undefined),
  );
}

export class PermittedOperations {
  private readonly left: Set<PermittedOperation>;
  private readonly created = new Set<string>();

  /** @param args absent where the preview ran in another process */
  constructor(
    operations: Iterable<PermittedOperation>,
    private readonly args?: PlannedArguments,
  ) {
    this.left = new Set(operations);
  }

  /** Uses up a permission. @throws {ProviderError} `not-in-plan` when the plan does not contain the operation */
  require(requested: RequestedOperation): void {
    const found = [...this.left].find((one) => isThis(one, requested));
    if (found === undefined) throw createNotInPlanError(requested, "");
    const { urn } = found;
    if (found.afterCreation && !this.created.has(urn))
      throw createNotInPlanError(requested, " before its replacement was created");
    const { before = {}, after = {} } = requested;
    const differing = [
      ...(requested.before ? (this.args?.listDiffering("before", urn, before) ?? []) : []),
      ...(requested.after ? (this.args?.listDiffering("after", urn, after) ?? []) : []),
    ];
    if (differing.length > 0)
      throw createNotInPlanError(requested, ` with another ${[...new Set(differing)].join(", ")}`);
    this.left.delete(found);
    if (found.kind === "create") this.created.add(urn);
  }
}

function isThis(one: PermittedOperation, { kind, type, urn = one.urn, id }: RequestedOperation): boolean {
  return one.kind === kind && one.type === type && one.urn === urn && one.id === id;
}

function createNotInPlanError({ kind, type, urn, id }: RequestedOperation, how: string): ProviderError {
  const name = urn?.split("::").slice(3).join("::") ?? id;
  return new ProviderError(
    "not-in-plan",
    `the plan does not contain this: to ${kind} ${type}${name === undefined ? "" : ` ${name}`}${how}. It was not sent`,
    "run the command again, which plans from what there is now",
  );
}
