/** Builds the state of an object after a read and after a write. */
import { isDeepStrictEqual } from "node:util";
import {
  areBothBlank,
  describeEngineText,
  findEngineText,
  isSameDeclared,
  isSameValue,
  pickDefined,
} from "../../diff/values.js";
import { listApiKeys, readShownValue, reduceRemote } from "../../resources/definition/api-names.js";
import {
  type Definition,
  type Fields,
  getArgsSchema,
  getArgsShape,
  isOptional,
  type RemoteObject,
} from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { listNeverReturned, type WrittenForm } from "../../resources/definition/nested.js";
import { writeNumbersAsText } from "../../resources/definition/number-texts.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { listRemoteDefaults } from "../../resources/definition/server-defaults.js";
import { ProviderError } from "../../resources/errors.js";
import type { ObservedObject } from "../existence/observe.js";
import { type Target, withRemote } from "./target.js";

/** The state of an object: its id, and its arguments and outputs. */
export interface ObjectState {
  readonly id: string;
  readonly outs: Fields;
}

/** The state after a read, with the parts of declared values that were not compared. */
export interface ReadState extends ObjectState {
  readonly notCompared: readonly PropertyPath[];
}

interface Response {
  readonly remote: RemoteObject;
  readonly whole: boolean;
  /** The arguments in the request; none for a read. */
  readonly sent: readonly string[];
}

/** The state after a read: the declared arguments with the values of the remote object. */
export function buildStateAfterRead(target: Target, observed: ObservedObject): ReadState {
  return new StateBuilder(target, { ...observed, sent: [] }).build();
}

/**
 * The state after a write: the values that were sent, unless the response shows other values.
 * @param sent arguments in the request: what the service adds to them in its response belongs to them
 */
export function buildStateAfterWrite(
  target: Target,
  remote: RemoteObject,
  sent: readonly string[],
): ObjectState {
  const { id, outs } = new StateBuilder(target, { remote, whole: false, sent }).build();
  return { id, outs };
}

class StateBuilder {
  private readonly outs: Record<string, unknown>;
  /** The forms in which the service showed values when they were written, by argument name. */
  private readonly observed: Record<string, unknown>;
  private readonly notCompared: PropertyPath[] = [];

  private readonly definition: Definition;
  private readonly state: Fields;

  constructor(
    private readonly target: Target,
    private readonly response: Response,
  ) {
    this.definition = target.definition;
    this.state = target.state;
    this.outs = withRemote(this.definition, this.state, response.remote);
    this.observed = { ...(this.state["observed"] as Fields | undefined) };
  }

  build(): ReadState {
    const { definition, state, outs, observed, notCompared, response } = this;
    this.defaults();
    if (this.response.sent.length === 0)
      for (const name of definition.lost(this.response.remote)) outs[name] = undefined;
    const isOtherKind = this.modes();
    const skipped = [...definition.writeOnly(state), ...definition.clientOnly, "workspace"];
    for (const name of Object.keys(getArgsSchema(definition, state).shape)) {
      if (state[name] === undefined || skipped.includes(name)) continue;
      const shown = readShownValue(definition, this.response.remote, name, state[name]);
      const isHidden = (shown ?? null) === null && definition.mayBeHidden.includes(name);
      if (isHidden) continue;
      if (response.sent.length === 0) this.refuseEngineText(name, shown);
      if (shown !== undefined) this.argument(name, shown);
      else if (!isOtherKind) this.missing(name);
    }
    if (Object.keys(observed).length > 0) outs["observed"] = observed;
    outs["address"] = this.target.context.address;
    const known = pickDefined(outs);
    return { id: buildId({ ...this.target, state: known }), outs: known, notCompared };
  }

  /** Somebody can give a property any text in the service. The engine would take some for a mark, and end the run. */
  private refuseEngineText(name: string, shown: unknown): void {
    const text = findEngineText(shown);
    if (text === undefined) return;
    const { definition, state } = this;
    throw new ProviderError(
      "unreadable",
      `${getDisplayName(definition, state)}: ${name} contains "${text}", which stands for ${describeEngineText(text, true) ?? ""} in Pulumi's engine`,
      "replace that text in the service",
    );
  }

