/**
 * The provider of a resource type: the operations of Pulumi's engine on an object. Each opens the references to secrets, works, and closes
 * the references again, in results and in errors. Results have explicit secret marks, because the engine copies marks only by key path and
 * only from earlier values.
 */
import { isSameJson, withoutMarks } from "../../diff/values.js";
import type { CreationUnderWay } from "../../recovery/journal.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { isCompleteState } from "../../resources/definition/import-id.js";
import {
  IN_PLAINTEXT,
  listInPlaintext,
  settleInPlaintext,
} from "../../resources/definition/secrets/in-plaintext.js";
import { listReferences, SECRET_REFERENCES } from "../../resources/definition/secrets/references.js";
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
import { refuseOldNames } from "../crud/renamed.js";
import { omitAdoption, readStated } from "../crud/state.js";
import { update } from "../crud/update.js";
import { createNotThereError, importById } from "../discovery/import-by-id.js";
import { omitBookkeeping } from "./applied-secrets.js";
import { listCheckFailures } from "./check-failures.js";
import { ObjectSecrets, type SecretSource, settleReferences } from "./object-secrets.js";
import { NOT_FOUND, observeObject, omitUnmanaged, type ReadObject } from "./observe.js";
import type { RequestedOperation } from "./permitted-operations.js";
import { previewCreation, previewUpdate } from "./preview.js";
import type { Run } from "./provider-run.js";
import { markAs, markLikeEarlier, markSecrets, type Props } from "./secret-marks.js";

type Write = Omit<RequestedOperation, "type" | "urn">;

