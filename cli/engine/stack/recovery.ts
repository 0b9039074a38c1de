/**
 * Recovers a stack after a crash, before the engine works on it again. Releases the locks of ended processes, and resolves the
 * operations that never completed. Objects that the interrupted run created are added to the state, so that the next
 * operation does not create them again.
 */
import { logicalNameOf, typeOfUrn } from "../urn.js";
import { readFileSync } from "node:fs";
import { asSecret } from "../../../diff/values.js";
import {
  commonInputs,
  findUnfinished,
  interruptedCreations,
  ownType,
  providerPackage,
  pulumiType,
  type Interrupted,
} from "../../../provider/index.js";
import { note, type Io } from "../../terminal/io.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import type { Line } from "../checkpoint/journal-file.js";
import { replayed, type State } from "../checkpoint/replay.js";
import { isUnsettled, withUnfinished } from "../checkpoint/settle.js";
import { stateFile, type StackLocation } from "./lock-files.js";
import { releaseDeadLocks } from "./locks.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import type { Pending, StateEntry } from "./state.js";

const PLUGIN_PROVIDER = `pulumi:providers:${providerPackage.plugin}`;

export interface RecoveryTarget extends StackLocation {
  /** Name of the stack on the command line. */
  readonly name: string;
  readonly cli: PulumiCli;
  readonly connection: WorkspaceConnection;
}

/** Repairs the state that an interrupted run left behind. Does nothing while another run is using the stack. */
export async function recoverStack(target: RecoveryTarget, io: Io): Promise<void> {
  if (releaseDeadLocks(target, io)) return;
  const { cli, name, project, stack } = target;
  const begun = await interruptedCreations(project, stack, cli.env);
  if (begun.length === 0 && !mayHavePending(target) && !isUnsettled(target)) return;
  const exported = await runPulumi(cli, ["stack", "export", "--stack", name]);
  const { state: recorded, forget } = withUnfinished(JSON.parse(exported) as State, target);
  const interrupted = withoutKnown(begun, recorded);
  const pending = (recorded.deployment.pending_operations ?? []).filter(
    ({ resource }) => ownType(resource.type) !== undefined,
  );
  const { state, unrecorded } = withUnrecorded(recorded, pending, interrupted, target);
  const operations = [...pending, ...unrecorded];
  const resolved = await resolveOperations(state, operations, target);
  // Unclear creations stay open in the journal, because only the next `up` can resolve them.
  const settled = interrupted.filter(({ urn }) => !resolved.doubts.has(urn));
  if (pending.length === 0 && resolved.found === 0) {
    for (const creation of settled) creation.close();
    return forget();
  }
  // Another run may have started in the meantime. Its state is newer and must not be overwritten.
  if (releaseDeadLocks(target, io)) return;
  if ((await runPulumi(cli, ["stack", "export", "--stack", name])) !== exported) return;
  await runPulumi(cli, ["stack", "import", "--stack", name], JSON.stringify(resolved.state));
  for (const creation of settled) creation.close();
  forget();
  const { found, doubts } = resolved;
  note(
    io,
    `A run was killed: of ${count(operations.length, "operation")} that it had begun, ` +
      `${count(found, "created object")} ${found === 1 ? "is" : "are"} now in the state.`,
  );
  for (const [urn, number] of doubts) note(io, doubtNote(urn, number));
}

/** Closes the creations whose objects the state has, and returns the others. */
function withoutKnown(
  creations: readonly Interrupted[],
  { deployment: { resources = [] } }: State,
): Interrupted[] {
  const known = new Set(resources.map(({ urn, id }) => `${urn} ${id}`));
  const [recorded, others] = [true, false].map((is) =>
    creations.filter(({ urn, id }) => known.has(`${urn} ${id}`) === is),
  );
  for (const creation of recorded ?? []) creation.close();
  return others ?? [];
}

/**
 * Adds the creations that the engine did not record, in the form of its own records, and the resources that it creates before any
 * object.
 */
