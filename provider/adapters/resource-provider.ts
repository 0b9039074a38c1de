/**
 * The provider of a resource type: the operations of Pulumi's engine on an object. Each opens the references to secrets, works, and closes
 * the references again, in results and in errors. Results have explicit secret marks, because the engine copies marks only by key path and
 * only from earlier values.
 */
import { maskTexts } from "../../client/index.js";
import { asSecret, isSameJson, withoutMarks } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { isCompleteState } from "../../resources/definition/import-id.js";
import {
  IN_PLAINTEXT,
  listInPlaintext,
  settleInPlaintext,
} from "../../resources/definition/secrets/in-plaintext.js";
import {
  listSecretNames,
  listSecretTexts,
  listTextsIn,
  maskArgs,
} from "../../resources/definition/secrets/mask.js";
import {
  listReferences,
  SECRET_REFERENCES,
  withReferences,
} from "../../resources/definition/secrets/references.js";
import { PartialCreation } from "../../resources/errors.js";
import {
  FINGERPRINTS,
  packFingerprints,
  type ReadOnlyMode,
  readOnlyModeFrom,
} from "../connection/read-only-mode.js";
import type { Session } from "../connection/session.js";
import { create, type PlannedCreation } from "../crud/create.js";
import { deleteObject } from "../crud/delete.js";
import { diffResource, pickArgs, planChange, withSpelling } from "../crud/diff.js";
import { noteOwnership } from "../crud/exclusive-ownership.js";
import { replaceIds } from "../crud/id-references.js";
import { refuseOldNames, withoutFormerNames } from "../crud/renamed.js";
import { omitAdoption, readStated } from "../crud/state.js";
import { update } from "../crud/update.js";
import { createNotThereError, importById } from "../discovery/import-by-id.js";
import { APPLIED, carryObservations, closeReferences, findAppliedIn, maskCopies } from "./applied-secrets.js";
import { listCheckFailures } from "./check-failures.js";
import { NOT_FOUND, observeObject, omitUnmanaged, type ReadObject } from "./observe.js";
import type { RequestedOperation } from "./permitted-operations.js";
import { previewCreation, previewUpdate } from "./preview.js";
import type { Run } from "./provider-run.js";
import {
  addInputReferences,
  addUnrecorded,
  omitBookkeeping,
  type Opened,
  openNothing,
  ReferencedSecrets,
  settleReferences,
} from "./referenced-secrets.js";
import { markAs, markLikeEarlier, type Props } from "./secret-marks.js";

type Write = Omit<RequestedOperation, "type" | "urn">;

export class ResourceProvider {
  private readonly secrets: ReferencedSecrets;
  private readonly readOnly: ReadOnlyMode | undefined;

  /** @param urn the object for which it is called, if it is called for one object only */
  constructor(
    readonly definition: Definition,
    private readonly run: Pick<Run, "environment" | "references" | "openSession">,
    private readonly urn?: string,
  ) {
    const { env } = run.environment;
    this.readOnly = readOnlyModeFrom(env);
    const config = async () => (await run.openSession()).config;
    this.secrets = new ReferencedSecrets({ definition, urn }, run.references, { env, config });
  }

  async check(olds: Props, news: Props) {
    const { definition, readOnly } = this;
    // Each of the other operations fails if there is no session.
    const session = await this.run.openSession().catch(() => undefined);
    if (session !== undefined) session.stage = "planning";
    this.secrets.note(news);
    const given = settleReferences(olds, news);
    const { news: opened, missing } = await this.secrets.open({}, given);
    const before = omitBookkeeping(olds);
    const stated = readStated(definition, before, opened);
    const { args, problems } = replaceIds(definition, before, stated, session);
    // An object that is replaced is checked again without its earlier arguments.
    const isKnown = Object.keys(before).length > 0;
    const inputs = this.markSecrets(isKnown ? omitAdoption(definition, args) : args);
    if (readOnly) {
      const known = Object.entries(readOnly.fingerprints(args)).filter(([name]) => !missing.has(name));
      inputs[FINGERPRINTS] = packFingerprints(Object.fromEntries(known));
    }
    const references = listReferences(given);
    for (const name of Object.keys(references)) inputs[name] = asSecret(given[name]);
    if (Object.keys(references).length > 0) inputs[SECRET_REFERENCES] = references;
    const isSame = (name: string) => isSameJson(withoutMarks(olds[name]), withoutMarks(news[name]));
    const plain = settleInPlaintext(olds, news, isSame);
    if (plain.length > 0) inputs[IN_PLAINTEXT] = plain;
    this.run.environment.open?.note("declared", this.urn ?? "", inputs);
    // Without its secret, a value may not have the form that it needs.
    const failures =
      missing.size > 0
        ? []
        : [...problems, ...listCheckFailures(definition, before, args, this.run.environment.env)];
    return { inputs: markLikeEarlier(inputs, news), failures };
  }

