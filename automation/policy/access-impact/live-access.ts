/** Reads the access model of the workspace with as few requests as the service allows, and what the access impact of a plan needs of it. */
import {
  isServiceError,
  type MemberSummary,
  type PermissionSet,
  type WorkspaceAutomationClient,
} from "../../../client/index.js";
import { getAddress, SharedReadCache } from "../../../provider/index.js";
import { keys } from "../../../resources/definition/lists.js";
import {
  type AccessFilter,
  type AccessModel,
  type AccessPerson,
  type AccessProject,
  labelMember,
  normalizePerson,
  nothingKnown,
} from "../../../workspace-file/access/access.js";
import { withClient } from "../../connection/api-client.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import type { Port } from "../../port.js";
import type { AccessLookup } from "./planned.js";

interface LiveAccess {
  readonly model: AccessModel;
  /** Explanations of what could not be read and is missing in the model. */
  readonly unread: readonly string[];
}

/** Returns the name of a person, as far as the service shows it. */
function nameRemoteMember({ id, email, name }: Pick<MemberSummary, "id" | "email" | "name">): string {
  return email ?? (name == null ? labelMember(id) : `${name} (${labelMember(id)})`);
}

/**
 * Reads people, permission sets and project members. Takes four requests, one for each person (since the list does not show
 * administrators) and one for each project. A filter saves requests.
 */
export async function readLiveAccess(
  client: WorkspaceAutomationClient,
  workspace: string,
  filter: AccessFilter = {},
): Promise<LiveAccess> {
  const unread: string[] = [];
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.code === "unauthorized" || error.code === "network") throw error;
      unread.push(`${what}: ${error.message}`);
      return undefined;
    }
  };
  const [listed, sets, projects] = await Promise.all([
    attempt("members", () => client.members.list(workspace).toArray()),
    attempt("permission sets", () => client.permissionSets.list(workspace).toArray()),
    attempt("projects", () => client.projects.list(workspace).toArray()),
  ]);
  const named = (listed ?? []).map((member) => ({ ...member, label: nameRemoteMember(member) }));
  const wanted = named.filter(({ label, id, name }) => {
    const words = [label, labelMember(id), String(id), name].map((word) => word?.toLowerCase());
    return filter.member === undefined || words.includes(filter.member.toLowerCase());
  });
  const inProjects = (projects ?? []).filter(
    ({ name }) => filter.project === undefined || name === filter.project,
  );

  const people = new Map<string, AccessPerson>();
  const model = new Map<string, AccessProject>();
  const embedded: PermissionSet[] = [];
  await Promise.all([
    ...wanted.map(async ({ id, label }) => {
      const whole = await attempt(`member ${label}`, () => client.members.get(workspace, id));
      const admin = whole?.admin ?? undefined;
      if (whole && admin === undefined)
        unread.push(`member ${label}: the service does not return whether it is an administrator`);
      people.set(normalizePerson(label), { name: label, admin, owner: whole?.workspace_owner === true });
    }),
    ...inProjects.map(async ({ name }) => {
      const members = await attempt(`members of project ${name}`, () =>
        client.projectMembers.list(workspace, name).toArray(),
      );
      const rights = new Map<string, string>();
      for (const member of members ?? []) {
        const set = member.permission_set;
        const label = named.find(({ id }) => id === member.id)?.label ?? nameRemoteMember(member);
        if (filter.member !== undefined && !wanted.some(({ id }) => id === member.id)) continue;
        // The caller may be unable to list permission sets but see those of members.
        if (set != null) embedded.push(set);
        else unread.push(`rights of ${label} in project ${name}: the service does not return them`);
        rights.set(normalizePerson(label), set == null ? UNKNOWN_SET : String(set.id));
      }
      model.set(name, { name, members: rights, complete: true });
    }),
  ]);
  return {
    model: {
      people,
      permissionSets: new Map(
        [...embedded, ...(sets ?? [])].map((set) => [String(set.id), toRemoteSet(set)]),
      ),
      projects: model,
    },
    unread: unread.toSorted(),
  };
}

/** Key of a permission set that the service does not return. */
const UNKNOWN_SET = "not shown";

/** Returns the name and the levels of a permission set, as far as the service shows them. */
function toRemoteSet({ id, name, repository_access_level, pipeline_access_level }: PermissionSet) {
  return {
    name: name ?? `permission set ${id}`,
    repository: repository_access_level ?? undefined,
    pipelines: pipeline_access_level ?? undefined,
  };
}

/** Maximum number of members to look up. */
const ASKED = 20;

/** Returns the lookup. What cannot be read counts as unknown, because the impact is not required for a plan. */
export function accessLookup(
  connection: WorkspaceConnection,
  io: Port,
  shared: SharedReadCache = new SharedReadCache(),
): AccessLookup {
  const { workspace, baseUrl } = connection;
  const reads = shared.of(getAddress(baseUrl, workspace));
  const asking = async <T>(
    work: (client: WorkspaceAutomationClient) => Promise<T>,
    otherwise: T,
  ): Promise<T> => {
    try {
      return await withClient(connection, io, work, { retry: { limit: 2 } });
    } catch (error) {
      if (isServiceError(error)) return otherwise;
      throw error;
    }
  };
  return {
    known: () =>
      asking(async ({ members, permissionSets }) => {
        const [people, sets] = await Promise.all([
          reads.list(keys.members, (isSure) => members.list(workspace).read(isSure)),
          reads.list(keys.permissionSets, (isSure) => permissionSets.list(workspace).read(isSure)),
        ]);
        return {
          people: people.map((member) => ({ id: member.id, name: nameRemoteMember(member) })),
          permissionSets: sets.map((set) => ({ id: set.id, ...toRemoteSet(set) })),
        };
      }, nothingKnown),
    staying: (numbers) =>
      asking(async ({ members, user }) => {
        const caller = await reads
          .single("user", () => user.get())
          .then(
            ({ id }) => id,
            (error: unknown) => {
              if (isServiceError(error, "denied")) return undefined;
              throw error;
            },
          );
        const reasons = new Map<number, string>();
        for (const number of numbers.slice(0, ASKED)) {
          if (number === caller) reasons.set(number, "it is the calling user's own membership");
          else if ((await members.get(workspace, number)).workspace_owner)
            reasons.set(number, "the member owns the workspace");
        }
        return reasons;
      }, new Map()),
  };
}
