/** Effect of a plan on access rights. */
import type { Fields } from "../../../provider/index.js";
import {
  type AccessModel,
  type AccessObject,
  accessTypes,
  buildAccess,
  formatImpactLines,
  getProjectNameOf,
  type Impact,
  type KnownAccess,
  labelMember,
  listImpacts,
  normalizePerson,
  nothingKnown,
} from "../../../workspace-file/access/access.js";
import type { LoadedFile } from "../../../workspace-file/load/load.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import { fillUnknown } from "../../plan/property-changes.js";

export interface AccessImpact {
  readonly impacts: readonly Impact[];
  /** Sentences that describe the impacts. */
  readonly lines: readonly string[];
}

/** Lookup of facts that only the service knows. */
export interface AccessLookup {
  known(): Promise<KnownAccess>;
  /** Returns those of the removed members (by id) who stay, with the reason. */
  staying(members: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** Reads only what the state does not contain, and nothing unless the plan concerns access. */
export async function accessImpact(
  objects: readonly PlannedObject[],
  declared: LoadedFile | undefined,
  lookup?: AccessLookup,
): Promise<AccessImpact> {
  const left = listLeftGroups(objects);
  // The arguments of a group or project with exclusive members contain those who stay.
  const concerned = objects.filter(
    ({ type, operation, within }) =>
      accessTypes.includes(type) && (within === undefined || operation === "delete"),
  );
  if (concerned.every(({ operation }) => operation === "same"))
    return { impacts: left, lines: formatImpactLines(left) };
  const models = (known: KnownAccess): [AccessModel, AccessModel] => {
    const was = buildAccess(concerned.flatMap(toObjectsBefore), known);
    const objectsAfter = concerned.flatMap((object) => toObjectsAfter(object, concerned, declared));
    return [was, withOthers(buildAccess(objectsAfter, known), was, concerned)];
  };
  let both = models(nothingKnown);
  if (lookup && both.some(hasGaps)) both = models(await lookup.known());
  const staying = lookup ? await findWhoStays(concerned, lookup) : new Map<string, string>();
  const impacts = [...listImpacts(...both, staying), ...left];
  return { impacts, lines: formatImpactLines(impacts) };
}

/** Adds the people who leave a project but stay in the workspace. */
function withOthers(after: AccessModel, was: AccessModel, objects: readonly PlannedObject[]): AccessModel {
  const members = objects.filter(({ type }) => type === "WorkspaceMember").map(getKey);
  const others = [...was.people].filter(([key]) => !members.includes(key));
  return { ...after, people: new Map([...others, ...after.people]) };
}

function toObjectsBefore({ type, name, before: state }: PlannedObject): AccessObject[] {
  return state ? [{ type, name, key: name, args: state, outputs: state }] : [];
}

function toObjectsAfter(
  object: PlannedObject,
  all: readonly PlannedObject[],
  declared: LoadedFile | undefined,
): AccessObject[] {
  const { type, name, operation } = object;
  // Released objects stay unchanged, but their project may be renamed.
  if (operation === "release")
    return toObjectsBefore(object).map((one) => ({ ...one, args: withProjectAfter(one.args, all) }));
  if (object.after === undefined) return [];
  const written = declared?.declarations.find((one) => one.name === name && one.definition.type === type);
  // What is unknown refers to objects that the plan creates.
  const args = fillUnknown(object.after, written?.args, (reference) => reference) as Fields;
  return [{ type, name, key: name, args, outputs: object.before ?? {} }];
}

function withProjectAfter(args: Fields, all: readonly PlannedObject[]): Fields {
  const project = all.find(
    ({ type, before }) =>
      type === "Project" && before !== undefined && getProjectNameOf(before, before) === args["project"],
  );
  const name = project?.after?.["name"];
  return name === undefined ? args : { ...args, project: name };
}

/** Reports whether a name or a level is unknown. */
function hasGaps({ people, permissionSets }: AccessModel): boolean {
  const numbered = [...people.values()].some(({ name }) => /^member \d+$/.test(name));
  return numbered || [...permissionSets.values()].some((set) => !set.repository || !set.pipelines);
}

async function findWhoStays(
  objects: readonly PlannedObject[],
  lookup: AccessLookup,
): Promise<Map<string, string>> {
  const gone = objects.filter(({ type, operation }) => type === "WorkspaceMember" && operation === "delete");
  if (gone.length === 0) return new Map();
  const idOf = ({ before: state }: PlannedObject) => Number(state?.["memberId"]);
  const reasons = await lookup.staying(gone.map(idOf));
  return new Map(
    gone.flatMap((member) => {
      const reason = reasons.get(idOf(member));
      return reason === undefined ? [] : [[getKey(member), reason]];
    }),
  );
}

/** Returns the key of a person by the state of their membership. */
const getKey = ({ before: state }: PlannedObject) => normalizePerson(String(state?.["email"]));

function listLeftGroups(objects: readonly PlannedObject[]): Impact[] {
  return objects
    .filter(({ type, operation }) => type === "GroupMember" && operation === "delete")
    .map(({ before = {} }) => {
      const person =
        nameObject(objects, "WorkspaceMember", "memberId", before["memberId"]) ?? before["member"];
      const group = nameObject(objects, "Group", "groupId", before["groupId"]) ?? before["group"];
      return { kind: "leaves-group", person: labelPerson(person), group: String(group) };
    });
}

/** Returns the name of an object by its id. */
function nameObject(objects: readonly PlannedObject[], of: string, output: string, number: unknown): unknown {
  const found = objects.find(({ type, before }) => type === of && before?.[output] === number)?.before;
  return found?.["email"] ?? found?.["name"];
}

const labelPerson = (person: unknown) => (typeof person === "number" ? labelMember(person) : String(person));
