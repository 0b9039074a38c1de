/**
 * Answers a preview of a workspace in which nothing differs, without Pulumi's engine: the file, the state and the workspace are equal. It can
 * say only that. At the first doubt it answers nothing, and the engine is asked, which finds what was read here in the cache.
 *
 * It decides nothing itself: the objects are registered, checked, compared and read by the functions that the engine calls, and each of their
 * results has to be equal to what the state contains.
 */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import pLimit from "p-limit";
import type { Registration } from "../../components/monitor.js";
import { registerAll } from "../../components/register.js";
import { buildStackUrn, buildUrn } from "../../components/urn.js";
import { isSameJson } from "../../diff/values.js";
import { Run } from "../../provider/adapters/provider-run.js";
import { ResourceProvider } from "../../provider/adapters/resource-provider.js";
import { type Fields, FINGERPRINTS, NOT_COMPARED } from "../../provider/index.js";
import { noJournal } from "../../recovery/journal.js";
import { writeMasked } from "../host/engine-event.js";
import type { FileProgram } from "../host/file-program.js";
import { type Attachment, createProviderEnvironment } from "../host/provider-environment.js";
import type { StackLocation } from "../stack/state.js";
import { parseDeployment, readStateText } from "../stack/state-store.js";
import { findDefinitionAt } from "../urn.js";
import { openSecrets } from "./decrypt-secrets.js";
import { Doubt, requireNoDoubt } from "./doubt.js";
import { type PlainEntry, type PlainState, readPlainState } from "./plain-state.js";
import { createEvents, type ReadEntry } from "./unchanged-events.js";

/** What the engine would be asked. */
export interface EngineQuestion {
  /** Name of the stack. */
  readonly stack: string;
  readonly location: StackLocation;
  readonly program: FileProgram;
  readonly attachment: Attachment;
  /** Outputs that the program registers for the stack. Default: those in the state. */
  readonly outputs: Fields | undefined;
  /** Returns the passphrase of the state. */
  readonly passphrase: () => string | undefined;
  /** Settles when the connection has been checked. Nothing else is read before. */
  readonly ready: () => Promise<void>;
}

/** Objects that are read at a time, as by the engine. */
const AT_ONCE = 16;

/** @returns what the engine would report; undefined where anything differs, may differ or fails: then only the engine says what, and why */
export async function findUnchanged(question: EngineQuestion): Promise<readonly EngineEvent[] | undefined> {
  let print: (line: string) => void = () => undefined;
  // What the provider prints is for the user, now: that a request waits, or that something cannot be compared.
  const printed = new Promise<never>((_resolve, reject) => (print = (line) => reject(new Doubt(line))));
  const environment = { ...createProviderEnvironment(question.program, question.attachment), print };
  const run = new Run(environment, () => noJournal);
  try {
    return await Promise.race([printed, answer(question, run)]);
  } catch {
    return undefined;
  } finally {
    run.close();
  }
}

/** @throws {Error} where anything differs, may differ or fails */
async function answer(question: EngineQuestion, run: Run): Promise<EngineEvent[]> {
  const { location, attachment, program, passphrase, ready } = question;
  requireNoDoubt(program.engine === "dynamic", "the engine has the plugin as its provider");
  const state = readPlainState(parseDeployment(await readStateText(location, attachment.env)));
  const registered = await register(question, state);
  const [entries] = await Promise.all([openSecrets(state, passphrase), ready()]);
  run.configure(() => undefined);
  const all = await readAll(run, entries);
  const compared: ReadEntry[] = [];
  for (const [index, before] of entries.entries()) {
    const { [index]: read } = all;
    const inputs = registered.get(before.urn)?.inputs;
    if (read === undefined || inputs === undefined) throw new Doubt(`${before.urn} was not compared`);
    compared.push({ before, read, declared: await check(run, read, before, inputs) });
  }
  return createEvents(state, compared);
}