  /** @param inputs arguments in the state, where the engine passes them */
  diff(id: string, before: Props, after: Props, inputs: Props = {}) {
    this.run.environment.open?.note("before", this.urn ?? "", inputs);
    return this.operate(
      after,
      () => this.openBoth(before, after),
      ({ olds: state, news: args, missing }, session) => {
        const { definition, readOnly } = this;
        for (const [name, reasons] of missing)
          this.run.environment.print(
            `${getDisplayName(definition, omitBookkeeping(after))}: ${name} cannot be compared, because ${reasons.join(", and ")}`,
          );
        const context = session.contextOf(state, definition.type, id, args);
        // The engine compares each object that it refreshes, also those that the program does not declare any more.
        if (session.stage !== "refreshing") session.mentioned.note(definition, state, args);
        session.known.note(definition, id, state, args);
        noteOwnership(definition, context, state, args);
        if (!readOnly) refuseOldNames(definition, context, args);
        // A read-only run also reports changes that `up` will refuse. A refresh compares with what was declared before, which nobody plans.
        const compare = readOnly || session.stage === "refreshing" ? diffResource : planChange;
        const { changed, replaces, deleteBeforeReplace } = compare(definition, state, args, context.behavior);
        if (compare === planChange && replaces.length > 0) session.mentioned.noteReplacement(definition, id);
        const changes = changed.length > 0 || replaces.length > 0;
        return { changes, replaces: [...replaces], deleteBeforeReplace, changed };
      },
    );
  }

  /** Returns both sides with their secrets, so that they can be compared. */
  openBoth(olds: Props, news: Props): Promise<Opened> {
    return this.secrets.open(withReferences(olds), withReferences(news));
  }

  create(inputs: Props) {
    let planned: PlannedCreation | undefined;
    return this.operate(
      inputs,
      () => {
        planned = this.requireWrite({ kind: "create", after: inputs });
        // The inputs are those of check, so never in the form of earlier releases.
        return this.secrets.openAll({}, inputs);
      },
      async (opened, session) => {
        const { definition } = this;
        const args = opened.news;
        const context = session.context(args);
        session.mentioned.note(definition, args);
        const { id, outs } = await create(definition, context, args, planned);
        noteOwnership(definition, context, {}, outs);
        session.known.note(definition, id, outs);
        return { id, outs: this.closeOutputs(omitAdoption(definition, outs), inputs, opened.secrets) };
      },
    );
  }

  /** @param inputs as in the state; Pulumi's own host does not pass them */
  read(id: string, props: Props, inputs: Props = {}): Promise<ReadObject> {
    // An import has no state. A program that reads an object may state a part of it.
    const isComplete = isCompleteState(this.definition, props);
    return isComplete ? this.refresh(id, props, inputs) : this.readById(id, props);
  }

  private readById(given: string, props: Props): Promise<ReadObject> {
    return this.operate(
      props,
      () => Promise.resolve(openNothing(props)),
      async ({ olds: state }, session) => {
        const found = await importById(this.definition, session, given, state);
        if (found === undefined) throw await createNotThereError(this.definition, session, given, state);
        const mark = (values: Fields) => markLikeEarlier(this.markSecrets(values, state), props);
        return { id: found.id, props: mark(found.outs), inputs: mark(found.args) };
      },
    );
  }

  private refresh(id: string, props: Props, inputs: Props): Promise<ReadObject> {
    const declared = withReferences(inputs);
    const before = addUnrecorded(this.definition, withReferences(props), declared);
    const referring = addInputReferences(before, declared);
    return this.operate(
      referring,
      () => this.secrets.open(before, referring),
      async ({ olds: state, secrets, missing }, session) => {
        const { definition } = this;
        if (session.stage === "begun") session.stage = "refreshing";
        const context = session.contextOf(state, definition.type, id);
        const found = await observeObject(definition, context, state, this.readOnly);
        if (found === undefined) {
          context.noteDeleted(definition.type, id);
          return NOT_FOUND;
        }
        session.mentioned.noteRead(definition, state, found.outs);
        const outs = closeReferences(
          maskCopies(definition, this.markSecrets(found.outs, state), secrets),
          referring,
          // What the service does not show was returned as it was given.
          (name, value) => missing.has(name) || isSameJson(value, state[name]),
        );
        const args = this.markSecrets(
          withSpelling(definition, pickArgs(definition, found.outs, state), inputs),
          state,
        );
        for (const name of Object.keys(listReferences(outs))) args[name] = outs[name];
        if (SECRET_REFERENCES in outs) args[SECRET_REFERENCES] = outs[SECRET_REFERENCES];
        // Nobody knows what somebody has put into passed-through data.
        const isOfFile = (name: string) =>
          !definition.undocumented.includes(name) ||
          isSameJson(withoutMarks(args[name]), withoutMarks(inputs[name]));
        const plain = listInPlaintext(inputs).filter((name) => name in args && isOfFile(name));
        if (plain.length > 0) args[IN_PLAINTEXT] = plain;
        this.run.environment.open?.note("state", this.urn ?? "", inputs);
        this.run.environment.open?.note("live", this.urn ?? "", args);
        const notes = carryObservations(found.notes, findAppliedIn(referring), findAppliedIn(outs), missing);
        return {
          id,
          props: markLikeEarlier({ ...outs, ...found.notes, ...notes }, props),
          inputs: markLikeEarlier(omitUnmanaged(args, inputs, props), { ...props, ...inputs }),
        };
      },
    );
  }

