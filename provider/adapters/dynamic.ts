/**
 * Adapter to Pulumi's dynamic providers. The host (`pulumi-resource-pulumi-nodejs`) calls these methods with plain
 * values: secrets in plaintext, unknown values as a fixed text. Responses carry explicit secret marks, because the engine
 * copies marks only by key path and only from earlier values.
 */
import { maskTexts } from "../../client/index.js";
import { stripControls as printable } from "../../client/printable.js";
import { resolveConnection, type Connection, type ConnectionSettings } from "../connection/connection.js";
import { getCredentialsFile, readCredentials } from "../connection/credentials.js";
import { debugWriter } from "../connection/debug.js";
import { create } from "../crud/create.js";
import type { Definition, Fields } from "../definition/definition.js";
import { diffResource, planChange, pickArgs } from "../crud/diff.js";
import { PartialCreation, PartialUpdate } from "../errors.js";
import { leaveWithEngine } from "../../recovery/parent-watchdog.js";
import { noteOwnership } from "../crud/exclusive-ownership.js";
import { EngineLease } from "../../recovery/engine-lease.js";
import { openJournal } from "../../recovery/home-journal.js";
import type { Journal } from "../../recovery/journal.js";
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
import { maskArgs, listSecretNames, listSecretTexts } from "../definition/secrets/mask.js";
import { refuseOldNames } from "../crud/renamed.js";
import { Session } from "../connection/session.js";
import type { DynamicProvider } from "./dynamic-provider.js";
import { createReferenceGate, RegisteredReferences, type DeclaredReferences } from "./declared-references.js";
import { withReferencedSecrets } from "./referenced-secrets.js";
import { PROVIDER_KEY } from "./provider-text.js";
import { isImportRun } from "../crud/import-mode.js";
import { formatProblemLine, validateArgs } from "../definition/validate.js";
import { asSecret, isSameJson, withoutMarks } from "../../diff/values.js";
import { refuseConfiguration } from "../../trust/variables.js";

type Props = Record<string, unknown>;

/** The session of this process. It is a promise, because the host may call methods before `configure` has ended. */
let configured: Promise<Session> | undefined;

function requireSession(get: (key: string) => string | undefined = () => undefined): Promise<Session> {
  if (configured === undefined) {
    leaveWithEngine();
    const { env } = process;
    const lease = new EngineLease(env);
    const world = {
      env,
      print,
      journal: () => openJournal({ env, print }, lease),
      beforeRequest: lease.ensure,
    };
    configured = openSession(world, get);
  }
  return configured;
}

/** Keys of the stack's configuration with settings of the connection. */
export const connectionKeys = ["connection", "baseUrl", "token", "workspace", "allowInsecure"] as const;

/** The environment of a run's providers. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shows a line to the user. */
  readonly print: (line: string) => void;
  readonly journal: () => Journal;
  /** Objects that the command has already read. */
  readonly reads?: SharedReads | undefined;
  /** The connection that the command has found. Otherwise, it is that of the stack's configuration, the environment or a login. */
  readonly connection?: Connection | undefined;
  /** The operation only plans or reads: the provider refuses every write. */
  readonly dry?: boolean | undefined;
  /** Makes sure that the run still has the lock of its stack. Called before each request. */
  readonly beforeRequest?: (() => Promise<void> | undefined) | undefined;
  /** Returns a value of the stack's configuration, where the engine does not pass all of it. */
  readonly config?: ((key: string) => string | undefined) | undefined;
  /** The references to secrets of the workspace file; absent for those of a program. */
  readonly references?: DeclaredReferences | undefined;
}

/** The references to secrets of the program that uses the providers of this process. */
const registered = new RegisteredReferences();

/**
 * Opens a session. The promise rejects when there is no usable connection; nothing fails before the session is used.
 * @param get reads the configuration of the stack
 */
export function openSession(world: World, get: (key: string) => string | undefined): Promise<Session> {
  const { env, print, journal, reads } = world;
  const opening = Promise.resolve().then(() => {
    const debug = debugWriter(env, print);
    const connection = world.connection ?? buildConnection(get, env, debug);
    const requestCounter = openRequestCounter(env);
    const stackConfig = (key: string) => {
      const full = key.includes(":") ? key : `${env["PULUMI_NODEJS_PROJECT"] ?? ""}:${key}`;
      refuseConfiguration(full);
      return get(full) ?? world.config?.(key);
    };
    return new Session(connection, {
      print,
      debug,
      journal: journal(),
      requestCounter,
      env,
      reads,
      beforeRequest: world.beforeRequest,
      // A state names workspaces too, and the one of a workspace file may come with a checkout.
      oneWorkspace: world.connection !== undefined,
      config: stackConfig,
    });
  });
  opening.catch(() => {}); // every method awaits it and fails with it
  return opening;
}

