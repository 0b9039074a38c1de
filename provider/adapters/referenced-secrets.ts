/**
 * Opens the references to secrets (`${secret:env:NAME}`) in the arguments of an object. The operations work with the secrets, and the
 * state contains only the references, with keyed fingerprints of the applied values. Without a secret, its argument counts as unchanged.
 */
import { fingerprint } from "../../diff/fingerprint.js";
import { isSameJson, withoutMarks } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { PROVIDER_KEY } from "../../resources/definition/provider-text.js";
import { IN_PLAINTEXT } from "../../resources/definition/secrets/in-plaintext.js";
import {
  fillReferences,
  listReferences,
  listUsableReferences,
  type ReferenceAt,
  SECRET_REFERENCES,
  withReferences,
} from "../../resources/definition/secrets/references.js";
import { listIdentifyingArgs } from "../../resources/definition/which-arguments.js";
import { ProviderError } from "../../resources/errors.js";
import { openReference, type SecretReference } from "../../trust/references.js";
import type { Environment } from "../../trust/variables.js";
import { isNotRecorded } from "../crud/diff.js";
import { APPLIED, findAppliedIn, withPrints } from "./applied-secrets.js";
import type { DeclaredReferences } from "./declared-references.js";

type Props = Record<string, unknown>;

/** Where secrets come from, besides files. */
interface SecretSources {
  readonly env: Environment;
  /** Returns the function that reads the stack's configuration. */
  readonly config: () => Promise<(key: string) => string | undefined>;
}

/** The arguments of an operation, with their secrets. */
export interface Opened {
  readonly olds: Fields;
  readonly news: Fields;
  readonly secrets: readonly string[];
  /** Why secrets are missing, by argument. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** A state whose secrets stay closed, because nothing needs them. */
export function openNothing(props: Props): Opened {
  return { olds: omitBookkeeping(props), news: {}, secrets: [], missing: new Map() };
}

/** The secrets to which the arguments of an object refer. */
export class ReferencedSecrets {
  constructor(
    private readonly object: { readonly definition: Definition; readonly urn: string | undefined },
    private readonly declared: DeclaredReferences,
    private readonly sources: SecretSources,
  ) {}

  /** Notes the references that a program registers. */
  note(inputs: Props): void {
    this.declared.note?.(this.referringObject, listReferences(inputs));
  }

  /** Replaces references by secrets. An old value equals the new one if it has the same fingerprint. */
  async open(olds: Props, news: Props): Promise<Opened> {
    const [before, after] = [omitBookkeeping(olds), omitBookkeeping(news)];
    const [former, present] = [listReferences(olds), listReferences(news)];
    const secrets: string[] = [];
    const missing = new Map<string, readonly string[]>();
    const opened = { olds: before, news: after, secrets, missing };
    if (!hasReferences(olds, news)) return opened;
    const open = await this.opener();
    const applied = findAppliedIn(olds);
    const isApplied = (name: string, value: unknown) =>
      applied?.fingerprints[name] === undefined ||
      applied.fingerprints[name] === fingerprint(applied.key, value);
    for (const [name, references] of Object.entries(present)) {
      const filled = fillReferences({ value: after[name], references }, (reference) => open(name, reference));
      secrets.push(...filled.secrets);
      if (filled.closed.length > 0) {
        missing.set(name, filled.closed);
        if (before[name] !== undefined) after[name] = before[name];
        continue;
      }
      after[name] = filled.value;
      if (Object.hasOwn(former, name) && isApplied(name, filled.value)) before[name] = filled.value;
    }
    for (const name of Object.keys(former))
      if (!Object.hasOwn(present, name) && isApplied(name, after[name])) before[name] = after[name];
    return opened;
  }

  /** @throws {ProviderError} when a secret is missing, without which nothing can be written */
  async openAll(olds: Props, news: Props): Promise<Opened> {
    const opened = await this.open(olds, news);
    const [first] = opened.missing;
    if (first === undefined) return opened;
    const [name, missing] = first;
    throw new ProviderError(
      "refused",
      `${getDisplayName(this.object.definition, omitBookkeeping(news))}: ${name} needs a secret, but ${missing.join(", and ")}`,
      missing,
    );
  }

