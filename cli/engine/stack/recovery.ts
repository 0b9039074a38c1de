/**
 * Recovers a stack after a crash, before the engine works on it again. Releases the locks of ended processes, and resolves the
 * operations that never completed. Objects that the interrupted run created are added to the state, so that the next
 * operation does not create them again.
 */
import { logicalNameOf, typeOfUrn } from "../urn.js";
import { readFileSync } from "node:fs";
import { asSecret } from "../../../diff/values.js";
import {
  carriedInputs,
  findUnfinished,
  interruptedCreations,
  ownType,
  providerPackage,
  pulumiType,
  type Interrupted,
} from "../../../provider/index.js";
import { note, type Io } from "../../terminal/io.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import { stateFile, type StackLocation } from "./lock-files.js";
import { releaseDeadLocks } from "./locks.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

export interface RecoveryTarget extends StackLocation {
  /** Name of the stack on the command line. */
  readonly name: string;
  readonly cli: PulumiCli;
  readonly connection: WorkspaceConnection;
}

interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly custom?: boolean;
  readonly provider?: string;
  readonly parent?: string;
  readonly pendingReplacement?: boolean;
  readonly delete?: boolean;
}

interface Pending {
  readonly resource: Resource;
  readonly type: string;
}

interface State {
  readonly deployment: {
    readonly resources?: readonly Resource[];
    readonly pending_operations?: readonly Pending[];
  };
}

/** Repairs the state that an interrupted run left behind. Does nothing while another run is using the stack. */
export async function recoverStack(target: RecoveryTarget, io: Io): Promise<void> {
  if (releaseDeadLocks(target, io)) return;
  const { cli, name, project, stack } = target;
  const interrupted = await interruptedCreations(project, stack, cli.env);
  if (interrupted.length === 0 && !mayHavePending(target)) return;
  const exported = await runPulumi(cli, ["stack", "export", "--stack", name]);
  const state = JSON.parse(exported) as State;
  const pending = (state.deployment.pending_operations ?? []).filter(
    ({ resource }) => ownType(resource.type) !== undefined,
  );
  const operations = [...pending, ...unrecordedCreations(state, pending, interrupted)];
  const resolved = await resolveOperations(state, operations, target);
  if (pending.length === 0 && resolved.found === 0) {
    for (const creation of interrupted) creation.close();
    return;
  }
  // Another run may have started in the meantime. Its state is newer and must not be overwritten.
  if (releaseDeadLocks(target, io)) return;
  if ((await runPulumi(cli, ["stack", "export", "--stack", name])) !== exported) return;
  await runPulumi(cli, ["stack", "import", "--stack", name], JSON.stringify(resolved.state));
  for (const creation of interrupted) creation.close();
  const { found, doubts } = resolved;
  note(
    io,
    `A run was killed: of ${count(operations.length, "operation")} that it had begun, ` +
      `${count(found, "created object")} ${found === 1 ? "is" : "are"} now in the state.`,
  );
  for (const doubt of doubts) note(io, doubt);
}

/** Creations that the engine did not record, in the form of its own records. */
function unrecordedCreations(
  { deployment: { resources = [] } }: State,
  pending: readonly Pending[],
  interrupted: readonly Interrupted[],
): Pending[] {
  const ofType = (type: string) => resources.find((resource) => resource.type === type);
  const parent = ofType("pulumi:pulumi:Stack")?.urn;
  const noted = new Set(
    pending.filter(({ type }) => type === "creating").map(({ resource }) => resource.urn),
  );
  return interrupted
    .filter(({ urn }) => !noted.has(urn))
    .flatMap(({ urn, type, inputs, secrets }) => {
      const engine = ownType(typeOfUrn(urn))?.engine ?? "dynamic";
      const provider = ofType(`pulumi:providers:${providerPackage[engine]}`);
      // A run writes the provider first. Without it, no operation was started.
      if (provider?.id === undefined) return [];
      const resource = {
        urn,
        type: pulumiType(type, engine),
        custom: true,
        inputs: { ...withSecrets(inputs, secrets), ...carriedInputs(type, engine) },
        provider: `${provider.urn}::${provider.id}`,
        ...(parent === undefined ? {} : { parent }),
      };
      return [{ type: "creating", resource }];
    });
}

/** Marks inputs as secret whose values were not stored, so that the values read for them are encrypted too. */
function withSecrets(inputs: Readonly<Record<string, unknown>>, secrets: readonly string[]): object {
  const unknown = { ...(asSecret("") as object), value: undefined, plaintext: "null" };
  return { ...inputs, ...Object.fromEntries(secrets.map((name) => [name, unknown])) };
}

/** Computes the state as if every interrupted operation had ended. */
async function resolveOperations(
  state: State,
  ours: readonly Pending[],
  { connection, project, cli }: RecoveryTarget,
): Promise<{ state: State; found: number; doubts: string[] }> {
  const creating = ours.filter(({ type }) => type === "creating").map(({ resource }) => resource);
  const objects = creating.map(({ type, inputs = {} }) => ({ type: ownType(type)?.type ?? "", inputs }));
  const findings = await findUnfinished(connection, project, objects, cli.env);
  const made = creating.flatMap((resource, i) => {
    const object = findings[i]?.found;
    return object ? [{ ...resource, custom: true, ...object }] : [];
  });
  const doubts = creating.flatMap(({ urn }, i) => {
    const number = findings[i]?.maybe;
    return number === undefined ? [] : [doubtNote(urn, number)];
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
  return { state: { ...state, deployment }, found: missing.length, doubts };
}

function doubtNote(urn: string, number: string): string {
  const name = logicalNameOf(urn);
  return (
    `The killed run may have made ${name}: number ${number} is the only one that has come since. Nothing proves it, since the ` +
    `service does not show who it is: the next "workspacectl up" finds out, and "workspacectl destroy" leaves it alone.`
  );
}

/** Handles the object that a created one replaces: already deleted, or still to be deleted. */
function withoutReplaced(resource: Resource, made: ReadonlySet<string>): Resource[] {
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