/** Registers all declarations, which takes no request and no key. @returns what was registered for each object */
async function register(
  { stack, program, outputs, location, attachment }: EngineQuestion,
  { root: { urn: root, outputs: inState }, objects }: PlainState,
): Promise<ReadonlyMap<string, Registration>> {
  requireNoDoubt(root === buildStackUrn(location.project, stack), "the state is that of another stack");
  requireNoDoubt(isSameJson(outputs ?? inState, inState), "the outputs of the stack differ");
  const byUrn = new Map(objects.map((entry) => [entry.urn, entry]));
  const registered = new Map<string, Registration>();
  const declarations = program.declare({ stack, config: () => undefined });
  for (const declared of declarations) attachment.open?.add("declared", declared.name, declared.asWritten);
  const monitor = {
    register: (registration: Registration) => {
      const urn = buildUrn(location.project, stack, registration.type, registration.name);
      const entry = byUrn.get(urn);
      if (entry === undefined || !isAsInState(registration, entry)) throw new Doubt(`${urn} differs`);
      registered.set(urn, registration);
      return Promise.resolve({ urn, id: entry.id, outputs: entry.outputs, isPartial: false });
    },
  };
  const options = { engine: program.engine, parallel: AT_ONCE, urnsInState: new Set(byUrn.keys()) };
  await registerAll(declarations, monitor, root, options);
  requireNoDoubt(registered.size === objects.length, "objects are created or deleted");
  return registered;
}

/** Whether the state contains what is registered: the arguments, but for the values of secrets, and all that the engine keeps next to them. */
function isAsInState(registration: Registration, entry: PlainEntry): boolean {
  const { inputs, parent, dependencies, inputDependencies, formerNames, protect, retain, ignoreChanges } =
    registration;
  const { propertyDependencies = {} } = entry;
  const ofInputs = Object.entries(propertyDependencies).map(([name, urns]) => [name, toSorted(urns ?? [])]);
  const registered = [...inputDependencies].map(([name, urns]) => [name, toSorted(urns)]);
  return (
    writeMasked(inputs) === writeMasked(entry.inputs) &&
    parent === entry.parent &&
    isSameJson(toSorted(dependencies), toSorted(entry.dependencies ?? [])) &&
    isSameJson(Object.fromEntries(registered), Object.fromEntries(ofInputs)) &&
    (protect ?? false) === (entry.protect ?? false) &&
    retain === (entry.retainOnDelete ?? false) &&
    formerNames.length === 0 &&
    ignoreChanges.length === 0
  );
}

const toSorted = (urns: readonly string[]) => [...new Set(urns)].toSorted();

/** Reads the objects like a refresh. @throws {Doubt} when one is not as in the state */
async function readAll(run: Run, entries: readonly PlainEntry[]): Promise<PlainEntry[]> {
  const limit = pLimit(AT_ONCE);
  let doubt: Error | undefined;
  const readOne = async (entry: PlainEntry): Promise<PlainEntry[]> => {
    if (doubt !== undefined) return [];
    try {
      return [await readLike(run, entry)];
    } catch (error) {
      doubt ??= error as Error;
      return [];
    }
  };
  // Requests that were sent end first, so that the engine finds their responses.
  const read = await Promise.all(entries.map((entry) => limit(() => readOne(entry))));
  if (doubt !== undefined) throw doubt;
  return read.flat();
}

async function readLike(run: Run, entry: PlainEntry): Promise<PlainEntry> {
  const provider = createProvider(run, entry);
  const { id, props, inputs } = await provider.read(entry.id, entry.outputs, entry.inputs);
  const { [FINGERPRINTS]: _prints, [NOT_COMPARED]: _paths, ...outputs } = props;
  const isSame = id === entry.id && isSameJson(inputs, entry.inputs) && isSameJson(outputs, entry.outputs);
  requireNoDoubt(isSame, `${entry.urn} was changed outside`);
  const { changes } = await provider.diff(id, props, inputs, inputs);
  requireNoDoubt(!changes, `${entry.urn} differs from its arguments`);
  return { ...entry, outputs: props };
}

/** Checks what is registered for an object, and compares it. @returns its arguments. @throws {Doubt} when it differs */
async function check(run: Run, read: PlainEntry, before: PlainEntry, registered: Fields): Promise<Fields> {
  const provider = createProvider(run, read);
  const { inputs, failures } = await provider.check(read.inputs, registered);
  const { [FINGERPRINTS]: _prints, ...args } = inputs;
  requireNoDoubt(failures.length === 0 && isSameJson(args, before.inputs), `${read.urn} differs`);
  const { changes } = await provider.diff(read.id, read.outputs, inputs, read.inputs);
  requireNoDoubt(!changes, `${read.urn} differs`);
  return inputs;
}

function createProvider(run: Run, { urn, type }: PlainEntry): ResourceProvider {
  const definition = findDefinitionAt({ type });
  if (definition === undefined) throw new Doubt(`${type} is no type of this provider`);
  return new ResourceProvider(definition, run, urn);
}
