/** Functions that read workspaces, people and what belongs to them. */
import { z } from "zod";
import { getFunction, listFunction, number, sorted, wired, type FunctionDefinition } from "./define.js";

const status = z.enum(["ACTIVE", "CLOSED"]).optional().describe("Only projects of this status.");
/** Each with the name that the published description of the API has for its answer. */
export const peopleFunctions: readonly FunctionDefinition[] = [
  listFunction(
    "listWorkspaces",
    "WorkspaceSummaryList",
    "Workspaces of the calling user.",
    {},
    (api, _w, _a, query) => api.workspaces.list(query),
  ),
  getFunction("getWorkspace", "Workspace", "The workspace.", {}, (api, w) => api.workspaces.get(w)),
  getFunction("getCurrentUser", "User", "The calling user.", {}, (api) => api.user.get()),
  listFunction(
    "listUserKeys",
    "PublicKeyList",
    "Public keys of the calling user.",
    {},
    (api, _w, _a, query) => api.userKeys.list(query),
  ),
  getFunction(
    "getUserKey",
    "PublicKey",
    "A public key of the calling user.",
    { key: number("key") },
    (api, _w, a) => api.userKeys.get(a.key),
  ),
  listFunction(
    "listUserEmails",
    "EmailList",
    "E-mail addresses of the calling user.",
    {},
    (api, _w, _a, query) => api.userEmails.list(query),
  ),
  listFunction(
    "listIntegrations",
    "IntegrationList",
    "Integrations of the calling user.",
    {},
    (api, _w, _a, query) => api.integrations.list(query),
  ),
  getFunction(
    "getIntegration",
    "Integration",
    "An integration of the calling user.",
    { integration: number("integration") },
    (api, _w, a) => api.integrations.get(a.integration),
  ),

  listFunction(
    "listMembers",
    "MemberSummaryList",
    "Members of the workspace, sorted if asked for.",
    sorted("email", "name", "short_name"),
    (api, w, a, query) => api.members.list(w, { ...wired(a), ...query }),
  ),
  getFunction(
    "getMember",
    "Member",
    "A member of the workspace.",
    { member: number("member") },
    (api, w, a) => api.members.get(w, a.member),
  ),
  listFunction(
    "listMemberProjects",
    "ProjectSummaryList",
    "Projects of a member: those shared with the caller, or all of them for an administrator who asks for it.",
    {
      member: number("member"),
      all: z.boolean().optional().describe("All projects of the member. Administrators only."),
      status,
      ...sorted("NAME", "CREATED", "SIZE", "UPDATED"),
    },
    (api, w, { member, ...filters }, query) =>
      api.members.listProjects(w, member, { ...wired(filters), ...query }),
  ),
  listFunction("listGroups", "GroupList", "Groups of the workspace.", {}, (api, w, _a, query) =>
    api.groups.list(w, query),
  ),
  getFunction("getGroup", "Group", "A group.", { group: number("group") }, (api, w, a) =>
    api.groups.get(w, a.group),
  ),
  listFunction(
    "listGroupMembers",
    "MemberSummaryList",
    "Members of a group.",
    { group: number("group") },
    (api, w, a, query) => api.groupMembers.list(w, a.group, query),
  ),
  getFunction(
    "getGroupMember",
    "Member",
    "A member of a group.",
    { group: number("group"), member: number("member") },
    (api, w, a) => api.groupMembers.get(w, a.group, a.member),
  ),
  listFunction(
    "listPermissionSets",
    "PermissionSetList",
    "Permission sets of the workspace. Administrators only.",
    {},
    (api, w, _a, query) => api.permissionSets.list(w, query),
  ),
  getFunction(
    "getPermissionSet",
    "PermissionSet",
    "A permission set. Administrators only.",
    { permissionSet: number("set") },
    (api, w, a) => api.permissionSets.get(w, a.permissionSet),
  ),
];