function withUnrecorded(
  state: State,
  pending: readonly Pending[],
  interrupted: readonly Interrupted[],
  { project, stack }: StackLocation,
): { state: State; unrecorded: Pending[] } {
  const noted = new Set(
    pending.filter(({ type }) => type === "creating").map(({ resource }) => resource.urn),
  );
  const parent = `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`;
  const nothing = { dependencies: [], propertyDependencies: {}, formerly: [] };
  const registered = { parent, protect: false, retainOnDelete: false, ...nothing };
  const begun = interrupted
    .filter(({ urn }) => !noted.has(urn))
    .map(({ urn, type, inputs, secrets }) => {
      const { engine = "dynamic" } = ownType(typeOfUrn(urn)) ?? {};
      return {
        urn,
        type,
        engine,
        inputs: { ...withSecrets(inputs, secrets), ...commonInputs(type, engine) },
      };
    });
  const lines = begun
    .filter(({ engine }) => engine === "dynamic")
    .map(({ urn, inputs }): Line => ({ op: "creating", at: "", urn, inputs, registered }));
  const replay = lines.length > 0 ? replayed(state, {}, lines) : { state, pending: [] };
  // A run of the plugin keeps no journal, and writes its provider first. Without it, no operation was started.
  const plugin = state.deployment.resources?.find(({ type }) => type === PLUGIN_PROVIDER);
  const ofPlugin = begun
    .filter(({ engine }) => engine === "plugin" && plugin?.id !== undefined)
    .map(({ urn, type, inputs }) => ({
      ...{ urn, type: pulumiType(type, "plugin"), custom: true, inputs, parent },
      provider: `${plugin?.urn}::${plugin?.id}`,
    }));
  const unrecorded = [...replay.pending, ...ofPlugin].map((resource) => ({ type: "creating", resource }));
  return { state: replay.state, unrecorded };
}

/** Marks inputs as secret whose values were not stored, so that the values read for them are encrypted too. */
function withSecrets(inputs: Readonly<Record<string, unknown>>, secrets: readonly string[]): object {
  const unknown = { ...(asSecret("") as object), value: undefined, plaintext: "null" };
  return { ...inputs, ...Object.fromEntries(secrets.map((name) => [name, unknown])) };
}

/**
 * Computes the state as if every interrupted operation had ended.
 * @returns also the objects that may have been created, without proof, and their ids
 */
async function resolveOperations(
  state: State,
  ours: readonly Pending[],
  { connection, project, cli }: RecoveryTarget,
): Promise<{ state: State; found: number; doubts: ReadonlyMap<string, string> }> {
  const creating = ours.filter(({ type }) => type === "creating").map(({ resource }) => resource);
  const objects = creating.map(({ type, inputs = {} }) => ({ type: ownType(type)?.type ?? "", inputs }));
  const findings = await findUnfinished(connection, project, objects, cli.env);
  const made = creating.flatMap((resource, i) => {
    const object = findings[i]?.found;
    return object ? [{ ...resource, custom: true, ...object }] : [];
  });
  const doubts = creating.flatMap(({ urn }, i): [string, string][] => {
    const number = findings[i]?.maybe;
    return number === undefined ? [] : [[urn, number]];
  });
  const { resources = [], pending_operations: pending = [] } = state.deployment;
  // Plain Pulumi leaves the operation in the state although a later run has completed it.
  const known = new Set(resources.map(({ urn, id }) => `${urn} ${id}`));
  const missing = made.filter(({ urn, id }) => !known.has(`${urn} ${id}`));
  const urns = new Set(missing.map(({ urn }) => urn));
  const deployment = {
    ...state.deployment,
    resources: [...resources.flatMap((resource) => withoutReplaced(resource, urns)), ...missing],
    pending_operations: pending.filter((operation) => !ours.includes(operation)),
  };
  return { state: { ...state, deployment }, found: missing.length, doubts: new Map(doubts) };
}

function doubtNote(urn: string, number: string): string {
  const name = logicalNameOf(urn);
  return (
    `The killed run may have created ${name}: number ${number} is the only new one since. That is not certain, because the ` +
    `service does not show who it is: the next "workspacectl up" finds out, and "workspacectl destroy" leaves it alone.`
  );
}

/** Handles the object that a created one replaces: already deleted, or still to be deleted. */
function withoutReplaced(resource: StateEntry, made: ReadonlySet<string>): StateEntry[] {
  if (!made.has(resource.urn) || resource.delete === true) return [resource];
  return resource.pendingReplacement === true ? [] : [{ ...resource, delete: true }];
}

/** Reads a plain state file directly, because the CLI takes a third of a second. */
function mayHavePending(location: StackLocation): boolean {
  const file = stateFile(location);
  return file === undefined || readFileSync(file, "utf8").includes('"pending_operations"');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
