/** Functions that read workspaces, people and what belongs to them. */
import { z } from "zod";
import type { Fields } from "../../../resources/definition/definition.js";
import {
  type Api,
  createNumber,
  createNumberOrId,
  getFunction,
  listFunction,
  projectStatus,
  sort,
} from "./define.js";

const member = createNumberOrId("member");
const group = createNumberOrId("group");

export const peopleFunctions = {
  listWorkspaces: {
    ...listFunction("workspaces", "WorkspaceSummaryList", "Workspaces of the calling user."),
    read: (api: Api, _workspace: string, _args: Fields, query: Fields) => api.workspaces.list(query),
  },
  getWorkspace: getFunction("workspaces", "Workspace", "The workspace."),
  getCurrentUser: getFunction("user", "User", "The calling user."),
  listUserKeys: listFunction("userKeys", "PublicKeyList", "Public keys of the calling user."),
  getUserKey: getFunction("userKeys", "PublicKey", "A public key of the calling user.", {
    key: createNumberOrId("public key"),
  }),
  listUserEmails: listFunction("userEmails", "EmailList", "E-mail addresses of the calling user."),
  listIntegrations: listFunction("integrations", "IntegrationList", "Integrations of the calling user."),
  getIntegration: getFunction("integrations", "Integration", "An integration of the calling user.", {
    integration: createNumber("integration"),
  }),

  listMembers: listFunction(
    "members",
    "MemberSummaryList",
    "Members of the workspace, optionally sorted.",
    {},
    sort("email", "name", "short_name"),
  ),
  getMember: getFunction("members", "Member", "A member of the workspace.", { member }),
  listMemberProjects: {
    ...listFunction(
      "members",
      "ProjectSummaryList",
      "Projects of a member: those shared with the caller, or with `all`, every one.",
      { member },
      {
        all: z.boolean().optional().describe("All projects of the member. Administrators only."),
        status: projectStatus,
        ...sort("NAME", "CREATED", "SIZE", "UPDATED"),
      },
    ),
    read: (api: Api, workspace: string, { member: id }: Fields, query: Fields) =>
      api.members.listProjects(workspace, id as number, query),
  },
  listGroups: listFunction("groups", "GroupList", "Groups of the workspace."),
  getGroup: getFunction("groups", "Group", "A group.", { group }),
  listGroupMembers: listFunction("groupMembers", "MemberSummaryList", "Members of a group.", { group }),
  getGroupMember: getFunction("groupMembers", "Member", "A member of a group.", { group, member }),
  listPermissionSets: listFunction(
    "permissionSets",
    "PermissionSetList",
    "Permission sets of the workspace. Administrators only.",
  ),
  getPermissionSet: getFunction("permissionSets", "PermissionSet", "A permission set. Administrators only.", {
    permissionSet: createNumberOrId("permission set"),
  }),
};