  /** Adds omitted arguments that have a default, where their values differ from it. */
  private defaults(): void {
    const { definition, state, outs, response } = this;
    for (const [name, initial] of Object.entries(listRemoteDefaults(definition, state))) {
      if (state[name] !== undefined) continue;
      const shown = readShownValue(definition, response.remote, name, undefined);
      if (!isSameDeclared(shown, undefined, initial)) outs[name] = shown;
    }
  }

  /** Adds the modes that choose a variant, one of which may be unset. Returns whether the object now belongs to another variant. */
  private modes(): boolean {
    const { definition, state, outs, observed, response } = this;
    const { variants } = definition;
    const chosen = variants?.select(state);
    if (variants === undefined || chosen === undefined) return false;
    let isOtherKind = false;
    for (const name of variants.modes.filter((mode) => state[mode] === undefined)) {
      const shown = readShownValue(definition, response.remote, name, undefined);
      const selected = variants.select({ ...state, [name]: shown ?? undefined });
      if (selected === chosen) continue;
      // A mode that the specification does not know may be the service's own name for this one.
      if (selected === undefined && response.sent.length > 0) observed[name] = shown;
      const isNew = selected === undefined ? name in observed && observed[name] !== shown : true;
      if (isNew) outs[name] = shown;
      isOtherKind ||= isNew;
    }
    return isOtherKind;
  }

  private argument(name: string, shown: unknown): void {
    const { definition, state, outs, observed, response } = this;
    const isMasked = definition.masked(state).includes(name);
    if (isMask(shown) && isMasked && this.isShownPlainly(name)) {
      outs[name] = shown;
      // Where the masked form changes with each response, it says nothing.
    } else if (isMask(shown) && isMasked && this.target.context.behavior.encryptedValues === "changing") {
      delete observed[name];
    } else if (isMask(shown) && isMasked) {
      const before = observed[name];
      const isRead = response.sent.length === 0;
      // Only a change of the masked form reveals a change of the value. The form then stands for the unknown value.
      if (isRead && before !== undefined && before !== shown) outs[name] = shown;
      // Nothing shows whether the value had changed before its form was first seen.
      if (isRead && before === undefined) this.notCompared.push([name]);
      observed[name] = shown;
    } else if (isMask(shown) && definition.masked(outs).includes(name)) {
      // Somebody has encrypted the value, and perhaps changed it too: only its form is known.
      outs[name] = shown;
      observed[name] = shown;
    } else if (definition.references[name]?.idOutput !== undefined) this.reference(name, shown);
    else this.value(name, shown);
  }

  /** Whether the flags that the service shows make an argument plain: a value that looks masked is the value itself then. */
  private isShownPlainly(name: string): boolean {
    const { definition, state, response } = this;
    const flags = Object.keys(state).filter((arg) => typeof state[arg] === "boolean");
    const shown = flags.map((arg) => [
      arg,
      readShownValue(definition, response.remote, arg, state[arg]) ?? state[arg],
    ]);
    return !definition.masked({ ...state, ...(Object.fromEntries(shown) as Fields) }).includes(name);
  }

  private value(name: string, shown: unknown): void {
    const { definition, state, outs, observed, response } = this;
    const declared = state[name];
    const isViewed = (definition.nested[name] ?? "whole") !== "whole" && typeof declared === "object";
    const isSent = response.sent.includes(name);
    const written: WrittenForm = isSent ? { known: true, form: shown } : getWrittenForm(state, name);
    const { value, notCompared } = reduceRemote(definition, name, declared, shown, written, response.whole);
    // Paths contain a name as the service spells it.
    outs[name] = this.isPathName(name) ? shown : value;
    this.notCompared.push(
      ...notCompared.map((path) => [name, ...path]),
      ...listNeverReturned(declared, written.form ?? declared, [name]),
      ...this.beside(name).map((key) => [name, key]),
    );
    if (!isSent || !isViewed || isSummary(declared, shown)) return;
    const asDeclared = reduceRemote(definition, name, declared, shown, { known: true, form: null }, true);
    observed[name] = asDeclared.value === declared ? null : shown;
  }

  /** Whether an argument is the name by which the service identifies the object, as an output shows it. */
  private isPathName(name: string): boolean {
    const { definition, state } = this;
    const { identity } = definition;
    return identity.state !== name && listApiKeys(definition, name, state[name]).includes(identity.apiName);
  }

