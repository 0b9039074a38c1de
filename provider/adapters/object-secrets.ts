/**
 * The secrets of an object during one operation of the engine: references (`${secret:env:NAME}`) are opened on entry, and closed on exit,
 * in results and in errors. In between, the operation works with the secrets. The state contains only the references, with keyed
 * fingerprints of the applied values. Without a secret, its argument counts as unchanged.
 */
import { maskTexts } from "../../client/index.js";
import { asSecret, isSameJson, withoutMarks } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { listSecretTexts, listTextsIn } from "../../resources/definition/secrets/mask.js";
import {
  fillReferences,
  listReferences,
  listUsableReferences,
  type ReferenceAt,
  SECRET_REFERENCES,
  withReferences,
} from "../../resources/definition/secrets/references.js";
import { listIdentifyingArgs } from "../../resources/definition/which-arguments.js";
import { PartialCreation, ProviderError } from "../../resources/errors.js";
import { openReference, type SecretReference } from "../../trust/references.js";
import type { Environment } from "../../trust/variables.js";
import { withoutFormerNames } from "../crud/renamed.js";
import {
  carryObservations,
  closeReferences,
  findAppliedIn,
  findOtherForms,
  isPrintOf,
  maskCopies,
  readReferring,
  type Referring,
} from "./applied-secrets.js";
import type { DeclaredReferences } from "./declared-references.js";
import { markLikeEarlier, markSecrets, type Props } from "./secret-marks.js";
import { addInputReferences, settleState } from "./state-references.js";

/** The object, and where its secrets come from. */
export interface SecretSource {
  readonly definition: Definition;
  readonly urn: string | undefined;
  readonly declared: DeclaredReferences;
  readonly env: Environment;
  /** Returns the function that reads the stack's configuration. */
  readonly config: () => Promise<(key: string) => string | undefined>;
}

export class ObjectSecrets {
  /** Arguments and outputs in the state, and new arguments: without marks, and with secrets once they are open. */
  olds: Fields = {};
  news: Fields;
  /** Why secrets are missing, by argument. */
  readonly missing = new Map<string, readonly string[]>();
  /** Arguments that differ from what was applied, which is known without their secrets. */
  readonly changedOutside = new Set<string>();

  private readonly before: Referring;
  private readonly after: Referring;
  private readonly secrets: string[] = [];

  /**
   * @param before the state of the object
   * @param marked its new arguments; its state, if it gets none
   */
  constructor(
    private readonly source: SecretSource,
    before: Props,
    private readonly marked: Props,
  ) {
    this.before = readReferring(before);
    this.after = { applied: this.before.applied, ...readReferring(marked) };
    this.news = this.after.own;
  }

  /** For a change of an object, whose state may have the form of earlier releases. */
  static ofChange(source: SecretSource, before: Props, after: Props): ObjectSecrets {
    return new ObjectSecrets(source, withReferences(before), withReferences(after));
  }

  /** For a read. @param inputs the declared arguments, which the state may lack */
  static ofState(source: SecretSource, props: Props, inputs: Props): ObjectSecrets {
    const declared = withReferences(inputs);
    const before = settleState(source.definition, withReferences(props), declared);
    return new ObjectSecrets(source, before, addInputReferences(before, declared));
  }

  /** Leaves the secrets of a state closed, because nothing needs them. */
  openNothing(): void {
    this.olds = this.withPresentNames(this.before.own);
  }

  /** Replaces references by secrets. An old value equals the new one if it has the same fingerprint. */
  async open(): Promise<this> {
    const [before, after] = [{ ...this.before.own }, { ...this.after.own }];
    const [former, present] = [this.before.references, this.after.references];
    if (Object.keys({ ...former, ...present }).length > 0) {
      const open = await this.opener();
      const { applied } = this.before;
      const isApplied = (name: string, value: unknown) =>
        applied?.fingerprints[name] === undefined || isPrintOf(applied, name, value);
      for (const [name, form] of Object.entries(findOtherForms(this.before))) {
        before[name] = form;
        this.changedOutside.add(name);
      }
      for (const [name, references] of Object.entries(present)) {
        const filled = fillReferences({ value: after[name], references }, (reference) =>
          open(name, reference),
        );
        this.secrets.push(...filled.secrets);
        if (filled.closed.length > 0) {
          this.missing.set(name, filled.closed);
          if (before[name] !== undefined && !this.changedOutside.has(name)) after[name] = before[name];
          continue;
        }
        after[name] = filled.value;
        if (Object.hasOwn(former, name) && isApplied(name, filled.value)) before[name] = filled.value;
      }
      for (const name of Object.keys(former))
        if (!Object.hasOwn(present, name) && isApplied(name, after[name])) before[name] = after[name];
    }
    this.olds = this.withPresentNames(before);
    this.news = after;
    return this;
  }

