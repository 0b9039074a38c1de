/** Reads the state of a stack as a source: what was last applied or read. Decrypts no secret. */
import { hasSecret, pickDefined } from "../../../diff/values.js";
import { definitions, type Fields, findDefinition, type KnownNames } from "../../../provider/index.js";
import { buildNameIn } from "../../../resources/definition/logical-name.js";
import type { DocumentKind } from "../../../resources/definition/placement.js";
import { findParentArg } from "../../../resources/definition/placement.js";
import { groupBy } from "../../../text/lists.js";
import { AutomationError } from "../../errors.js";
import { note, type Port } from "../../port.js";
import { findBackend, mayHaveStacks } from "../../stack/backend.js";
import { isMissing } from "../../stack/missing-stack.js";
import { findProject } from "../../stack/project.js";
import { runPulumi } from "../../stack/pulumi.js";
import { openPulumi } from "../../stack/pulumi-project.js";
import { noteUnsettled } from "../../stack/recovery.js";
import { type Deployment, isManaged, type StateEntry } from "../../stack/state.js";
import { findDefinitionAt, parseIdAtService } from "../../urn.js";
import { type ComparedSource, joinSteps, type SourceFacts, UnknownValue } from "../compared-source.js";
import { type DescribedObject, SourceReader } from "./reader.js";
import type { StackSpec } from "./source-spec.js";

/** @throws {AutomationError} when the stack does not exist */
export async function stackSource(spec: StackSpec, io: Port): Promise<ComparedSource> {
  const { name, stack } = spec;
  return buildSourceOfState(await readResources(spec, io), { name, kind: "stack", stack });
}

/** Tells whose member has which number in the workspace at an address, which a service may not say. */
export type PeopleAt = (address: string) => KnownNames;

/** Reads from the state whose member has which number. */
export async function readPeopleOfStack(spec: StackSpec, io: Port): Promise<PeopleAt> {
  return findPeople(await readResources(spec, io));
}

/** The same for a stack that nobody has named: one that does not exist, or cannot be read, knows nobody. */
export async function readPeopleOfLikelyStack(spec: StackSpec, io: Port): Promise<PeopleAt> {
  try {
    return findPeople((await exportResources(spec, io)) ?? []);
  } catch (error) {
    note(io, `The people in the state of stack ${spec.stack} are not known: ${(error as Error).message}`);
    return () => new Map();
  }
}

/** Who has which number, by the entries of a state. */
export function findPeople(resources: readonly StateEntry[]): PeopleAt {
  return (address) => {
    const known = new Map<string, Map<number, string>>();
    for (const { type, id, inputs = {}, outputs = {} } of resources) {
      const { type: of = "", document } = findDefinitionAt({ type }) ?? {};
      const key = inputs[document?.keyedBy ?? ""];
      // In another workspace, the number is somebody else's.
      const isThere = outputs["address"] === undefined || outputs["address"] === address;
      if (!isThere || document?.numberedBy === undefined || id === undefined || typeof key !== "string")
        continue;
      known.set(of, (known.get(of) ?? new Map<number, string>()).set(Number(parseIdAtService(id)), key));
    }
    return known;
  };
}

async function readResources(spec: StackSpec, io: Port): Promise<readonly StateEntry[]> {
  const resources = await exportResources(spec, io);
  if (resources !== undefined) return resources;
  const { stack, file, guessed } = spec;
  const project = findProject(file);
  const { url } = findBackend(project, io.env);
  const others = guessed ? `, nor is "${stack}" a file or a connection` : "";
  throw new AutomationError(
    `there is no stack ${stack} of project ${project.name} in ${String(url)}${others}`,
    `run "workspacectl stack ls -f ${file}" to list those that exist`,
  );
}

/** @returns undefined when there is no such stack */
async function exportResources(
  { stack, file }: StackSpec,
  io: Port,
): Promise<readonly StateEntry[] | undefined> {
  const found = findProject(file);
  const chosen = findBackend(found, io.env);
  if (!mayHaveStacks(found, chosen))
    throw new AutomationError(
      `there is no stack ${stack}: ${file} has no stack yet`,
      `Choose the stack of another file with stack:${stack}@FILE`,
    );
  if (chosen.notice !== undefined && !chosen.isOwn) note(io, chosen.notice);
  const { cli, location } = await openPulumi({ file, stack }, { secrets: false }, io);
  await noteUnsettled(location, cli, { file, stack }, io);
  const text = await runPulumi(cli, ["stack", "export", "--stack", stack]).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  const { deployment } = JSON.parse(text) as { deployment?: Deployment };
  return deployment?.resources ?? [];
}

