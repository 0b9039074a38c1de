/** Converts discovered objects to declarations that make a valid file and describe the same workspace. */
import { isBlank, mapDeep, UNKNOWN } from "../../diff/values.js";
import {
  type Definition,
  definitions,
  type DiscoveredObject,
  type Fields,
  findNamedSecret,
  type Gap,
  getArgsSchema,
  getArgsShape,
  isOptional,
  isSensitive,
  listIdentifyingArgs,
  listSecretsIn,
  looksRandom,
  mapSecretParts,
  type SecretPart,
  validateArgs,
} from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { type AsWritten, joinWritten } from "../../workspace-file/edit/edit.js";
import { createPlainDeclaration, type ResourceDeclaration } from "../../workspace-file/load/load.js";
import {
  findUnrepresentablePart,
  makeRepresentable,
  type Needed,
  Placeholders,
  sortKeysDeep,
  UNREPRESENTABLE,
} from "./written-values.js";

export interface Declarable {
  readonly declarations: readonly ResourceDeclaration[];
  readonly needed: readonly Needed[];
  readonly gaps: readonly Gap[];
  /** Arguments that the service never returns, by the noun of the resource type. */
  readonly hidden: ReadonlyMap<string, readonly string[]>;
}

type Args = Record<string, unknown>;

export function declareObjects(objects: readonly DiscoveredObject[]): Declarable {
  const placeholders = new Placeholders();
  const gaps: Gap[] = [];
  const hidden = new Map<string, Set<string>>();
  const declarations: ResourceDeclaration[] = [];
  const names = new Set<string>();
  for (const object of objects) {
    const { definition, name } = object;
    if (lacksParent(object, names)) {
      gaps.push({ type: definition.type, name, reason: "omitted: its parent is not in the file" });
      continue;
    }
    const declared = new Declaring(object, placeholders).declare();
    gaps.push(...declared.gaps);
    if (declared.args === undefined) {
      placeholders.drop(name);
      continue;
    }
    for (const arg of declared.hidden) {
      const of = hidden.get(definition.noun) ?? new Set();
      hidden.set(definition.noun, of.add(arg));
    }
    declarations.push(createPlainDeclaration(object.definition, object.name, declared.args));
    names.add(name);
  }
  const sorted = [...hidden].map(([noun, args]): [string, string[]] => [noun, [...args].sort()]);
  return { declarations, needed: placeholders.needed, gaps, hidden: new Map(sorted.sort()) };
}

/** Whether the entry of a list that contains the object is missing: unlike a map, a list has no external entries. */
function lacksParent({ definition, name }: DiscoveredObject, names: ReadonlySet<string>): boolean {
  const { steps, parent } = new LogicalName(name);
  const section = steps.at(-2)?.section;
  const inList = definitions.some(
    ({ type, document }) =>
      document?.section === section &&
      document?.form === "list" &&
      type in (definition.document?.under ?? {}),
  );
  return inList && !names.has(parent);
}

/** Maximum number of validations of an object: each correction may reveal another problem. */
const ROUNDS = 10;

class Declaring {
  readonly gaps: Gap[] = [];
  private args: Args;
  private readonly pruned: Args = {};
  /** Arguments that a file cannot represent. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly object: DiscoveredObject,
    private readonly placeholders: Placeholders,
  ) {
    this.args = { ...object.args };
  }

  declare(): { args: Fields | undefined; gaps: readonly Gap[]; hidden: readonly string[] } {
    const { definition } = this.object;
    const reason = findUnrepresentablePart(this.object);
    if (reason !== undefined) {
      this.gap(reason);
      return { args: undefined, gaps: this.gaps, hidden: [] };
    }
    this.sayAll();
    this.hideSecrets();
    this.prune();
    const valid = this.makeValid();
    const given = new Set(Object.keys(this.args));
    const own = Object.keys(getArgsSchema(definition, this.args).shape);
    const hidden = definition.writeOnly(this.args).filter((arg) => own.includes(arg) && !given.has(arg));
    return { args: valid ? this.args : undefined, gaps: this.gaps, hidden };
  }

  /** Reduces values to what a file can represent, with sorted keys: Pulumi sorts keys too. */
  private sayAll(): void {
    for (const [arg, value] of Object.entries(this.args)) {
      const said = makeRepresentable(value);
      if (said === value) {
        this.args[arg] = sortKeysDeep(value);
        continue;
      }
      this.gap(`${arg} is incomplete: ${UNREPRESENTABLE}`);
      // A value that is compared as a whole would lose the part that the file cannot represent.
      const isWhole = ["whole", "named"].includes(this.object.definition.nested[arg] ?? "whole");
      if (said === undefined || isWhole) this.leaveOut(arg);
      else this.args[arg] = sortKeysDeep(said);
    }
  }

