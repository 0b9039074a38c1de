/**
 * Adapter to Pulumi's dynamic providers. The host (`pulumi-resource-pulumi-nodejs`) calls these methods with plain
 * values: secrets in clear, unknown values as a fixed text. What goes back carries explicit secret marks, since the
 * engine copies marks only by key path and only from what it knew before.
 */
import { maskTexts } from "../../client/index.js";
import { plain as printable } from "../../client/printable.js";
import { resolveConnection, type ConnectionSettings } from "../connection/connection.js";
import { credentialsFile, readCredentials } from "../connection/credentials.js";
import { debugWriter } from "../connection/debug.js";
import { create } from "../crud/create.js";
import type { Definition, Fields } from "../definition/definition.js";
import { difference, planChange, pickArgs } from "../crud/diff.js";
import { PartialCreation, PartialUpdate } from "../errors.js";
import { leaveWithEngine } from "../recovery/parent-watchdog.js";
import { noteOwnership } from "../crud/exclusive-ownership.js";
import { openJournal } from "../recovery/file-journal.js";
import type { Journal } from "../recovery/create-journal.js";
import { deleteObject } from "../crud/delete.js";
import { read } from "../crud/read.js";
import type { SharedReads } from "../crud/read-cache.js";
import { update } from "../crud/update.js";
import { openRequestCounter } from "../connection/request-counter.js";
import {
  FINGERPRINTS,
  NOT_COMPARED,
  readOnlyModeFrom,
  UNREADABLE,
  type SeenFingerprints,
} from "../connection/read-only-mode.js";
import { maskArgs, secretNames, secretTextsOf } from "../definition/secrets/mask.js";
import { refuseOldNames } from "../crud/renamed.js";
import { Session } from "../connection/session.js";
import { PROVIDER_KEY } from "./provider-text.js";
import { isImporting } from "../crud/import-mode.js";
import { problemLine, validateArgs } from "../definition/validate.js";
import { asSecret, sameJson, withoutMarks } from "../../diff/values.js";

type Props = Record<string, unknown>;

/** The methods that the dynamic host calls; the shape of `pulumi.dynamic.ResourceProvider`. */
export interface DynamicProvider {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: Props,
    news: Props,
  ): Promise<{ inputs: Props; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Props,
    news: Props,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Props): Promise<{ id: string; outs: Props }>;
  read(id: string, props: Props): Promise<{ id: string; props: Props; inputs: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
}

/** All types run in one process with one configuration. The host may call before `configure` has ended: a promise is kept. */
let configured: Promise<Session> | undefined;

function theSession(get: (key: string) => string | undefined = () => undefined): Promise<Session> {
  if (configured === undefined) {
    leaveWithEngine();
    configured = openSession({ env: process.env, tell, journal: () => openJournal(tell) }, get);
  }
  return configured;
}

/** The world in which providers run. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shows a line to the user. */
  readonly tell: (line: string) => void;
  readonly journal: () => Journal;
  /** What the command has read before. */
  readonly reads?: SharedReads | undefined;
}

/** @param get reads the configuration of the stack; fails later, when the session is needed */
export function openSession(
  { env, tell, journal, reads }: World,
  get: (key: string) => string | undefined,
): Promise<Session> {
  const keys = ["connection", "baseUrl", "token", "workspace", "allowInsecure"] as const;
  const config: ConnectionSettings = Object.fromEntries(
    keys.map((key) => [key, get(`workspace-automation:${key}`)]),
  );
  const opening = Promise.resolve().then(() => {
    const debug = debugWriter(env, tell);
    const credentials = readCredentials(credentialsFile(env));
    const connection = resolveConnection({ config, env, credentials, debug });
    const meter = openRequestCounter(env);
    return new Session(connection, { tell, debug, journal: journal(), meter, env, reads });
  });
  opening.catch(() => {}); // every method awaits it and fails with it
  return opening;
}

/** The engine shows what a provider writes to stderr: one line, whatever a name in it holds. */
function tell(line: string): void {
  // eslint-disable-next-line no-restricted-syntax -- this process has no other way to the engine
  process.stderr.write(`${printable(line)}\n`);
}

/**
 * @param session the run to act in; the process's own unless another is brought
 * @param world the environment of that run, and where it tells of what it does
 */
