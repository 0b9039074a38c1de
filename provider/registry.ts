/** Every resource type: one line each. */
import type { Definition } from "./definition.js";
import { action } from "./resources/action.js";
import { actionOrder } from "./resources/action-order.js";
import { branch } from "./resources/branch.js";
import { execution } from "./resources/execution.js";
import { group } from "./resources/group.js";
import { groupMember } from "./resources/group-member.js";
import { oauthClient } from "./resources/oauth-client.js";
import { permissionSet } from "./resources/permission-set.js";
import { pipeline } from "./resources/pipeline.js";
import { project } from "./resources/project.js";
import { projectMember } from "./resources/project-member.js";
import { repositoryFile } from "./resources/repository-file.js";
import { sandboxRestart } from "./resources/sandbox-restart.js";
import { user } from "./resources/user.js";
import { userEmail } from "./resources/user-email.js";
import { userKey } from "./resources/user-key.js";
import { variable } from "./resources/variable.js";
import { workspaceMember } from "./resources/workspace-member.js";

export const definitions: readonly Definition[] = [
  workspaceMember,
  permissionSet,
  group,
  groupMember,
  project,
  projectMember,
  branch,
  repositoryFile,
  pipeline,
  action,
  actionOrder,
  variable,
  execution,
  sandboxRestart,
  oauthClient,
  user,
  userKey,
  userEmail,
];

/** @throws {Error} when there is no such type */
export function definitionOf(type: string): Definition {
  const found = definitions.find((definition) => definition.type === type);
  if (found) return found;
  throw new Error(`There is no resource type "${type}". Types: ${definitions.map((d) => d.type).join(", ")}`);
}
