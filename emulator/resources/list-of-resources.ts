/** All routes and tables. */
import type { Resource } from "../route.js";
import type { TableDefinitions } from "../table.js";
import { actionResource } from "./actions.js";
import { branchResource } from "./branches.js";
import { commitResource } from "./commits.js";
import { executionResource } from "./executions.js";
import { groupResource } from "./groups.js";
import { memberResource } from "./members.js";
import { oauthResource } from "./oauth.js";
import { permissionSetResource } from "./permission-sets.js";
import { pipelineResource } from "./pipelines.js";
import { projectMemberResource } from "./project-members.js";
import { projectResource } from "./projects.js";
import { sandboxResource } from "./sandboxes.js";
import { userResource } from "./user.js";
import { variableResource } from "./variables.js";
import { workspaceResource } from "./workspaces.js";

/** Registry of all resources. A new one needs its own file and a line here. */
const resources: readonly Resource[] = [
  oauthResource,
  workspaceResource,
  userResource,
  projectResource,
  projectMemberResource,
  memberResource,
  groupResource,
  permissionSetResource,
  branchResource,
  commitResource,
  variableResource,
  pipelineResource,
  actionResource,
  executionResource,
  sandboxResource,
];

export const routes = resources.flatMap((resource) => resource.routes);

export const tables = Object.assign(
  { meta: {} },
  ...resources.map((resource) => resource.tables),
) as TableDefinitions;
