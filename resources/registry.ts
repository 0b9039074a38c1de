/** Every resource type. */
import { action } from "./action.js";
import { actionOrder } from "./action-order.js";
import { branch } from "./branch.js";
import type { Definition } from "./definition/definition.js";
import { execution } from "./execution.js";
import { group } from "./group.js";
import { groupMember } from "./group-member.js";
import { oauthClient } from "./oauth-client.js";
import { permissionSet } from "./permission-set.js";
import { pipeline } from "./pipeline.js";
import { project } from "./project.js";
import { projectMember } from "./project-member.js";
import { repositoryFile } from "./repository-file.js";
import { sandboxRestart } from "./sandbox-restart.js";
import { user } from "./user.js";
import { userEmail } from "./user-email.js";
import { userKey } from "./user-key.js";
import { variable } from "./variable.js";
import { workspaceMember } from "./workspace-member.js";

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

/** @returns undefined for the type of another provider */
export function findDefinition(type: string | undefined): Definition | undefined {
  return definitions.find((definition) => definition.type === type);
}

/** @throws {Error} when there is no such type */
export function getDefinition(type: string): Definition {
  const found = findDefinition(type);
  if (found) return found;
  throw new Error(
    `There is no resource type "${type}". Use one of ${definitions.map((d) => d.type).join(", ")}`,
  );
}
