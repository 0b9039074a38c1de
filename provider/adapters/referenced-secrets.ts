/**
 * Objects whose arguments refer to secrets (`${secret:env:NAME}`). The operations work with the secrets, and the state contains
 * only the references, with keyed fingerprints of the applied values. Without a secret, its argument counts as unchanged.
 */
import { maskTexts } from "../../client/index.js";
import { fingerprint } from "../../diff/fingerprint.js";
import { asSecret, mapDeep, sameJson, withoutMarks } from "../../diff/values.js";
import { FINGERPRINTS } from "../connection/read-only-mode.js";
import type { Definition, Fields } from "../definition/definition.js";
import { displayName } from "../definition/display-name.js";
import {
  referencingArgs,
  resolveSecretReferences,
  SECRET_REFERENCES,
  type SecretSources,
} from "../definition/secrets/references.js";
import { textsIn } from "../definition/secrets/mask.js";
import { PartialCreation, ProviderError } from "../errors.js";
import { APPLIED, appliedIn, closed, observations, ownProps, withPrints } from "./applied-secrets.js";
import type { DynamicProvider } from "./dynamic-provider.js";

type Props = Record<string, unknown>;

/** The arguments of an operation, with their secrets. */
interface Opened {
  readonly olds: Props;
  readonly news: Props;
  readonly secrets: readonly string[];
  /** What is not set, by argument. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** @param sources where the secrets of the run come from */
export function withReferencedSecrets(
  definition: Definition,
  provider: Omit<DynamicProvider, "compared">,
  sources: () => Promise<SecretSources>,
  print: (line: string) => void,
): DynamicProvider {
  /** Replaces references by secrets. An old value equals the new one if it has the same fingerprint. */
  async function open(olds: Props, news: Props): Promise<Opened> {
    const from = await sources();
    const [before, after] = [ownProps(olds), ownProps(news)];
    const applied = appliedIn(olds);
    const isApplied = (name: string, value: unknown) =>
      applied?.fingerprints[name] === undefined ||
      applied.fingerprints[name] === fingerprint(applied.key, value);
    const secrets: string[] = [];
    const missing = new Map<string, readonly string[]>();
    for (const name of referencingArgs(news)) {
      const resolved = resolveSecretReferences(withoutMarks(news[name]), from);
      secrets.push(...resolved.secrets);
      if (resolved.missing.length > 0) {
        missing.set(name, resolved.missing);
        if (before[name] !== undefined) after[name] = before[name];
        continue;
      }
      after[name] = resolved.value;
      if (referencingArgs(olds).includes(name) && isApplied(name, resolved.value))
        before[name] = resolved.value;
    }
    for (const name of referencingArgs(olds))
      if (!referencingArgs(news).includes(name) && isApplied(name, withoutMarks(news[name])))
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
      `${displayName(definition, ownProps(news))}: ${name} needs ${missing.join(" and ")}, which is not set: set it before running the command`,
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
      const names = referencingArgs(inputs);
      const live = names.flatMap((name) => textsIn(withoutMarks(partly[name])));
      error.message = maskTexts(error.message, [...secrets, ...live]);
      if (error instanceof PartialCreation) {
        error.properties = closed(partly, inputs);
        error.reasons = [error.message];
      }
      throw error;
    }
  }

  return {
    configure: (request) => provider.configure(request),

    async check(olds, news) {
      const names = referencingArgs(news);
      if (names.length === 0) return provider.check(olds, news);
      const { news: args, missing } = await open({}, news);
      const { inputs, failures } = await provider.check(ownProps(olds), args);
      const templates = Object.fromEntries(names.map((name) => [name, asSecret(news[name])]));
      const seen = inputs[FINGERPRINTS] as Fields | undefined;
      const known = seen && Object.entries(seen).filter(([name]) => !missing.has(name));
      return {
        inputs: {
          ...inputs,
          ...templates,
          ...(known ? { [FINGERPRINTS]: Object.fromEntries(known) } : {}),
          [SECRET_REFERENCES]: names,
        },
        // A template may not have the form of the value that it represents.
        failures: missing.size > 0 ? [] : failures,
      };
    },

    async diff(id, olds, news) {
      if (!refers(olds, news)) return provider.diff(id, olds, news);
      const opened = await open(olds, news);
      for (const [name, missing] of opened.missing)
        print(
          `${displayName(definition, ownProps(news))}: ${name} cannot be compared, because ${missing.join(" and ")} is not set`,
        );
      return provider.diff(id, opened.olds, opened.news);
    },

    async compared(olds, news) {
      return refers(olds, news) ? open(olds, news) : { olds, news };
    },

    async create(inputs) {
      if (!refers(inputs)) return provider.create(inputs);
      const opened = await openForWrite({}, inputs);
      const { id, outs } = await closingErrors(opened.secrets, inputs, () => provider.create(opened.news));
      return { id, outs: closed(withoutCopies(outs, opened.secrets), inputs) };
    },

    async read(id, props, inputs = {}) {
      if (!refers(props, inputs)) return provider.read(id, props);
      // The state may still contain a value that the inputs already replace by a reference.
      const moved = referencingArgs(inputs).filter((name) => !referencingArgs(props).includes(name));
      const names = [...referencingArgs(props), ...moved];
      const before = withPrints(appliedIn(props), moved, props);
      const references = {
        ...props,
        ...Object.fromEntries(referencingArgs(inputs).map((name) => [name, inputs[name]])),
        [SECRET_REFERENCES]: names,
        [APPLIED]: before,
      };
      const { olds: state, secrets, missing } = await open(props, references);
      const response = await closingErrors(secrets, references, () => provider.read(id, state));
      if (response.id === "") return response;
      const outs = withoutCopies(response.props, secrets);
      const sealed = closed(
        outs,
        references,
        // What the service does not show was returned as it was given.
        (name, value) => missing.has(name) || sameJson(value, withoutMarks(state[name])),
      );
      const after = appliedIn(sealed);
      const templates = names.filter((name) => sealed[name] !== undefined);
      return {
        id: response.id,
        props: { ...sealed, ...observations(response.props, before, after, missing) },
        inputs: {
          ...response.inputs,
          ...Object.fromEntries(templates.map((name) => [name, sealed[name]])),
          [SECRET_REFERENCES]: templates,
        },
      };
    },

    async update(id, olds, news) {
      if (!refers(olds, news)) return provider.update(id, olds, news);
      const opened = await openForWrite(olds, news);
      const inputs = { ...news, [APPLIED]: olds[APPLIED] };
      const { outs } = await closingErrors(opened.secrets, inputs, () =>
        provider.update(id, opened.olds, opened.news),
      );
      return { outs: closed(withoutCopies(outs, opened.secrets), inputs) };
    },

    delete: (id, props) => provider.delete(id, refers(props) ? ownProps(props) : props),
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

function refers(...all: readonly Props[]): boolean {
  return all.some((props) => referencingArgs(props).length > 0);
}
