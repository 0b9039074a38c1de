/** Converts declared or stored objects to an access model. Their references are ids, names, or declarations of the same file. */
import { KNOWN_LATER } from "../../diff/values.js";
import { type Fields, findNamed, getDefinition } from "../../resources/index.js";
import { Ref, type ResourceDeclaration } from "../load/load.js";
import {
  type AccessModel,
  type AccessPerson,
  type AccessProject,
  type AccessSet,
  labelMember,
  normalizePerson,
} from "./model.js";

/** Object that concerns access. */
export interface AccessObject {
  readonly type: string;
  /** Logical name, such as `projects/web`. */
  readonly name: string;
  /** Key that does not change with a rename: the logical name. */
  readonly key: string;
  /** Arguments. A reference is an id, a name, or a `Ref`. */
  readonly args: Fields;
  readonly outputs: Fields;
}

/** Known facts about other objects. */
export interface KnownAccess {
  readonly people: readonly { readonly id: number; readonly name: string }[];
  readonly permissionSets: readonly (AccessSet & { readonly id: number })[];
}

export const nothingKnown: KnownAccess = { people: [], permissionSets: [] };

/** Types whose objects concern access. */
export const accessTypes: readonly string[] = [
  "WorkspaceMember",
  "PermissionSet",
  "Project",
  "ProjectMember",
];

export function buildAccess(
  objects: readonly AccessObject[],
  known: KnownAccess = nothingKnown,
): AccessModel {
  return new Reader(objects, known).model();
}

/** Returns the objects that a file declares. */
export function listDeclaredObjects(declarations: readonly ResourceDeclaration[]): AccessObject[] {
  return declarations
    .filter(({ definition }) => accessTypes.includes(definition.type))
    .map(({ definition, name, args }) => ({ type: definition.type, name, key: name, args, outputs: {} }));
}

class Reader {
  private readonly people = new Map<string, AccessPerson>();
  private readonly sets = new Map<string, AccessSet>();

  constructor(
    private readonly objects: readonly AccessObject[],
    private readonly known: KnownAccess,
  ) {}

  model(): AccessModel {
    for (const { args } of this.of("WorkspaceMember")) {
      const [name, { admin }] = [getText(args["email"]), args];
      this.people.set(normalizePerson(name), { name, admin: typeof admin === "boolean" ? admin : undefined });
    }
    for (const { key, args } of this.of("PermissionSet")) {
      this.sets.set(key, {
        name: getText(args["name"]),
        repository: getLevel(args["repositoryAccessLevel"]),
        pipelines: getLevel(args["pipelineAccessLevel"]),
      });
    }
    const projects = new Map<string, { name: string; members: Map<string, string>; complete: boolean }>();
    for (const project of this.of("Project")) {
      const { key, args, outputs } = project;
      const complete = args["exclusive"] === true;
      const items = complete && Array.isArray(args["members"]) ? (args["members"] as readonly Fields[]) : [];
      const members = items.map(
        (item, index) =>
          [
            this.person(item["member"], undefined, `${project.name}, members[${index}]`),
            this.set(item["permissionSet"]),
          ] as const,
      );
      projects.set(key, {
        name: getProjectNameOf(args, outputs) || project.name,
        members: new Map(members),
        complete,
      });
    }
    for (const { name, args, outputs } of this.of("ProjectMember")) {
      const key = this.project(args) || describeLater("project", name);
      const project = projects.get(key) ?? { name: key, members: new Map<string, string>(), complete: false };
      projects.set(key, project);
      const member = this.person(args["member"], outputs["memberId"], name);
      project.members.set(member, this.set(args["permissionSet"]));
    }
    return {
      people: this.people,
      permissionSets: this.sets,
      projects: projects satisfies Map<string, AccessProject>,
    };
  }

  private of(type: string): AccessObject[] {
    return this.objects.filter((object) => object.type === type);
  }

  /** Returns the object of a reference. An id is the last part of a Pulumi id. */
  private found(type: string, value: unknown, id: string, natural: string): AccessObject | undefined {
    const all = this.of(type);
    if (value instanceof Ref) return all.find(({ name }) => name === value.name);
    const number = findNumberIn(value);
    if (number !== undefined) return all.find(({ outputs }) => outputs[id] === number);
    return findNamed(all, getDefinition(type).spelling[natural], value, ({ args }) => args[natural])[0];
  }

  /** @param owner name of the object that refers to the person, who may be known only after the plan is applied, as in a program */
  private person(value: unknown, id: unknown, owner: string): string {
    const declared = this.found("WorkspaceMember", value, "memberId", "email");
    if (declared) return normalizePerson(getText(declared.args["email"]));
    const number = findNumberIn(value) ?? findNumberIn(id);
    const other = this.known.people.find((person) => person.id === number)?.name;
    const said = other ?? (findNumberIn(value) === undefined ? getText(value) : labelMember(Number(value)));
    const name = said || describeLater("member", owner);
    if (!this.people.has(normalizePerson(name)))
      this.people.set(normalizePerson(name), { name, admin: undefined, isKnownLater: said === "" });
    return normalizePerson(name);
  }

  private set(value: unknown): string {
    const declared = this.found("PermissionSet", value, "permissionSetId", "name");
    if (declared) return declared.key;
    const number = findNumberIn(value);
    const other = this.known.permissionSets.find(({ id, name }) => id === number || name === value);
    const said = number === undefined ? getText(value) : `permission set ${number}`;
    const key = other?.name ?? (said || KNOWN_LATER);
    if (!this.sets.has(key)) {
      const { repository, pipelines } = other ?? { repository: undefined, pipelines: undefined };
      this.sets.set(key, { name: key, repository, pipelines });
    }
    return key;
  }

  private project({ project }: Fields): string {
    const all = this.of("Project");
    const found = all.find(({ name, args, outputs }) =>
      project instanceof Ref ? name === project.name : getProjectNameOf(args, outputs) === project,
    );
    return found?.key ?? getText(project);
  }
}

function describeLater(noun: string, owner: string): string {
  return `the ${noun} of "${owner}" ${KNOWN_LATER}`;
}

/** The name of a project: the declared one, or that of the service. */
export function getProjectNameOf(args: Fields, outputs: Fields): string {
  return getText(args["name"]) || getText(outputs["projectName"]);
}

function findNumberIn(value: unknown): number | undefined {
  return (typeof value === "number" || typeof value === "string") && /^\d+$/.test(String(value))
    ? Number(value)
    : undefined;
}

function getLevel(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function getText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