  update(id: string, before: Props, after: Props) {
    const inputs = { ...withReferences(after), [APPLIED]: withReferences(before)[APPLIED] };
    return this.operate(
      inputs,
      () => {
        this.requireWrite({ kind: "update", id, before: pickArgs(this.definition, before, before), after });
        return this.secrets.openAll(withReferences(before), withReferences(after));
      },
      async ({ olds: state, news: args, secrets }, session) => {
        const { definition } = this;
        const context = session.contextOf(state, definition.type, id, args);
        const { outs } = await update(definition, context, state, args);
        noteOwnership(definition, context, {}, outs);
        return { outs: this.closeOutputs(omitAdoption(definition, outs), inputs, secrets) };
      },
    );
  }

  delete(id: string, props: Props): Promise<void> {
    return this.operate(
      props,
      () => {
        this.requireWrite({ kind: "delete", id });
        // A deletion needs no secret.
        return Promise.resolve(openNothing(props));
      },
      async ({ olds: state }, session) => {
        const { definition } = this;
        const context = session.contextOf(state, definition.type, id);
        // What the run adopted is released.
        if (!context.wasAdopted(definition.type, id))
          await session.mentioned.refuseDeletion(definition, context, id, state);
        const reason = await deleteObject(definition, context, state);
        context.noteDeleted(definition.type, id);
        if (reason !== undefined)
          this.run.environment.print(`${definition.type} ${id} was released, not deleted: ${reason}`);
      },
    );
  }

  /** The outputs that a preview shows of an object that will be created. */
  previewCreate(inputs: Props): Props {
    this.notePlanned(undefined, inputs);
    return markLikeEarlier(previewCreation(this.definition, withoutMarks(inputs) as Fields), inputs);
  }

  /** The outputs that a preview shows of an object that will be updated. */
  previewUpdate(olds: Props, news: Props): Props {
    this.notePlanned(olds, news);
    const [before, after] = [withoutMarks(olds) as Fields, withoutMarks(news) as Fields];
    return markLikeEarlier(markAs(previewUpdate(this.definition, before, after), olds), news);
  }

  /** Every write passes here. @throws {ProviderError} when the run is read-only, or its plan does not contain the operation */
  private requireWrite(requested: Write): PlannedCreation | undefined {
    this.readOnly?.refuseWrite();
    const { definition, urn } = this;
    return this.run.environment.permitted?.require({ type: definition.type, urn, ...requested });
  }

  /**
   * Notes what a preview plans with.
   * @param olds the state of an object that exists
   * @param id of an object without a URN
   */
  notePlanned(olds: Props | undefined, news: Props, id?: string): void {
    const { planned } = this.run.environment;
    const object = { type: this.definition.type, urn: this.urn, id };
    // Other outputs may change while nothing is planned.
    if (olds !== undefined) planned?.note("before", object, pickArgs(this.definition, olds, olds));
    planned?.note("after", object, news);
  }

  /**
   * Performs an operation, and prepares its errors for display and for the state.
   * @param inputs the arguments with references, and the fingerprints of the applied values
   */
  private async operate<T>(
    inputs: Props,
    open: () => Promise<Opened>,
    work: (opened: Opened, session: Session) => T | Promise<T>,
  ): Promise<T> {
    let opened: Opened | undefined;
    try {
      opened = await open();
      const { env } = this.run.environment;
      opened = { ...opened, olds: withoutFormerNames(this.definition, env, opened.olds) };
      return await work(opened, await this.run.openSession());
    } catch (error) {
      if (error instanceof Error) this.closeError(error, inputs, opened);
      throw error;
    }
  }

  /** Masks secrets that the service may have repeated in its message, and removes the stack, which the host would print next to it. */
  private closeError(error: Error, inputs: Props, opened: Opened | undefined): void {
    const partial = error instanceof PartialCreation ? error : undefined;
    const { olds = {}, news = omitBookkeeping(inputs), secrets = [] } = opened ?? {};
    const actual = Object.keys(listReferences(inputs)).flatMap((name) =>
      listTextsIn(partial?.properties[name]),
    );
    const texts = [olds, news].flatMap((args) => listSecretTexts(this.definition, args));
    error.message = maskTexts(error.message, [...texts, ...secrets, ...actual]);
    error.stack = "";
    if (partial === undefined) return;
    partial.properties = this.closeOutputs(partial.properties, inputs, secrets, news);
    partial.reasons = [error.message];
  }

  /**
   * The state of an object after a write.
   * @param before earlier values: what was secret stays secret
   */
  private closeOutputs(outs: Fields, inputs: Props, secrets: readonly string[], before?: Fields): Props {
    return markLikeEarlier(
      closeReferences(maskCopies(this.definition, this.markSecrets(outs, before), secrets), inputs),
      inputs,
    );
  }

  /** @param before earlier values: what was secret stays secret, even after an outside change */
  private markSecrets(outs: Fields, before?: Fields): Props {
    return maskArgs(this.definition, outs, asSecret, before && listSecretNames(this.definition, before));
  }
}
