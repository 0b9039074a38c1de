/** The arguments that a preview has planned with, as digests, so that a run can be compared with them. */
import { createHmac, randomBytes } from "node:crypto";
import { isRecord } from "../../diff/structural-diff.js";
import { hasUnknown, stringifyStably, UNKNOWN, withoutMarks } from "../../diff/values.js";
import { PROVIDER_KEY } from "../../resources/definition/provider-text.js";
import type { Props } from "./secret-marks.js";

/** The digest of a value; null for one that was not known, which may become any value. */
type Digest = string | null | readonly Digest[] | { readonly [name: string]: Digest };
type Digests = Readonly<Record<string, Digest>>;

/** An object of a plan. Pulumi's own host of dynamic providers does not pass the URN, and a new object has no id. */
export interface PlannedObjectKey {
  /** Resource type, such as `Group`. */
  readonly type: string;
  readonly urn?: string | undefined;
  readonly id?: string | undefined;
}

/** Arguments before an operation, and those that it writes. */
type Side = "before" | "after";

/** Digests of arguments, secrets included, by a key that only this process and the provider of its programs have. */
export class PlannedArguments {
  private readonly digests = new Map<string, Digests[]>();

  /**
   * @param key 32 bytes
   * @param onNote receives each note as a line
   */
  constructor(
    private readonly key: Buffer = randomBytes(32),
    private readonly onNote: (line: string) => void = () => {},
  ) {}

  /** Returns the key as the first line of the notes. */
  get firstLine(): string {
    return JSON.stringify(this.key.toString("hex"));
  }

  /** Reads the lines of notes. Whoever has the key can compare a value, and not read it. */
  static read(text: string, onNote?: (line: string) => void): PlannedArguments {
    const [first = '""', ...lines] = text.split("\n").filter((line) => line !== "");
    const planned = new PlannedArguments(Buffer.from(JSON.parse(first) as string, "hex"), onNote);
    for (const line of lines) planned.enter(...(JSON.parse(line) as [string, Digests, boolean]));
    return planned;
  }

  /** Notes the arguments on one side of an operation. Of an object with a URN or an id, those of the last preview count. */
  note(side: Side, object: PlannedObjectKey, values: Props): void {
    const known = Object.entries(listValues(values)).map(([name, value]) => [name, this.digest(value)]);
    const note = [buildKey(side, object), Object.fromEntries(known) as Digests, isSingle(object)] as const;
    this.enter(...note);
    this.onNote(JSON.stringify(note));
  }

  /** The names of arguments that are not as planned. Where nothing names the object, those of any new object of the type are. */
  listDiffering(side: Side, object: PlannedObjectKey, values: Props): string[] {
    const planned = this.digests.get(buildKey(side, object)) ?? [];
    const actual = listValues(values);
    const [fewest = []] = planned
      .map((one) => {
        const names = new Set([...Object.keys(one), ...Object.keys(actual)]);
        return [...names].filter((name) => !this.isSame(one[name], actual[name]));
      })
      .toSorted((a, b) => a.length - b.length);
    return fewest;
  }

  private enter(key: string, digests: Digests, single: boolean): void {
    this.digests.set(key, single ? [digests] : [...(this.digests.get(key) ?? []), digests]);
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

const isSingle = ({ urn, id }: PlannedObjectKey) => urn !== undefined || id !== undefined;

/** The key of the notes of an object. */
function buildKey(side: Side, { type, urn, id }: PlannedObjectKey): string {
  return JSON.stringify([side, urn ?? [type, id ?? null]]);
}

/** The arguments without marks of secrets, and without what every object has. What is not set counts as absent. */
function listValues(values: Props): Props {
  const entries = Object.entries(withoutMarks(values) as Props);
  return Object.fromEntries(
    entries.filter(([name, value]) => name !== PROVIDER_KEY && value !== null && value !== undefined),
  );
}