function buildConnection(
  get: (key: string) => string | undefined,
  env: World["env"],
  debug: ((line: string) => void) | undefined,
): Connection {
  const config: ConnectionSettings = Object.fromEntries(
    connectionKeys.map((key) => [key, get(`workspace-automation:${key}`)]),
  );
  return resolveConnection({ config, env, debug, credentials: readCredentials(getCredentialsFile(env)) });
}

/** Prints a line: the engine shows what a provider writes to stderr. */
function print(line: string): void {
  // eslint-disable-next-line no-restricted-syntax -- this process has no other way to the engine
  process.stderr.write(`${printable(line)}\n`);
}

/**
 * The provider of a resource type.
 * @param session the session of the run; by default that of the process
 * @param urn the object for which it is called, if it is called for one object only
 */
export function createDynamicProvider(
  definition: Definition,
  session: () => Promise<Session> = () => requireSession(),
  world: Pick<World, "env" | "print" | "references"> = { env: process.env, print },
  urn?: string,
): DynamicProvider {
  /** @param before earlier values: what was secret stays secret, even after an outside change */
  const marked = (outs: Fields, before?: Fields): Props =>
    maskArgs(definition, outs, asSecret, before && listSecretNames(definition, before));
  /** The state of an object that differs from its declaration. */
  const partial = (error: PartialCreation, inputs: Props): Props => ({
    ...marked(error.properties, unwrapProps(inputs)),
    ...(PROVIDER_KEY in inputs ? { [PROVIDER_KEY]: inputs[PROVIDER_KEY] } : {}),
  });
  const safely = <T>(props: readonly Props[], work: () => Promise<T>) =>
    withSafeErrors(work, () => props.flatMap((one) => listSecretTexts(definition, unwrapProps(one))));
  const readOnly = readOnlyModeFrom(world.env);
  const fingerprintsOf = (outs: Fields) => readOnly?.fingerprints(pickArgs(definition, outs)) ?? {};
  const bothFingerprints = (applied: Fields, remote: Fields): SeenFingerprints => ({
    applied: fingerprintsOf(applied),
    live: fingerprintsOf(remote),
  });
  const provider: Omit<DynamicProvider, "compared"> = {
    configure({ config }) {
      void requireSession((key) => config.get(key));
      return Promise.resolve();
    },

    check(olds, news) {
      session().then(
        (run) => (run.stage = "planning"),
        () => undefined,
      );
      const args = unwrapProps(news);
      // An imported object lacks the arguments that the service hides. It needs them only when it is changed.
      const isUnchanged = isSameJson(unwrapProps(olds), args);
      // The engine prints the value of the named property, secret or not: the path goes into the reason.
      const problems = validateArgs(definition, args).filter(
        // The import of a referenced object has failed and was reported: a second error would end the run.
        ({ code }) => !((isImportRun(world.env) || isUnchanged) && code === "required"),
      );
      const secrets = problems.length > 0 ? listSecretTexts(definition, args) : [];
      const failures = problems.map((problem) => ({
        property: "",
        reason: maskTexts(formatProblemLine(problem), secrets),
      }));
      const more = readOnly ? { [FINGERPRINTS]: readOnly.fingerprints(args) } : {};
      // An object that is replaced is checked again without its earlier arguments.
      const isKnown = Object.keys(unwrapProps(olds)).length > 0;
      const inputs = isKnown ? withoutAdoption(definition, args) : args;
      return Promise.resolve({ inputs: { ...marked(inputs), ...more }, failures });
    },

    diff: (id, olds, news) =>
      safely([olds, news], async () => {
        const [state, args] = [unwrapProps(olds), unwrapProps(news)];
        const run = await session();
        const context = run.contextOf({ ...state, ...withWorkspace(args) }, definition.type, id);
        run.mentioned.note(definition, state, args);
        noteOwnership(definition, context, state, args);
        if (!readOnly) refuseOldNames(definition, context, args);
        // A read-only run also reports changes that `up` will refuse. A refresh compares with what was declared before, which nobody plans.
        const planned = readOnly || run.stage === "refreshing" ? diffResource : planChange;
        const { changed, replaces, deleteBeforeReplace } = planned(definition, state, args);
        return {
          changes: changed.length > 0 || replaces.length > 0,
          replaces: [...replaces],
          deleteBeforeReplace,
          changed,
        };
      }),

    create: (inputs) =>
      safely([inputs], async () => {
        readOnly?.refuseWrite();
        const args = unwrapProps(inputs);
        const run = await session();
        const context = run.context(args);
        run.mentioned.note(definition, args);
        try {
          const { id, outs } = await create(definition, context, args);
          noteOwnership(definition, context, {}, outs);
          return { id, outs: marked(withoutAdoption(definition, outs)) };
        } catch (error) {
          if (!(error instanceof PartialCreation)) throw error;
          throw new PartialCreation(error.id, partial(error, inputs), error.cause as Error);
        }
      }),

    read: (id, props) =>
      safely([props], async () => {
        const state = unwrapProps(props);
        const run = await session();
        if (run.stage === "begun") run.stage = "refreshing";
        const context = run.contextOf(state, definition.type, id);
        const response = (outs: Fields, more: Fields = {}) => ({
          id,
          props: { ...marked(outs, state), ...more },
          inputs: marked(pickArgs(definition, outs, state), state),
        });
        try {
          const found = await read(definition, context, state);
          if (found === undefined) return { id: "", props: {}, inputs: {} };
          const { notCompared } = found;
          const outs = withoutAdoption(definition, found.outs);
          if (readOnly === undefined) return response(outs);
          return response(outs, {
            [FINGERPRINTS]: bothFingerprints(state, outs),
            ...(notCompared.length > 0 ? { [NOT_COMPARED]: notCompared } : {}),
          });
        } catch (error) {
          const reason = readOnly?.unreadable(error);
          if (reason === undefined) throw error;
          return response(state, { [UNREADABLE]: reason, [FINGERPRINTS]: bothFingerprints(state, state) });
        }
      }),

    update: (id, olds, news) =>
      safely([olds, news], async () => {
        readOnly?.refuseWrite();
        const [state, args] = [unwrapProps(olds), unwrapProps(news)];
        const context = (await session()).contextOf(
          { ...state, ...withWorkspace(args) },
          definition.type,
          id,
        );
        try {
          const { outs } = await update(definition, context, state, args);
          noteOwnership(definition, context, {}, outs);
          return { outs: marked(withoutAdoption(definition, outs)) };
        } catch (error) {
          if (!(error instanceof PartialUpdate)) throw error;
          throw new PartialUpdate(error.id, partial(error, news), error.cause as Error);
        }
      }),

    delete: (id, props) =>
      safely([props], async () => {
        readOnly?.refuseWrite();
        const state = unwrapProps(props);
        const run = await session();
        const context = run.contextOf(state, definition.type, id);
        await run.mentioned.refuseDeletion(definition, context, state);
        const reason = await deleteObject(definition, context, state);
        if (reason !== undefined)
          world.print(`${definition.type} ${id} was released, not deleted: ${reason}`);
      }),
  };
  const { env, references = registered } = world;
  const config = async () => (await session()).config;
  const gate = createReferenceGate(definition, urn, references, { env, config });
  return withReferencedSecrets(definition, provider, gate, world.print);
}

function unwrapProps(props: Props): Fields {
  const { [PROVIDER_KEY]: _text, ...rest } = props;
  return withoutMarks(rest) as Fields;
}

/** Omits the arguments that only say how an existing object is found and taken over. They mean nothing once it is in the state. */
function withoutAdoption({ document }: Definition, args: Fields): Fields {
  const { adopt: _adopt, [document?.numberedBy ?? "adopt"]: _number, ...rest } = args;
  return rest;
}

/** The workspace of the new arguments, which may differ from that of the state. */
function withWorkspace(args: Fields): Fields {
  return "workspace" in args ? { workspace: args["workspace"] } : {};
}

/**
 * Prepares errors for display: masks secrets in the message, and removes the stack, which the host would print next to it.
 * @param secrets texts that the service may have repeated in its message
 */
async function withSafeErrors<T>(work: () => Promise<T>, secrets: () => readonly string[]): Promise<T> {
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
