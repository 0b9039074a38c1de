/** Functions that read workspaces, people and what belongs to them. */
import { z } from "zod";
import { getFunction, listFunction, createNumber, projectStatus, sort, createApiQuery } from "./define.js";

export const peopleFunctions = {
  listWorkspaces: listFunction(
    "WorkspaceSummaryList",
    "Workspaces of the calling user.",
    {},
    (api, _w, _a, query) => api.workspaces.list(query),
  ),
  getWorkspace: getFunction("Workspace", "The workspace.", {}, (api, w) => api.workspaces.get(w)),
  getCurrentUser: getFunction("User", "The calling user.", {}, (api) => api.user.get()),
  listUserKeys: listFunction("PublicKeyList", "Public keys of the calling user.", {}, (api, _w, _a, query) =>
    api.userKeys.list(query),
  ),
  getUserKey: getFunction(
    "PublicKey",
    "A public key of the calling user.",
    { key: createNumber("key") },
    (api, _w, a) => api.userKeys.get(a.key),
  ),
  listUserEmails: listFunction(
    "EmailList",
    "E-mail addresses of the calling user.",
    {},
    (api, _w, _a, query) => api.userEmails.list(query),
  ),
  listIntegrations: listFunction(
    "IntegrationList",
    "Integrations of the calling user.",
    {},
    (api, _w, _a, query) => api.integrations.list(query),
  ),
  getIntegration: getFunction(
    "Integration",
    "An integration of the calling user.",
    { integration: createNumber("integration") },
    (api, _w, a) => api.integrations.get(a.integration),
  ),

  listMembers: listFunction(
    "MemberSummaryList",
    "Members of the workspace, optionally sorted.",
    sort("email", "name", "short_name"),
    (api, w, a, query) => api.members.list(w, { ...createApiQuery(a), ...query }),
  ),
  getMember: getFunction(
    "Member",
    "A member of the workspace.",
    { member: createNumber("member") },
    (api, w, a) => api.members.get(w, a.member),
  ),
  listMemberProjects: listFunction(
    "ProjectSummaryList",
    "Projects of a member: those shared with the caller, or with `all`, every one.",
    {
      member: createNumber("member"),
      all: z.boolean().optional().describe("All projects of the member. Administrators only."),
      status: projectStatus,
      ...sort("NAME", "CREATED", "SIZE", "UPDATED"),
    },
    (api, w, { member, ...filters }, query) =>
      api.members.listProjects(w, member, { ...createApiQuery(filters), ...query }),
  ),
  listGroups: listFunction("GroupList", "Groups of the workspace.", {}, (api, w, _a, query) =>
    api.groups.list(w, query),
  ),
  getGroup: getFunction("Group", "A group.", { group: createNumber("group") }, (api, w, a) =>
    api.groups.get(w, a.group),
  ),
  listGroupMembers: listFunction(
    "MemberSummaryList",
    "Members of a group.",
    { group: createNumber("group") },
    (api, w, a, query) => api.groupMembers.list(w, a.group, query),
  ),
  getGroupMember: getFunction(
    "Member",
    "A member of a group.",
    { group: createNumber("group"), member: createNumber("member") },
    (api, w, a) => api.groupMembers.get(w, a.group, a.member),
  ),
  listPermissionSets: listFunction(
    "PermissionSetList",
    "Permission sets of the workspace. Administrators only.",
    {},
    (api, w, _a, query) => api.permissionSets.list(w, query),
  ),
  getPermissionSet: getFunction(
    "PermissionSet",
    "A permission set. Administrators only.",
    { permissionSet: createNumber("set") },
    (api, w, a) => api.permissionSets.get(w, a.permissionSet),
  ),
};
