/** Converts described objects to the common form: with the names that they have at the service, and normalized arguments. */
import type { z } from "zod";
import { isSameValue, mapDeep, pickDefined, UNKNOWN } from "../../../diff/values.js";
import {
  definitions,
  type Fields,
  getArgsShape,
  listComparableArgs,
  listPartlySecretNames,
  listSecretNames,
  mapReferences,
} from "../../../provider/index.js";
import { chooseOwnKeys, LogicalName, unescapeKey } from "../../../resources/definition/logical-name.js";
import type { DocumentKind } from "../../../resources/definition/placement.js";
import { isExclusive, listKindsUnder, WORKSPACE } from "../../../resources/definition/placement.js";
import { groupBy } from "../../../text/lists.js";
import { Ref } from "../../../workspace-file/load/load.js";
import {
  createReference,
  type PathStep,
  ReferenceValue,
  type SourceObject,
  UnknownValue,
} from "../compared-source.js";

/** An object as its source describes it. */
export interface DescribedObject extends Pick<SourceObject, "ignoreChanges" | "nameInFile" | "locate"> {
  readonly definition: DocumentKind;
  /** Logical name in the source. */
  readonly name: string;
  readonly args: Fields;
  /** Arguments that the source does not know. */
  readonly unknown?: Fields;
  /** Arguments that are secret beyond their definition. */
  readonly secrets?: readonly string[];
  /** Id at the service, where the source knows it. */
  readonly number?: string;
  readonly outputs?: Fields;
}

export class SourceReader {
  private readonly byName: ReadonlyMap<string, DescribedObject>;
  private readonly byNumber: ReadonlyMap<string, DescribedObject>;
  private readonly known = new Map<string, readonly PathStep[]>();
  private readonly ownKeys = new Map<string, string>();

  constructor(objects: readonly DescribedObject[]) {
    this.byName = new Map(objects.map((one) => [one.name, one]));
    const withNumber = objects.filter(({ number }) => number !== undefined);
    this.byNumber = new Map(withNumber.map((one) => [`${one.definition.type} ${one.number}`, one]));
    for (const siblings of groupBy(objects, ({ name }) => new LogicalName(name).section).values())
      this.numberShared(siblings);
  }

  /** Numbers objects that share a name by their order, whatever keys tell them apart in the source. */
  private numberShared(siblings: readonly DescribedObject[]): void {
    const named = siblings.flatMap(({ definition, name, args }) => {
      const key = args[definition.document.keyedBy];
      return definition.sharedKey === undefined || typeof key !== "string" ? [] : [{ name, key }];
    });
    const keys = chooseOwnKeys(named.map(({ key }) => key));
    for (const [index, { name }] of named.entries()) this.ownKeys.set(name, keys[index]!);
  }

  /** Finds the path to the object that has a logical name. */
  steps(name: string): readonly PathStep[] {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const parts = name.split("/");
    const above = parts.length > 2 ? this.steps(parts.slice(0, -2).join("/")) : [];
    const section = parts.at(-2) ?? "";
    const kind = listKindsUnder(definitions, above.at(-1)?.type ?? WORKSPACE).find(
      ({ document }) => document.section === section,
    );
    const to = kind?.references[kind.document.keyedBy]?.to;
    const object = this.byName.get(name);
    const value = object?.args[object.definition.document.keyedBy];
    const named = to === undefined ? value : this.reference(to, value);
    const text = named instanceof ReferenceValue ? named.key : named;
    const key = this.ownKeys.get(name) ?? (typeof text === "string" ? text : unescapeKey(parts.at(-1) ?? ""));
    const steps = [...above, { section, type: kind?.type ?? section, key, ...(to ? { to } : {}) }];
    this.known.set(name, steps);
    return steps;
  }

  /** Resolves the references in arguments to names. */
  private withNames({ references }: DocumentKind, args: Fields): Fields {
    const entries = Object.entries(args).map(([arg, value]) => {
      const reference = references[arg];
      const plain = (inner: unknown) => (inner instanceof Ref ? this.keyOf(inner.name) : inner);
      if (reference === undefined) return [arg, mapDeep(value, plain)];
      return [arg, mapReferences(reference, value, ({ to }, inner) => this.reference(to, inner))];
    });
    return Object.fromEntries(entries) as Fields;
  }