export class ResourceProvider {
  private readonly source: SecretSource;
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
    this.source = { definition, urn, declared: run.references, env, config };
  }

  async check(olds: Props, news: Props) {
    const { definition, readOnly } = this;
    // Each of the other operations fails if there is no session.
    const session = await this.run.openSession().catch(() => undefined);
    if (session !== undefined) session.stage = "planning";
    this.run.references.note?.({ type: definition.type, urn: this.urn }, listReferences(news));
    const secrets = await new ObjectSecrets(this.source, {}, settleReferences(olds, news)).open();
    const { missing } = secrets;
    const before = omitBookkeeping(olds);
    const stated = readStated(definition, before, secrets.news);
    const { args, problems } = replaceIds(definition, before, stated, session);
    // An object that is replaced is checked again without its earlier arguments.
    const isKnown = Object.keys(before).length > 0;
    const inputs = markSecrets(definition, isKnown ? omitAdoption(definition, args) : args);
    if (readOnly) {
      const known = Object.entries(readOnly.fingerprints(args)).filter(([name]) => !missing.has(name));
      inputs[FINGERPRINTS] = packFingerprints(Object.fromEntries(known));
    }
    secrets.closeInputs(inputs);
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
    const secrets = ObjectSecrets.ofChange(this.source, before, after);
    return this.operate(
      secrets,
      () => secrets.open(),
      ({ olds: state, news: args, missing, changedOutside }, session) => {
        const { definition, readOnly } = this;
        for (const [name, reasons] of missing)
          if (!changedOutside.has(name))
            this.run.environment.print(
              `${secrets.displayName}: ${name} cannot be compared, because ${reasons.join(", and ")}`,
            );
        const context = session.contextOf(state, definition.type, id, args);
        // The engine compares each object that it refreshes, also those that the program does not declare any more.
        if (session.stage !== "refreshing") session.mentioned.note(definition, state, args);
        session.known.note(definition, id, state, args);
        noteOwnership(definition, context, state, args);
        if (!readOnly) refuseOldNames(definition, context, args);
        // A read-only run also reports changes that `up` will refuse. A refresh compares with what was declared before, which nobody plans.
        const compare = readOnly || session.stage === "refreshing" ? diffResource : planChange;
        const compared = compare(definition, state, args, context.behavior);
        const { replaces, deleteBeforeReplace } = compared;
        // A refresh compares what was read with the state. Which secret this run has does not matter there.
        const outside =
          session.stage === "refreshing" ? session.secretsOutside.get(`${definition.type} ${id}`) : undefined;
        const isOutside = (name: string) =>
          outside === undefined ||
          outside.has(name) ||
          changedOutside.has(name) ||
          !secrets.refersAlike(name);
        const changed = compared.changed.filter(isOutside);
        if (compare === planChange && replaces.length > 0) session.mentioned.noteReplacement(definition, id);
        const changes = changed.length > 0 || replaces.length > 0;
        return { changes, replaces: [...replaces], deleteBeforeReplace, changed };
      },
    );
  }

  /** Returns both sides with their secrets, so that they can be compared. */
  openBoth(olds: Props, news: Props): Promise<Pick<ObjectSecrets, "olds" | "news">> {
    return ObjectSecrets.ofChange(this.source, olds, news).open();
  }

  /** @param underWay absent for Pulumi's own host */
  create(inputs: Props, underWay?: CreationUnderWay) {
    let planned: PlannedCreation | undefined;
    const secrets = new ObjectSecrets(this.source, {}, inputs);
    return this.operate(
      secrets,
      () => {
        planned = this.requireWrite({ kind: "create", after: inputs });
        return secrets.openAll();
      },
      async ({ news: args }, session) => {
        const { definition } = this;
        const context = session.context(args);
        session.mentioned.note(definition, args);
        const { id, outs } = await create(definition, context, args, { planned, underWay });
        noteOwnership(definition, context, {}, outs);
        session.known.note(definition, id, outs);
        return { id, outs: secrets.close(omitAdoption(definition, outs)) };
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
    const secrets = new ObjectSecrets(this.source, props, props);
    return this.operate(
      secrets,
      () => secrets.openNothing(),
      async ({ olds: state }, session) => {
        const found = await importById(this.definition, session, given, state);
        if (found === undefined) throw await createNotThereError(this.definition, session, given, state);
        const mark = (values: Fields) => markLikeEarlier(markSecrets(this.definition, values, state), props);
        return { id: found.id, props: mark(found.outs), inputs: mark(found.args) };
      },
    );
  }

  private refresh(id: string, props: Props, inputs: Props): Promise<ReadObject> {
    const secrets = ObjectSecrets.ofState(this.source, props, inputs);
    return this.operate(
      secrets,
      () => secrets.open(),
      async ({ olds: state }, session) => {
        const { definition } = this;
        if (session.stage === "begun") session.stage = "refreshing";
        const context = session.contextOf(state, definition.type, id);
        const found = await observeObject(definition, context, state, this.readOnly);
        if (found === undefined) {
          context.noteDeleted(definition.type, id);
          return NOT_FOUND;
        }
        session.mentioned.noteRead(definition, state, found.outs);
        const { outs, notes } = secrets.closeRead(found.outs, found.notes);
        session.secretsOutside.set(`${definition.type} ${id}`, secrets.listChangedOutside(outs));
        const args = markSecrets(
          definition,
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
        return {
          id,
          props: markLikeEarlier({ ...outs, ...notes }, props),
          inputs: markLikeEarlier(omitUnmanaged(args, inputs, props), { ...props, ...inputs }),
        };
      },
    );
  }

  update(id: string, before: Props, after: Props) {
    const secrets = ObjectSecrets.ofChange(this.source, before, after);
    return this.operate(
      secrets,
      () => {
        this.requireWrite({ kind: "update", id, before: pickArgs(this.definition, before, before), after });
        return secrets.openAll();
      },
      async ({ olds: state, news: args }, session) => {
        const { definition } = this;
        const context = session.contextOf(state, definition.type, id, args);
        const { outs } = await update(definition, context, state, args);
        noteOwnership(definition, context, {}, outs);
        return { outs: secrets.close(omitAdoption(definition, outs)) };
      },
    );
  }

  delete(id: string, props: Props): Promise<void> {
    const secrets = new ObjectSecrets(this.source, props, props);
    return this.operate(
      secrets,
      () => {
        this.requireWrite({ kind: "delete", id });
        // A deletion needs no secret.
        secrets.openNothing();
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

  /** Performs an operation, and prepares its errors for display and for the state. */
  private async operate<T>(
    secrets: ObjectSecrets,
    open: () => unknown,
    work: (opened: ObjectSecrets, session: Session) => T | Promise<T>,
  ): Promise<T> {
    try {
      await open();
      return await work(secrets, await this.run.openSession());
    } catch (error) {
      if (error instanceof Error) secrets.closeError(error);
      throw error;
    }
  }
}
