/** Every area of the API: one line each, under its name as a property of the client. */
import { Actions } from "./actions.js";
import { Branches } from "./branches.js";
import { Commits } from "./commits.js";
import { Comparisons } from "./comparison.js";
import { Contents } from "./contents.js";
import { Executions } from "./executions.js";
import { GroupMembers } from "./group-members.js";
import { Groups } from "./groups.js";
import { Integrations } from "./integrations.js";
import { Members } from "./members.js";
import { OAuthClients } from "./oauth-clients.js";
import { PermissionSets } from "./permission-sets.js";
import { Pipelines } from "./pipelines.js";
import { ProjectMembers } from "./project-members.js";
import { Projects } from "./projects.js";
import { PullRequests } from "./pull-requests.js";
import { Sandboxes } from "./sandboxes.js";
import { Tags } from "./tags.js";
import { UserEmails } from "./user-emails.js";
import { UserKeys } from "./user-keys.js";
import { CurrentUser } from "./user.js";
import { Variables } from "./variables.js";
import { Workspaces } from "./workspaces.js";

export const areas = {
  workspaces: Workspaces,
  user: CurrentUser,
  userKeys: UserKeys,
  userEmails: UserEmails,
  integrations: Integrations,
  projects: Projects,
  projectMembers: ProjectMembers,
  members: Members,
  groups: Groups,
  groupMembers: GroupMembers,
  permissionSets: PermissionSets,
  pipelines: Pipelines,
  actions: Actions,
  variables: Variables,
  branches: Branches,
  tags: Tags,
  pullRequests: PullRequests,
  commits: Commits,
  comparison: Comparisons,
  contents: Contents,
  executions: Executions,
  sandboxes: Sandboxes,
  oauth: OAuthClients,
};