  /** @throws {ProviderError} when a secret is missing, without which nothing can be written */
  async openAll(): Promise<void> {
    await this.open();
    const [first] = this.missing;
    if (first === undefined) return;
    const [name, missing] = first;
    throw new ProviderError(
      "refused",
      `${this.displayName}: the secret value of its property "${name}" is not known: ${missing.join(", and ")}`,
      missing,
    );
  }

  /** Adds the references to checked arguments, in the place of the secrets. */
  closeInputs(inputs: Props): void {
    const { references, own } = this.after;
    for (const name of Object.keys(references)) inputs[name] = asSecret(own[name]);
    if (Object.keys(references).length > 0) inputs[SECRET_REFERENCES] = references;
  }

  /**
   * Returns the state of an object after a write.
   * @param earlier values: what was secret stays secret
   */
  close(outs: Fields, earlier?: Fields): Props {
    return markLikeEarlier(closeReferences(this.mark(outs, earlier), this.after), this.marked);
  }

  /** Returns the outputs of an object that was read, and the notes of a read-only run on them. */
  closeRead(outs: Fields, notes: Fields): { readonly outs: Props; readonly notes: Props } {
    // What the service does not show was returned as it was given. Without the secret, what it shows cannot be compared. Only an encrypted
    // value has a form of which another one means another value.
    const exact = this.source.definition.masked(this.olds);
    const { applied } = this.after;
    const isApplied = (name: string, value: unknown) =>
      isSameJson(value, this.olds[name]) ||
      (this.missing.has(name) && (!exact.includes(name) || isPrintOf(applied, name, value)));
    const closed = closeReferences(this.mark(outs, this.olds), this.after, isApplied);
    const { missing } = this;
    const isOpen = (name: string) => isPrintOf(applied, name, this.olds[name]);
    const carried = carryObservations(notes, applied, findAppliedIn(closed), { missing, isOpen });
    return { outs: closed, notes: { ...notes, ...carried } };
  }

  /** Names the referenced secrets that are not as applied, in an object that was read. @param outs from `closeRead` */
  listChangedOutside(outs: Props): Set<string> {
    const [before, now] = [this.after.applied, findAppliedIn(outs)];
    const names = Object.keys(this.after.references);
    return new Set(names.filter((name) => before?.fingerprints[name] !== now?.fingerprints[name]));
  }

  /** Whether both sides take an argument from the same secrets. */
  refersAlike(name: string): boolean {
    const [former, present] = [this.before.references[name], this.after.references[name]];
    return former !== undefined && isSameJson(former, present);
  }

  /** Masks secrets that the service may have repeated in its message, and removes the stack, which the host would print next to it. */
  closeError(error: Error): void {
    const partial = error instanceof PartialCreation ? error : undefined;
    const actual = Object.keys(this.after.references).flatMap((name) =>
      listTextsIn(partial?.properties[name]),
    );
    const texts = [this.olds, this.news].flatMap((args) => listSecretTexts(this.source.definition, args));
    error.message = maskTexts(error.message, [...texts, ...this.secrets, ...actual]);
    error.stack = "";
    if (partial === undefined) return;
    partial.properties = this.close(partial.properties, this.news);
    partial.reasons = [error.message];
  }

  get displayName(): string {
    return getDisplayName(this.source.definition, this.after.own);
  }

  private mark(outs: Fields, earlier: Fields | undefined): Props {
    const { definition } = this.source;
    return maskCopies(definition, markSecrets(definition, outs, earlier), this.secrets);
  }

  private withPresentNames(state: Fields): Fields {
    return withoutFormerNames(this.source.definition, this.source.env, state);
  }

  /** Returns the function that opens the references of an argument. */
  private async opener() {
    const { definition, urn, declared, env } = this.source;
    const config = await this.source.config();
    const identifying = listIdentifyingArgs(definition);
    return (argument: string, reference: SecretReference) =>
      openReference(reference, {
        isDeclared: (one) => declared.has({ type: definition.type, urn }, argument, one),
        identifies: identifying.has(argument),
        file: (path) => declared.file(path),
        env,
        config,
      });
  }
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
