/** Effective rights of each person in each project. */
import { type AccessModel, getPermissionSetAt, normalizePerson, type Rights } from "./model.js";

interface EffectiveRights extends Rights {
  /** Name of the permission set. Undefined for an administrator who is not a member. */
  readonly permissionSet: string | undefined;
}

export interface EffectiveRow {
  readonly member: string;
  readonly admin: boolean | undefined;
  readonly owner: boolean;
  /** Rights in the projects that the person is a member of. */
  readonly projects: Readonly<Record<string, EffectiveRights>>;
}

export interface EffectiveAccess {
  readonly projects: readonly string[];
  readonly rows: readonly EffectiveRow[];
}

/** Limits the result. */
export interface AccessFilter {
  readonly member?: string | undefined;
  readonly project?: string | undefined;
}

export function computeEffectiveAccess(
  model: AccessModel,
  { member, project }: AccessFilter = {},
): EffectiveAccess {
  const projects = [...model.projects.values()]
    .filter(({ name }) => project === undefined || name === project)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const wanted = member === undefined ? undefined : normalizePerson(member);
  const rows = [...model.people]
    .filter(([key]) => wanted === undefined || key === wanted)
    .map(([key, { name, admin, owner }]) => ({
      member: name,
      admin,
      owner: owner === true,
      projects: Object.fromEntries(
        projects.flatMap(({ name: of, members }) => {
          const set = members.get(key);
          if (set === undefined) return [];
          const { name: permissionSet, repository, pipelines } = getPermissionSetAt(model, set);
          return [[of, { permissionSet, repository, pipelines }]];
        }),
      ),
    }))
    // With a project, limits the result to people who have access to it.
    .filter(({ admin, owner, projects: of }) => project === undefined || admin || owner || of[project])
    .toSorted((a, b) => (a.member.toLowerCase() < b.member.toLowerCase() ? -1 : 1));
  return { projects: projects.map(({ name }) => name), rows };
}
