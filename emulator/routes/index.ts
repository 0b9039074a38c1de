import type { Route } from "../route.js";
import { actionRoutes } from "./actions.js";
import { branchRoutes } from "./branches.js";
import { commitRoutes } from "./commits.js";
import { executionRoutes } from "./executions.js";
import { groupRoutes } from "./groups.js";
import { memberRoutes } from "./members.js";
import { oauthRoutes } from "./oauth.js";
import { permissionSetRoutes } from "./permission-sets.js";
import { pipelineRoutes } from "./pipelines.js";
import { projectMemberRoutes } from "./project-members.js";
import { projectRoutes } from "./projects.js";
import { sandboxRoutes } from "./sandboxes.js";
import { userRoutes } from "./user.js";
import { variableRoutes } from "./variables.js";
import { workspaceRoutes } from "./workspaces.js";

/** Registry of all endpoints. */
export const routes: readonly Route[] = [
  ...oauthRoutes,
  ...workspaceRoutes,
  ...userRoutes,
  ...projectRoutes,
  ...projectMemberRoutes,
  ...memberRoutes,
  ...groupRoutes,
  ...permissionSetRoutes,
  ...branchRoutes,
  ...commitRoutes,
  ...variableRoutes,
  ...pipelineRoutes,
  ...actionRoutes,
  ...executionRoutes,
  ...sandboxRoutes,
];