  /** Returns the function that opens the references of an argument. */
  private async opener() {
    const { declared, referringObject } = this;
    const config = await this.sources.config();
    const identifying = listIdentifyingArgs(this.object.definition);
    return (argument: string, reference: SecretReference) =>
      openReference(reference, {
        isDeclared: (one) => declared.has(referringObject, argument, one),
        identifies: identifying.has(argument),
        file: (path) => declared.file(path),
        env: this.sources.env,
        config,
      });
  }

  private get referringObject() {
    return { type: this.object.definition.type, urn: this.object.urn };
  }
}

/** The arguments and outputs of the object itself, without marks. */
export function omitBookkeeping(props: Props): Record<string, unknown> {
  const {
    [PROVIDER_KEY]: _text,
    [SECRET_REFERENCES]: _names,
    [APPLIED]: _applied,
    [IN_PLAINTEXT]: _plain,
    ...own
  } = props;
  return withoutMarks(own) as Record<string, unknown>;
}

/** Adds the references of the inputs to a state, which may still contain a value that the inputs already replace by a reference. */
export function addInputReferences(state: Props, inputs: Props): Props {
  if (!hasReferences(state, inputs)) return state;
  const [former, present] = [listReferences(state), listReferences(inputs)];
  const names = Object.keys(present);
  const replaced = names.filter((name) => !Object.hasOwn(former, name));
  return {
    ...state,
    ...Object.fromEntries(names.map((name) => [name, inputs[name]])),
    [SECRET_REFERENCES]: { ...former, ...present },
    [APPLIED]: withPrints(findAppliedIn(state), replaced, state),
  };
}

/** Adds what the state of a recovered object lacks, as soon as the engine has recorded the arguments of the program. */
export function addUnrecorded(definition: Definition, props: Props, inputs: Props): Props {
  const bare = withoutMarks(props) as Fields;
  const names = Object.keys(inputs).filter(
    (name) => isNotRecorded(definition, name, bare) && withoutMarks(inputs[name]) !== null,
  );
  if (names.length === 0) return props;
  const pick = (all: Props) =>
    Object.fromEntries(names.filter((name) => name in all).map((name) => [name, all[name]]));
  const references = { ...listReferences(props), ...pick(listReferences(inputs)) };
  const added = Object.keys(references).length > 0 ? { [SECRET_REFERENCES]: references } : {};
  return { ...props, ...pick(inputs), ...added };
}

function hasReferences(...all: readonly Props[]): boolean {
  return all.some((props) => Object.keys(listReferences(props)).length > 0);
}

/**
 * Returns the new inputs of an object with the references that fit to them. A text that new references do not fit to is an old one that
 * the engine has put back (`ignoreChanges`), with the old references.
 */
export function settleReferences(olds: Props, news: Props): Props {
  const earlier = withReferences(olds);
  const [former, present] = [listReferences(earlier), listReferences(news)];
  const names = new Set([...Object.keys(former), ...Object.keys(present)].filter((name) => name in news));
  const given = { ...news };
  const references: Record<string, readonly ReferenceAt[]> = {};
  for (const name of names) {
    if (isSameJson(withoutMarks(news[name]), withoutMarks(olds[name]))) given[name] = earlier[name];
    const value = withoutMarks(given[name]);
    const fitting = listUsableReferences({ value, references: present[name] ?? [] });
    const old = listUsableReferences({ value, references: former[name] ?? [] });
    const known = new Set(fitting.map(({ at }) => JSON.stringify(at)));
    const all = [...fitting, ...old.filter(({ at }) => !known.has(JSON.stringify(at)))];
    if (all.length > 0) references[name] = all;
  }
  return { ...given, [SECRET_REFERENCES]: references };
}
