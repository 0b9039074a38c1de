/** Collects the content of a drawing: names, order, rights and descriptions of triggers, but no values of variables, commands or passwords. */
import { type Fields, maskArgs } from "../../../provider/index.js";
import { groupBy } from "../../../text/lists.js";
import { type LoadedFile, Ref, type ResourceDeclaration } from "../../../workspace-file/load/load.js";

export interface Graph {
  readonly workspace: string | undefined;
  readonly people: readonly GraphPerson[];
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[];
  readonly permissionSets: readonly GraphPermissionSet[];
  readonly projects: readonly GraphProject[];
}

interface GraphPerson {
  readonly name: string;
  readonly admin: boolean;
}

interface GraphPermissionSet {
  readonly name: string;
  readonly description: string | undefined;
  readonly repository: string;
  readonly pipelines: string;
}

export interface GraphProject {
  readonly name: string;
  readonly displayName: string | undefined;
  /** The members with their permission sets. */
  readonly access: readonly { readonly person: string; readonly permissionSet: string }[];
  readonly pipelines: readonly GraphPipeline[];
}

export interface GraphPipeline {
  readonly name: string;
  /** A description of the trigger. */
  readonly trigger: string;
  readonly actions: readonly GraphAction[];
}

interface GraphAction {
  /** Counted from 1. */
  readonly position: number;
  readonly name: string;
  readonly type: string;
  /** A description of when it runs; undefined for every execution. */
  readonly condition: string | undefined;
}

interface Membership {
  readonly owner: string;
  readonly person: string;
  readonly permissionSet: string;
}

/** Collects the content of a drawing from the declarations of a file. */
export function buildGraph(declared: LoadedFile): Graph {
  const declarations = declared.declarations.map(withoutSecrets);
  const names = new Map(declarations.map((each) => [each.name, getName(each)]));
  const label = (value: unknown) =>
    value instanceof Ref ? (names.get(value.name) ?? value.name) : getText(value);
  const all = (type: string) => declarations.filter(({ definition }) => definition.type === type);
  const having = (type: string, arg: string) => groupBy(all(type), ({ args }) => label(args[arg]));

  // Members are resources of their own, or a list of their owner (`exclusive: true`).
  const membershipsOf = (ownerType: string, type: string, arg: string): Membership[] => [
    ...all(type).map(({ args }) => ({ owner: label(args[arg]), ...readMember(args) })),
    ...all(ownerType).flatMap((owner) =>
      listMembers(owner.args).map((item) => ({ owner: getName(owner), ...readMember(item) })),
    ),
  ];
  const readMember = ({ member, permissionSet }: Fields) => ({
    person: label(member),
    permissionSet: label(permissionSet),
  });
  const inGroups = membershipsOf("Group", "GroupMember", "group");
  const inProjects = membershipsOf("Project", "ProjectMember", "project");
  const groupMembers = groupBy(inGroups, ({ owner }) => owner);
  const projectMembers = groupBy(inProjects, ({ owner }) => owner);
  const pipelines = having("Pipeline", "project");
  const actions = groupBy(all("Action"), ({ name }) => name.slice(0, name.lastIndexOf("/actions/")));
  const declaredProjects = new Map(all("Project").map((each) => [getName(each), each]));
  const declaredGroups = all("Group").map(getName);
  const access = [...inGroups, ...inProjects].map(({ person }) => person);
  const admins = new Set(
    all("WorkspaceMember")
      .filter(({ args }) => args["admin"] === true)
      .map(getName),
  );

  return {
    workspace: declared.workspace,
    people: dropRepeated([...all("WorkspaceMember").map(getName), ...access]).map((name) => ({
      name,
      admin: admins.has(name),
    })),
    groups: dropRepeated([...declaredGroups, ...groupMembers.keys()]).map((name) => ({
      name,
      members: (groupMembers.get(name) ?? []).map(({ person }) => person),
    })),
    permissionSets: all("PermissionSet").map(({ args }) => ({
      name: getText(args["name"]),
      description: getText(args["description"]) || undefined,
      repository: getText(args["repositoryAccessLevel"]),
      pipelines: getText(args["pipelineAccessLevel"]),
    })),
    projects: dropRepeated([...declaredProjects.keys(), ...pipelines.keys(), ...projectMembers.keys()]).map(
      (name) => ({
        name,
        displayName: getText(declaredProjects.get(name)?.args["displayName"]) || undefined,
        access: projectMembers.get(name) ?? [],
        pipelines: (pipelines.get(name) ?? []).map((each) => ({
          name: getName(each),
          trigger: describeTrigger(each.args),
          actions: sortActions(actions.get(each.name) ?? []).map(({ args }, index) => ({
            position: index + 1,
            name: getText(args["name"]),
            type: getText(args["type"]),
            condition: formatCondition(args),
          })),
        })),
      }),
    ),
  };
}

/** Removes secrets, wherever they are used. */
function withoutSecrets(declaration: ResourceDeclaration): ResourceDeclaration {
  const { definition, args, secrets } = declaration;
  return { ...declaration, args: maskArgs(definition, args, () => undefined, secrets) };
}

/** Returns the members in the list of a group or project. */
function listMembers({ members }: Fields): Fields[] {
  const items: readonly unknown[] = Array.isArray(members) ? members : [];
  return items.map((item) =>
    item instanceof Ref || typeof item !== "object" ? { member: item } : (item as Fields),
  );
}

/** Sorts declarations by their position in the file: they are in dependency order. */
function sortActions(actions: readonly ResourceDeclaration[]): ResourceDeclaration[] {
  return [...actions].sort((a, b) => Number(a.path.at(-1)) - Number(b.path.at(-1)));
}

function getName({ definition, args, name }: ResourceDeclaration): string {
  const key = definition.document?.keyedBy;
  return (key === undefined ? "" : getText(args[key])) || name;
}

function getText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const dropRepeated = (names: readonly string[]) => [...new Set(names)];

/** Describes the trigger of a pipeline: `on every push to main`, `cron 0 2 * * * on main`. */
function describeTrigger(args: Fields): string {
  const text = (name: string) =>
    typeof args[name] === "string" || typeof args[name] === "number" ? `${args[name]}` : "";
  const ref = text("refName") && `${refWords[text("refType")] ?? ""}${text("refName")}`;
  switch (text("triggerMode")) {
    case "ON_EVERY_PUSH":
      return ["on every push", ref && `to ${ref}`].filter(Boolean).join(" ");
    case "SCHEDULED": {
      const times = text("cron") ? `cron ${text("cron")}` : `scheduled with delay ${text("delay")}`;
      return [times, ref && `on ${ref}`, args["paused"] === true && "(paused)"].filter(Boolean).join(" ");
    }
    case "MANUAL":
      return ["by hand", ref && `on ${ref}`].filter(Boolean).join(" ");
    default:
      return [humanize(text("triggerMode")), ref].filter(Boolean).join(" ");
  }
}

const refWords: Readonly<Record<string, string>> = {
  TAG: "tag ",
  WILDCARD: "refs like ",
  PULL_REQUEST: "pull request ",
};

/** Describes when an action runs; undefined for every execution. */
function formatCondition(args: Fields): string | undefined {
  const { triggerTime, runOnlyOnFirstFailure, disabled } = args;
  if (disabled === true) return "disabled";
  if (typeof triggerTime !== "string" || triggerTime === "ON_EVERY_EXECUTION") return undefined;
  return humanize(triggerTime) + (runOnlyOnFirstFailure === true ? " (first only)" : "");
}

/** `READ_ONLY` as `read only`. */
export function humanize(word: string): string {
  return word.toLowerCase().replaceAll("_", " ");
}