  /** The unmanaged keys next to the keys of an argument that takes all remaining ones. */
  private beside(name: string): string[] {
    const { definition, state, response } = this;
    const readOnly = definition.apiFields[name]?.rest;
    if (readOnly === undefined) return [];
    const args = Object.keys(getArgsSchema(definition, state).shape);
    const known = new Set([
      ...readOnly,
      ...Object.keys(state[name] ?? {}),
      ...args.flatMap((arg) => listApiKeys(definition, arg, undefined)),
      ...Object.values(definition.outputs).flatMap(({ apiName }) => apiName ?? []),
    ]);
    return Object.keys(response.remote).filter(
      (key) => !known.has(key) && !areBothBlank(response.remote[key], null),
    );
  }

  private reference(name: string, shown: unknown): void {
    const { definition, state, outs, response } = this;
    const { idOutput = "", label } = definition.references[name] ?? {};
    const resolved = state[idOutput];
    if (isSameValue(resolved, shown, definition.sets.includes(name))) return;
    outs[idOutput] = shown;
    outs[name] = shown;
    if (!Array.isArray(shown)) return;
    // Items of a list that are unchanged keep the form of the declaration.
    const [declared = [], ids = []] = [state[name], resolved] as (readonly unknown[] | undefined)[];
    outs[name] = shown.map((item: unknown) => {
      const index = ids.findIndex((id) => isDeepStrictEqual(id, item));
      return index < 0 ? (label?.(response.remote, item, state) ?? item) : declared[index];
    });
  }

  /** Handles a response that shows the object without this argument. */
  private missing(name: string): void {
    const { definition, state, outs, response } = this;
    const { remote, whole } = response;
    const keys = listApiKeys(definition, name, state[name]);
    if (keys.length === 0 || areBothBlank(state[name], null)) return;
    if (whole && keys.every((key) => !(key in remote))) {
      outs[name] = undefined;
      outs[definition.references[name]?.idOutput ?? name] = undefined;
    } else this.notCompared.push([name]);
  }
}

function getWrittenForm(state: Fields, name: string): WrittenForm {
  const observed = (state["observed"] ?? {}) as Fields;
  return Object.hasOwn(observed, name) ? { known: true, form: observed[name] } : { known: false, form: null };
}

/** Whether the response shows no part of a value that has parts. */
function isSummary(declared: unknown, shown: unknown): boolean {
  return Object.keys(declared as object).length > 0 && Object.keys(shown ?? {}).length === 0;
}

/** The form in which the service shows an encrypted value (spec, Environment variable). */
export function isMask(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("secure!");
}

export function buildId({ definition, context, state }: Target): string {
  const parts = definition.id.map((part) => encodeURIComponent(String(state[part])));
  return [context.workspace, ...parts].join("/");
}

/** Omits the arguments that only say how an existing object is found and taken over. They mean nothing once it is in the state. */
export function omitAdoption({ document, sharedKey }: Definition, args: Fields): Fields {
  const number = document?.numberedBy ?? sharedKey?.number ?? "adopt";
  const { adopt: _adopt, [number]: _number, ...rest } = args;
  return rest;
}

/** What a program declares: without what stands for no value, and with numbers in place of text as text. */
export function readStated(definition: Definition, olds: Fields, news: Fields): Fields {
  return omitNulls(definition, omitPlaceholders(definition, olds, writeNumbersAsText(definition, news)));
}

/** Omits null where it is no value of its own: in a program, it means that the argument is not set. */
function omitNulls(definition: Definition, args: Fields): Fields {
  const shape = getArgsShape(definition, args);
  const meansNone = (name: string) =>
    shape[name]?.safeParse(null).success === false && isOptional(shape[name]);
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || !meansNone(name)),
  );
}

/**
 * Omits empty texts for what the service hides. Pulumi writes them into the declaration of an imported object where an argument is
 * required. They stand for the actual value until the program states one.
 */
function omitPlaceholders(definition: Definition, olds: Fields, news: Fields): Fields {
  if (Object.keys(olds).length === 0) return news;
  const { writeOnly, masked, mayBeHidden } = definition;
  const hidden = new Set([...writeOnly(news), ...masked(news), ...mayBeHidden]);
  return Object.fromEntries(
    Object.entries(news).filter(
      ([name, value]) => !(value === "" && olds[name] === undefined && hidden.has(name)),
    ),
  );
}
