/**
 * After a crash: before the engine works on a stack again, locks of dead processes are released, and operations that it
 * began and never ended are settled. What the killed run had created goes into the state, so that the next operation
 * goes on with it instead of making it again.
 */
import { logicalNameOf } from "../urn.js";
import { readFileSync } from "node:fs";
import { asSecret } from "../../../diff/values.js";
import {
  findUnfinished,
  interruptedCreations,
  ownType,
  providerText,
  pulumiType,
  type Interrupted,
} from "../../../provider/index.js";
import { note, type Io } from "../../terminal/io.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import { stateFile, type StackPlace } from "./lock-files.js";
import { releaseDeadLocks } from "./locks.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

export interface Crashed extends StackPlace {
  /** The stack as commands name it. */
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

/** Mends what a killed run left of a stack. Touches nothing while another run is at work on it. */
export async function recoverStack(crashed: Crashed, io: Io): Promise<void> {
  if (releaseDeadLocks(crashed, io)) return;
  const { cli, name, project, stack } = crashed;
  const interrupted = await interruptedCreations(project, stack, cli.env);
  if (interrupted.length === 0 && !mayHavePending(crashed)) return;
  const exported = await runPulumi(cli, ["stack", "export", "--stack", name]);
  const state = JSON.parse(exported) as State;
  const pending = (state.deployment.pending_operations ?? []).filter(
    ({ resource }) => ownType(resource.type) !== undefined,
  );
  const ours = [...pending, ...forgotten(state, pending, interrupted)];
  const settled = await settle(state, ours, crashed);
  if (pending.length === 0 && settled.found === 0) {
    for (const creation of interrupted) creation.close();
    return;
  }
  // Somebody may have begun to work on the stack in the meantime: theirs is the newer state.
  if (releaseDeadLocks(crashed, io)) return;
  if ((await runPulumi(cli, ["stack", "export", "--stack", name])) !== exported) return;
  await runPulumi(cli, ["stack", "import", "--stack", name], JSON.stringify(settled.state));
  for (const creation of interrupted) creation.close();
  const { found, doubts } = settled;
  note(
    io,
    `A run was killed: of ${count(ours.length, "operation")} that it had begun, ` +
      `${count(found, "created object")} ${found === 1 ? "is" : "are"} now in the state.`,
  );
  for (const doubt of doubts) note(io, doubt);
}

/** Creations of which the engine knows nothing, as it would note them. */
function forgotten(
  { deployment: { resources = [] } }: State,
  pending: readonly Pending[],
  interrupted: readonly Interrupted[],
): Pending[] {
  const ofType = (type: string) => resources.find((resource) => resource.type === type);
  const provider = ofType("pulumi:providers:pulumi-nodejs");
  // It is the first thing that a run writes: without it, nothing was begun.
  if (provider?.id === undefined) return [];
  const parent = ofType("pulumi:pulumi:Stack")?.urn;
  const noted = new Set(
    pending.filter(({ type }) => type === "creating").map(({ resource }) => resource.urn),
  );
  return interrupted
    .filter(({ urn }) => !noted.has(urn))
    .map(({ urn, type, inputs, secrets }) => ({
      type: "creating",
      resource: {
        urn,
        type: pulumiType(type),
        custom: true,
        inputs: { ...withSecrets(inputs, secrets), __provider: providerText(type) },
        provider: `${provider.urn}::${provider.id}`,
        ...(parent === undefined ? {} : { parent }),
      },
    }));
}

/** Values that nobody kept, but that are secret: what is read of them is to be, too. */
function withSecrets(inputs: Readonly<Record<string, unknown>>, secrets: readonly string[]): object {
  const unknown = { ...(asSecret("") as object), value: undefined, plaintext: "null" };
  return { ...inputs, ...Object.fromEntries(secrets.map((name) => [name, unknown])) };
}

/** The state as it is when every operation of ours has ended. */
async function settle(
  state: State,
  ours: readonly Pending[],
  { connection, project, cli }: Crashed,
): Promise<{ state: State; found: number; doubts: string[] }> {
  const creating = ours.filter(({ type }) => type === "creating").map(({ resource }) => resource);
  const objects = creating.map(({ type, inputs = {} }) => ({ type: ownType(type) ?? "", inputs }));
  const findings = await findUnfinished(connection, project, objects, cli.env);
  const made = creating.flatMap((resource, i) => {
    const object = findings[i]?.found;
    return object ? [{ ...resource, custom: true, ...object }] : [];
  });
  const doubts = creating.flatMap(({ urn }, i) => {
    const number = findings[i]?.maybe;
    return number === undefined ? [] : [inDoubt(urn, number)];
  });
  const { resources = [], pending_operations: pending = [] } = state.deployment;
  // Plain Pulumi leaves the operation in the state though a later run has ended it.
  const known = new Set(resources.map(({ urn, id }) => `${urn} ${id}`));
  const missing = made.filter(({ urn, id }) => !known.has(`${urn} ${id}`));
  const urns = new Set(missing.map(({ urn }) => urn));
  const deployment = {
    ...state.deployment,
    resources: [...resources.flatMap((resource) => replaced(resource, urns)), ...missing],
    pending_operations: pending.filter((operation) => !ours.includes(operation)),
  };
  return { state: { ...state, deployment }, found: missing.length, doubts };
}

function inDoubt(urn: string, number: string): string {
  const name = logicalNameOf(urn);
  return (
    `The killed run may have made ${name}: number ${number} is the only one that has come since. Nothing proves it, since the ` +
    `service does not show who it is: the next "workspacectl up" finds out, and "workspacectl destroy" leaves it alone.`
  );
}

/** The object that a created one takes the place of: gone already, or still to be deleted. */
function replaced(resource: Resource, made: ReadonlySet<string>): Resource[] {
  if (!made.has(resource.urn) || resource.delete === true) return [resource];
  return resource.pendingReplacement === true ? [] : [{ ...resource, delete: true }];
}

/** State in a plain file tells without a question to the CLI. */
function mayHavePending(place: StackPlace): boolean {
  const file = stateFile(place);
  return file === undefined || readFileSync(file, "utf8").includes('"pending_operations"');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