  /** Converts an object, and the members that only it and no other object of the source declares. */
  objects(described: DescribedObject): SourceObject[] {
    const { definition, name, number, outputs = {}, ignoreChanges = [], nameInFile, locate } = described;
    const args = this.withNames(definition, described.args);
    const steps = this.steps(name);
    const { htmlUrl, name: title } = outputs;
    // People who have not signed in yet have no name.
    const isTitled = Object.hasOwn(definition.outputs, "name") && typeof title === "string" && title !== "";
    const key = args[definition.document.keyedBy];
    const isId = typeof key === "number" || (key instanceof ReferenceValue && !key.known);
    const own: SourceObject = {
      definition,
      steps,
      ...normalizeArgs(
        definition,
        steps.at(-1)?.key ?? "",
        { ...args, ...described.unknown },
        described.secrets,
      ),
      ...pickDefined({
        ignoreChanges: ignoreChanges.length > 0 ? ignoreChanges : undefined,
        hiddenKey: isId || key === undefined ? true : undefined,
        title: isTitled ? title : undefined,
        link: typeof htmlUrl === "string" ? htmlUrl : undefined,
        number,
        nameInFile,
        locate,
      }),
    };
    return [own, ...listExclusiveObjects(own, args)];
  }

  private reference(to: string, value: unknown): unknown {
    if (value instanceof Ref) return new ReferenceValue(to, this.keyOf(value.name));
    if (typeof value === "string") return new ReferenceValue(to, value);
    if (typeof value !== "number") return value;
    const found = this.byNumber.get(`${to} ${value}`);
    return found === undefined ? createReference(to, value) : new ReferenceValue(to, this.keyOf(found.name));
  }

  private keyOf(name: string): string {
    return this.steps(name).at(-1)?.key ?? name;
  }
}

/**
 * @param key key of the object
 * @param more arguments that are secret beyond their definition
 */
function normalizeArgs(
  kind: DocumentKind,
  key: string,
  args: Fields,
  more: readonly string[] = [],
): Pick<SourceObject, "args" | "secrets" | "partly"> {
  const shape = getArgsShape(kind, args);
  const { keyedBy } = kind.document;
  const names = listComparableArgs(kind, args);
  const elsewhere = listFilledInElsewhere(kind, args, names);
  const filled = kind.serverDefaults?.(args) ?? {};
  const entries = names
    .filter((name) => name !== keyedBy)
    .filter((name) => !isUsual(shape[name], args[name]) || filled[name] === UNKNOWN)
    .filter((name) => filled[name] === undefined || !isSameValue(args[name], filled[name]))
    .map((name) => {
      if (filled[name] === UNKNOWN && args[name] == null)
        return [name, new UnknownValue("it is not declared, and the service sets it", "unsaid")];
      if (elsewhere.includes(name)) return [name, new UnknownValue("it is set elsewhere", "there")];
      return [name, args[name]];
    });
  // A name of another object is no secret.
  const secrets = [...listSecretNames(kind, { ...args, [keyedBy]: key }), ...more].filter(
    (name) => args[name] != null && !(args[name] instanceof ReferenceValue),
  );
  const partly = listPartlySecretNames(kind, { ...args, [keyedBy]: key }).filter(
    (name) => !more.includes(name),
  );
  return { args: Object.fromEntries(entries) as Fields, secrets: new Set(secrets), partly: new Set(partly) };
}

/** Arguments whose values are managed elsewhere, according to the object's own settings. */
function listFilledInElsewhere(kind: DocumentKind, args: Fields, names: readonly string[]): string[] {
  const own = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
  const anyway = kind.writeOnly(own);
  return kind.writeOnly(args).filter((name) => !anyway.includes(name));
}

/** Whether a value is empty or the service's default. */
function isUsual(schema: z.ZodType | undefined, value: unknown): boolean {
  const meta = schema?.meta() ?? {};
  return isSameValue(value, null) || (Object.hasOwn(meta, "default") && isSameValue(meta["default"], value));
}

/** @param args all arguments of the owner, with Named for references */
function listExclusiveObjects(parent: SourceObject, args: Fields): SourceObject[] {
  return listKindsUnder(definitions, parent.definition.type).flatMap((kind) => {
    const { section, keyedBy } = kind.document;
    const items = args[section];
    if (!isExclusive(kind, args) || !Array.isArray(items)) return [];
    const to = kind.references[keyedBy]?.to;
    return (items as unknown[]).map((item): SourceObject => {
      const fields: Fields = isFields(item) ? item : { [keyedBy]: item };
      const named = fields[keyedBy];
      const key = named instanceof ReferenceValue ? named.key : String(named);
      const { locate } = parent;
      return {
        definition: kind,
        steps: [...parent.steps, { section, type: kind.type, key, ...(to ? { to } : {}) }],
        ...normalizeArgs(kind, key, fields),
        ...(named instanceof ReferenceValue && !named.known ? { hiddenKey: true } : {}),
        ...(locate === undefined ? {} : { locate: () => locate([section]) }),
      };
    });
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof ReferenceValue);
}