interface StateObject extends Omit<DescribedObject, "name"> {
  readonly number: string;
  readonly outputs: Fields;
  readonly isManaged: boolean;
}

export function buildSourceOfState(resources: readonly StateEntry[], facts: SourceFacts): ComparedSource {
  const ours = resources.flatMap((one): StateObject[] => {
    const { type, id, inputs: args, outputs = {}, ignoreChanges = [] } = one;
    const definition = findDefinitionAt({ type });
    if (definition === undefined || id === undefined || args === undefined) return [];
    // Types without a section count too: they own the order of lists.
    const number = parseIdAtService(id);
    const about = { outputs, ignoreChanges, isManaged: isManaged(one) };
    return [{ definition: definition as DocumentKind, number, args, ...about }];
  });
  const address = ours.map(({ outputs }) => outputs["address"]).find((one) => typeof one === "string");
  const [baseUrl, workspace] = address?.split("/workspaces/") ?? [];
  const byNumber = new Map(ours.map((one) => [`${one.definition.type} ${one.number}`, one]));
  const ranks = rankObjects(ours);
  const rankOf = ({ definition, number }: StateObject) =>
    ranks.get(`${definition.type} ${number}`) ?? Infinity;
  // Without ranks, the objects keep their order.
  const sorted = ours
    .filter(({ definition }) => definition.document && !definition.ephemeral)
    .toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)))
    .map((one) => ({ ...one, ...withoutEncrypted(one.args), name: buildName(one, byNumber) }));
  const reader = new SourceReader(sorted);
  const inLists = sorted.filter(({ definition }) => definition.document.form === "list");
  const lists = [...groupBy(inLists, ({ name }) => joinSteps(reader.steps(name).slice(0, -1)))];
  const unordered = lists.filter(([, of]) => of.length > 1 && of.some((one) => rankOf(one) === Infinity));
  return {
    facts: { ...facts, ...pickDefined({ baseUrl, workspace }) },
    objects: sorted.filter((one) => one.isManaged).flatMap((one) => reader.objects(one)),
    omitted: sorted.filter((one) => !one.isManaged).flatMap((one) => reader.objects(one)),
    gaps: [],
    unordered: new Set(unordered.map(([parent]) => parent)),
  };
}

const ENCRYPTED = new UnknownValue("the state contains it only in encrypted form", "there");

/** Returns arguments of which the state contains some only in encrypted form. */
function withoutEncrypted(args: Fields): Pick<DescribedObject, "args" | "secrets"> {
  const secrets = Object.keys(args).filter((arg) => hasSecret(args[arg]));
  return { args: { ...args, ...Object.fromEntries(secrets.map((arg) => [arg, ENCRYPTED])) }, secrets };
}

type StateObjects = ReadonlyMap<string, StateObject>;

/** The logical name that a workspace file would give the object: a program may use any other. */
function buildName({ definition, number, args }: StateObject, byNumber: StateObjects): string {
  const { section, keyedBy } = definition.document;
  const above = findParentArg(definition, args);
  const parent = above && buildName(findParent(above.type, args[above.arg], args, byNumber), byNumber);
  const key = args[keyedBy];
  const isKey = typeof key === "string" || typeof key === "number";
  return buildNameIn(parent, section, isKey ? String(key) : number);
}

function findParent(type: string, value: unknown, args: Fields, byNumber: StateObjects): StateObject {
  const definition = findDefinition(type) as DocumentKind;
  const { keyedBy } = definition.document;
  const { [keyedBy]: _key, ...others } = args;
  return (
    byNumber.get(`${type} ${String(value)}`) ??
    [...byNumber.values()].find((one) => one.definition === definition && one.args[keyedBy] === value) ??
      // An object that is managed elsewhere is known by its name alone.
      { definition, number: String(value), args: others, outputs: {}, isManaged: false }
  );
}

/** The position of each object in its list, according to the resource that owns the order. */
function rankObjects(all: readonly StateObject[]): Map<string, number> {
  const ranks = definitions.flatMap(({ type, document: { order } = {} as DocumentKind["document"] }) =>
    all
      .filter(({ definition }) => definition.type === order?.type)
      .flatMap(({ args }) => (args[order?.items ?? ""] as readonly unknown[] | undefined) ?? [])
      .map((item, index): [string, number] => [`${type} ${String(item)}`, index]),
  );
  return new Map(ranks);
}
