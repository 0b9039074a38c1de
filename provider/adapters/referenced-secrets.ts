/**
 * Objects whose arguments refer to secrets (`${secret:env:NAME}`). The operations work with the secrets, and the state contains
 * only the references, with keyed fingerprints of the applied values. Without a secret, its argument counts as unchanged.
 */
import { maskTexts } from "../../client/index.js";
import { fingerprint } from "../../diff/fingerprint.js";
import { asSecret, mapDeep, isSameJson, withoutMarks } from "../../diff/values.js";
import type { OpenedReference, SecretReference } from "../../trust/references.js";
import { FINGERPRINTS } from "../connection/read-only-mode.js";
import type { Definition, Fields } from "../definition/definition.js";
import { getDisplayName } from "../definition/display-name.js";
import { isNotRecorded } from "../crud/diff.js";
import {
  fillReferences,
  listReferences,
  SECRET_REFERENCES,
  listUsableReferences,
  withReferences,
  type ReferenceAt,
  type References,
} from "../definition/secrets/references.js";
import { listTextsIn } from "../definition/secrets/mask.js";
import { PartialCreation, ProviderError } from "../errors.js";
import {
  APPLIED,
  findAppliedIn,
  closeReferences,
  carryObservations,
  omitBookkeeping,
  withPrints,
} from "./applied-secrets.js";
import type { DynamicProvider } from "./dynamic-provider.js";

type Props = Record<string, unknown>;

/** What decides on the references of one object. */
export interface ReferenceGate {
  /** Notes the references that a program registers. */
  readonly note: (references: References) => void;
  /** Returns the function that opens the references of an argument. */
  readonly opener: () => Promise<(argument: string, reference: SecretReference) => OpenedReference>;
}

/** The arguments of an operation, with their secrets. */
interface Opened {
  readonly olds: Props;
  readonly news: Props;
  readonly secrets: readonly string[];
  /** Why secrets are missing, by argument. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

export function withReferencedSecrets(
  definition: Definition,
  provider: Omit<DynamicProvider, "compared">,
  gate: ReferenceGate,
  print: (line: string) => void,
): DynamicProvider {
  /** Replaces references by secrets. An old value equals the new one if it has the same fingerprint. */
  async function open(olds: Props, news: Props): Promise<Opened> {
    const opened = await gate.opener();
    const [before, after] = [omitBookkeeping(olds), omitBookkeeping(news)];
    const [former, present] = [listReferences(olds), listReferences(news)];
    const applied = findAppliedIn(olds);
    const isApplied = (name: string, value: unknown) =>
      applied?.fingerprints[name] === undefined ||
      applied.fingerprints[name] === fingerprint(applied.key, value);
    const secrets: string[] = [];
    const missing = new Map<string, readonly string[]>();
    for (const [name, references] of Object.entries(present)) {
      const value = withoutMarks(news[name]);
      const filled = fillReferences({ value, references }, (reference) => opened(name, reference));
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
      if (!Object.hasOwn(present, name) && isApplied(name, withoutMarks(news[name])))
        before[name] = news[name];
    return { olds: before, news: after, secrets, missing };
  }

  /** @throws {ProviderError} when a secret that the request needs is missing */
  async function openForWrite(olds: Props, news: Props): Promise<Opened> {
    const opened = await open(olds, news);
    const [first] = opened.missing;
    if (first === undefined) return opened;
    const [name, missing] = first;
    throw new ProviderError(
      "refused",
      `${getDisplayName(definition, omitBookkeeping(news))}: ${name} needs a secret, but ${missing.join(", and ")}`,
      missing,
    );
  }

  async function closingErrors<T>(
    secrets: readonly string[],
    inputs: Props,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const partly = error instanceof PartialCreation ? error.properties : {};
      const names = Object.keys(listReferences(inputs));
      const live = names.flatMap((name) => listTextsIn(withoutMarks(partly[name])));
      error.message = maskTexts(error.message, [...secrets, ...live]);
      if (error instanceof PartialCreation) {
        error.properties = closeReferences(partly, inputs);
        error.reasons = [error.message];
      }
      throw error;
    }
  }