export function dynamicProvider(
  definition: Definition,
  session: () => Promise<Session> = () => theSession(),
  { env, tell: say }: Pick<World, "env" | "tell"> = { env: process.env, tell },
): DynamicProvider {
  /** @param before what was secret before stays so, whatever was changed outside */
  const marked = (outs: Fields, before?: Fields): Props =>
    maskArgs(definition, outs, asSecret, before && secretNames(definition, before));
  /** What the state is to hold of an object that is not as it was asked for. */
  const partial = (error: PartialCreation, inputs: Props): Props => ({
    ...marked(error.properties, plain(inputs)),
    ...(PROVIDER_KEY in inputs ? { [PROVIDER_KEY]: inputs[PROVIDER_KEY] } : {}),
  });
  const careful = <T>(props: readonly Props[], work: () => Promise<T>) =>
    quietly(work, () => props.flatMap((one) => secretTextsOf(definition, plain(one))));
  const observer = readOnlyModeFrom(env);
  const fingerprintsOf = (outs: Fields) => observer?.fingerprints(pickArgs(definition, outs)) ?? {};
  const seen = (applied: Fields, remote: Fields): SeenFingerprints => ({
    applied: fingerprintsOf(applied),
    live: fingerprintsOf(remote),
  });
  return {
    configure({ config }) {
      void theSession((key) => config.get(key));
      return Promise.resolve();
    },

    check(olds, news) {
      const args = plain(news);
      // An import knows nothing of what the service hides: an object that stays as it is does not need it.
      const isUnchanged = sameJson(plain(olds), args);
      // The engine prints the value of a property it is told about, secret or not: the path goes into the reason.
      const problems = validateArgs(definition, args).filter(
        // What it needs was not there, which has been told: complaining again would end the run.
        ({ code }) => !((isImporting(env) || isUnchanged) && code === "required"),
      );
      const secrets = problems.length > 0 ? secretTextsOf(definition, args) : [];
      const failures = problems.map((problem) => ({
        property: "",
        reason: maskTexts(problemLine(problem), secrets),
      }));
      const more = observer ? { [FINGERPRINTS]: observer.fingerprints(args) } : {};
      return Promise.resolve({ inputs: { ...marked(args), ...more }, failures });
    },

    diff: (id, olds, news) =>
      careful([olds, news], async () => {
        const [state, args] = [plain(olds), plain(news)];
        const run = await session();
        const context = run.contextOf({ ...state, ...withWorkspace(args) }, definition.type, id);
        run.mentioned.note(definition, state, args);
        noteOwnership(definition, context, state, args);
        if (!observer) refuseOldNames(definition, context, args);
        // A run that only looks is told of a change that will be refused, too.
        const planned = observer ? difference : planChange;
        const { changed, replaces, deleteBeforeReplace } = planned(definition, state, args);
        return {
          changes: changed.length > 0 || replaces.length > 0,
          replaces: [...replaces],
          deleteBeforeReplace,
        };
      }),

    create: (inputs) =>
      careful([inputs], async () => {
        observer?.refuseWrite();
        const args = plain(inputs);
        const run = await session();
        const context = run.context(args);
        run.mentioned.note(definition, args);
        try {
          const { id, outs } = await create(definition, context, args);
          noteOwnership(definition, context, {}, outs);
          return { id, outs: marked(outs) };
        } catch (error) {
          if (!(error instanceof PartialCreation)) throw error;
          throw new PartialCreation(error.id, partial(error, inputs), error.cause as Error);
        }
      }),

    read: (id, props) =>
      careful([props], async () => {
        const state = plain(props);
        const context = (await session()).contextOf(state, definition.type, id);
        const stayed = (outs: Fields, more: Fields = {}) => ({
          id,
          props: { ...marked(outs, state), ...more },
          inputs: marked(pickArgs(definition, outs, state), state),
        });
        try {
          const kept = await read(definition, context, state);
          if (kept === undefined) return { id: "", props: {}, inputs: {} };
          if (observer === undefined) return stayed(kept.outs);
          const { notCompared } = kept;
          return stayed(kept.outs, {
            [FINGERPRINTS]: seen(state, kept.outs),
            ...(notCompared.length > 0 ? { [NOT_COMPARED]: notCompared } : {}),
          });
        } catch (error) {
          const reason = observer?.unreadable(error);
          if (reason === undefined) throw error;
          return stayed(state, { [UNREADABLE]: reason, [FINGERPRINTS]: seen(state, state) });
        }
      }),

    update: (id, olds, news) =>
      careful([olds, news], async () => {
        observer?.refuseWrite();
        const [state, args] = [plain(olds), plain(news)];
        const context = (await session()).contextOf(
          { ...state, ...withWorkspace(args) },
          definition.type,
          id,
        );
        try {
          const { outs } = await update(definition, context, state, args);
          noteOwnership(definition, context, {}, outs);
          return { outs: marked(outs) };
        } catch (error) {
          if (!(error instanceof PartialUpdate)) throw error;
          throw new PartialUpdate(error.id, partial(error, news), error.cause as Error);
        }
      }),

    delete: (id, props) =>
      careful([props], async () => {
        observer?.refuseWrite();
        const state = plain(props);
        const run = await session();
        const context = run.contextOf(state, definition.type, id);
        run.mentioned.refuseDeletion(definition, state);
        const kept = await deleteObject(definition, context, state);
        if (kept !== undefined) say(`${definition.type} ${id} was released, not deleted: ${kept}`);
      }),
  };
}

function plain(props: Props): Fields {
  const { [PROVIDER_KEY]: _text, ...rest } = props;
  return withoutMarks(rest) as Fields;
}

/** A workspace named by the new arguments counts, also when it differs from the state's. */
function withWorkspace(args: Fields): Fields {
  return "workspace" in args ? { workspace: args["workspace"] } : {};
}

/**
 * The host prints the stack of an error beside its message: people need the message once, and no stack.
 * @param secrets what the service may have repeated in the message
 */
async function quietly<T>(work: () => Promise<T>, secrets: () => readonly string[]): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      error.message = maskTexts(error.message, secrets());
      error.stack = "";
    }
    if (error instanceof PartialCreation) error.reasons = [error.message];
    throw error;
  }
}