  /** Replaces masked values, and secrets, by placeholders. */
  private hideSecrets(): void {
    const { definition, key } = this.object;
    const { scalar } = definition.document ?? {};
    const opaque = definition.masked(this.args);
    for (const [arg, value] of Object.entries(this.args)) {
      if (listSecretsIn(value).some((secret) => typeof secret === "number")) {
        this.gap(
          `${arg} is incomplete: a secret in it is a number, but the value of a placeholder is a string: change it to a string in the service`,
        );
        this.leaveOut(arg);
        continue;
      }
      const named =
        arg === scalar &&
        isSensitive(key) &&
        typeof value === "string" &&
        findNamedSecret(key, value).length > 0;
      if (opaque.includes(arg)) this.args[arg] = this.placeholder(arg);
      else if (named) this.args[arg] = this.placeholder(arg, { secret: true, same: value });
      else if (arg !== definition.document?.keyedBy) this.args[arg] = this.withoutSecrets(value, arg);
    }
  }

  /** In undocumented arguments, random-looking texts count as secrets too. */
  private withoutSecrets(value: unknown, arg: string): unknown {
    const { definition } = this.object;
    const guessing = definition.undocumented.includes(arg);
    // What identifies an object cannot be hidden.
    const isHidden = !listIdentifyingArgs(definition).has(arg);
    return mapSecretParts(
      value,
      (text, parts, path) => this.writeParts(String(text), parts, getPlace(arg, path), isHidden),
      (text) => guessing && looksRandom(text),
    );
  }

  /** Writes a text with a placeholder for each secret part of it. */
  private writeParts(text: string, parts: readonly SecretPart[], place: string, secret: boolean): AsWritten {
    const placeholders = parts.map(({ start, length }) =>
      this.placeholder(place, { secret, same: text.slice(start, start + length) }),
    );
    let end = 0;
    const pieces = parts.flatMap(({ start, length }, index) => {
      const before = text.slice(end, start);
      end = start + length;
      return [before, placeholders[index]!];
    });
    return joinWritten([...pieces, text.slice(end)]) ?? this.placeholder(place, { secret, same: text });
  }

  /** Removes empty values and defaults. */
  private prune(): void {
    const { definition } = this.object;
    const shape = getArgsShape(definition, this.args);
    for (const [arg, value] of Object.entries(this.args)) {
      const schema = shape[arg];
      const meta = schema?.meta() ?? {};
      const usual = Object.hasOwn(meta, "default") && meta["default"] === value;
      if (!isOptional(schema) || !(usual || isBlank(value))) continue;
      this.pruned[arg] = value;
      this.args = without(this.args, arg);
    }
  }

  /** Adds required arguments and removes invalid ones; returns false when the object cannot be declared. */
  private makeValid(): boolean {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [problem] = listProblems(this.object.definition, this.args);
      if (problem === undefined) return true;
      if (!this.mend(String(problem.path[0] ?? ""), problem.code, problem.message)) return false;
    }
    return this.leave("its arguments contradict each other");
  }

  private mend(arg: string, code: string, message: string): boolean {
    const { definition } = this.object;
    if (code === "required" && !(arg in this.args)) {
      if (arg in this.pruned) {
        this.args = { ...this.args, [arg]: this.pruned[arg] };
        return true;
      }
      if (this.gone.has(arg)) return this.leave(`it requires its ${arg}`);
      if (!definition.writeOnly(this.args).includes(arg))
        return this.leave(`the service does not return its ${arg}`);
      const asked = definition.askInstead[arg] ?? arg;
      this.args = { ...this.args, [asked]: this.placeholder(asked) };
      return true;
    }
    // The service knows its own types, so what this one requires is missing.
    if (arg === definition.variants?.chosenBy && code === "not-allowed-value")
      return this.leave(`the service does not return what its ${arg} requires`);
    if (!(arg in this.args) || arg === definition.document?.keyedBy) return this.leave(`${arg}: ${message}`);
    this.gap(`${arg} is omitted: ${message}`);
    this.leaveOut(arg);
    return true;
  }

  private leaveOut(arg: string): void {
    this.gone.add(arg);
    this.args = without(this.args, arg);
  }

  private placeholder(arg: string, value: Parameters<Placeholders["add"]>[3] = {}): AsWritten {
    const { name, definition } = this.object;
    return this.placeholders.add(name, arg, definition.document?.scalar, value);
  }

  private leave(reason: string): false {
    this.gap(`skipped: ${reason}`);
    return false;
  }

  private gap(reason: string): void {
    const { definition, name } = this.object;
    this.gaps.push({ type: definition.type, name, reason });
  }
}

/** Validates the arguments as in a file; placeholders are valid. */
function listProblems(definition: Definition, args: Fields) {
  const parentArgs = Object.values(definition.document?.under ?? {}).flatMap((arg) => arg ?? []);
  const unknownParents = Object.fromEntries(parentArgs.map((arg) => [arg, UNKNOWN]));
  return validateArgs(definition, withUnknowns({ ...unknownParents, ...args }));
}

/** Replaces placeholders, references and the like: validation accepts any value in their place. */
export function withUnknowns(value: Fields): Fields {
  return mapDeep(value, (part) => (typeof part === "object" && part !== null ? UNKNOWN : part)) as Fields;
}

/** Names a value by its path, as variables are named: items of lists are numbered from 1. */
function getPlace(arg: string, path: readonly (string | number)[]): string {
  return [arg, ...path.map((step) => (typeof step === "number" ? step + 1 : step))].join("_");
}

function without(args: Args, name: string): Args {
  const { [name]: _gone, ...rest } = args;
  return rest;
}