  return {
    configure: (request) => provider.configure(request),

    async check(olds, news) {
      gate.note(listReferences(news));
      const given = withSettledReferences(olds, news);
      const references = listReferences(given);
      const names = Object.keys(references);
      if (names.length === 0) return provider.check(olds, omitBookkeeping(given));
      const { news: args, missing } = await open({}, given);
      const { inputs, failures } = await provider.check(omitBookkeeping(olds), args);
      const referring = Object.fromEntries(names.map((name) => [name, asSecret(given[name])]));
      const seen = inputs[FINGERPRINTS] as Fields | undefined;
      const known = seen && Object.entries(seen).filter(([name]) => !missing.has(name));
      return {
        inputs: {
          ...inputs,
          ...referring,
          ...(known ? { [FINGERPRINTS]: Object.fromEntries(known) } : {}),
          [SECRET_REFERENCES]: references,
        },
        // Without its secret, a value may not have the form that it needs.
        failures: missing.size > 0 ? [] : failures,
      };
    },

    async diff(id, ...sides) {
      const [olds, news] = sides.map(withReferences) as [Props, Props];
      if (!refers(olds, news)) return provider.diff(id, olds, news);
      const opened = await open(olds, news);
      for (const [name, missing] of opened.missing)
        print(
          `${getDisplayName(definition, omitBookkeeping(news))}: ${name} cannot be compared, because ${missing.join(", and ")}`,
        );
      return provider.diff(id, opened.olds, opened.news);
    },

    async compared(...sides) {
      const [olds, news] = sides.map(withReferences) as [Props, Props];
      return refers(olds, news) ? open(olds, news) : { olds, news };
    },

    async create(inputs) {
      if (!refers(inputs)) return provider.create(inputs);
      const opened = await openForWrite({}, inputs);
      const { id, outs } = await closingErrors(opened.secrets, inputs, () => provider.create(opened.news));
      return { id, outs: closeReferences(withoutCopies(outs, opened.secrets), inputs) };
    },

    async read(id, ...[given, givenInputs = {}]) {
      const inputs = withReferences(givenInputs);
      const props = withRecorded(definition, withReferences(given), inputs);
      if (!refers(props, inputs)) return provider.read(id, props);
      const [former, present] = [listReferences(props), listReferences(inputs)];
      // The state may still contain a value that the inputs already replace by a reference.
      const moved = Object.keys(present).filter((name) => !Object.hasOwn(former, name));
      const before = withPrints(findAppliedIn(props), moved, props);
      const references = {
        ...props,
        ...Object.fromEntries(Object.keys(present).map((name) => [name, inputs[name]])),
        [SECRET_REFERENCES]: { ...former, ...present },
        [APPLIED]: before,
      };
      const { olds: state, secrets, missing } = await open(props, references);
      const response = await closingErrors(secrets, references, () => provider.read(id, state));
      if (response.id === "") return response;
      const outs = withoutCopies(response.props, secrets);
      const sealed = closeReferences(
        outs,
        references,
        // What the service does not show was returned as it was given.
        (name, value) => missing.has(name) || isSameJson(value, withoutMarks(state[name])),
      );
      const after = findAppliedIn(sealed);
      const kept = Object.keys(listReferences(sealed)).map((name) => [name, sealed[name]]);
      return {
        id: response.id,
        props: { ...sealed, ...carryObservations(response.props, before, after, missing) },
        inputs: {
          ...response.inputs,
          ...(Object.fromEntries(kept) as Props),
          [SECRET_REFERENCES]: sealed[SECRET_REFERENCES],
        },
      };
    },

    async update(id, ...sides) {
      const [olds, news] = sides.map(withReferences) as [Props, Props];
      if (!refers(olds, news)) return provider.update(id, olds, news);
      const opened = await openForWrite(olds, news);
      const inputs = { ...news, [APPLIED]: olds[APPLIED] };
      const { outs } = await closingErrors(opened.secrets, inputs, () =>
        provider.update(id, opened.olds, opened.news),
      );
      return { outs: closeReferences(withoutCopies(outs, opened.secrets), inputs) };
    },

    delete: (id, props) => provider.delete(id, SECRET_REFERENCES in props ? omitBookkeeping(props) : props),
  };

  /** Removes secrets that the service repeats in an output. */
  function withoutCopies(outs: Props, secrets: readonly string[]): Props {
    const copied = Object.keys(definition.outputs).map((name) => [
      name,
      mapDeep(outs[name], (leaf) => (typeof leaf === "string" ? maskTexts(leaf, secrets) : leaf)),
    ]);
    return { ...outs, ...(Object.fromEntries(copied.filter(([, value]) => value !== undefined)) as Props) };
  }
}

/** Adds what the state of a recovered object lacks, as soon as the engine has recorded the arguments of the program. */
function withRecorded(definition: Definition, props: Props, inputs: Props): Props {
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

function refers(...all: readonly Props[]): boolean {
  return all.some((props) => Object.keys(listReferences(props)).length > 0);
}

/**
 * Returns the new inputs of an object with the references that fit to them. A text that new references do not fit to is an old one that
 * the engine has put back (`ignoreChanges`), with the old references.
 */
function withSettledReferences(olds: Props, news: Props): Props {
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
