/** Rows of all tables. */
import type {
  executionStatuses,
  pipelineLevels,
  projectStatuses,
  refTypes,
  repositoryLevels,
  Scope,
  triggerModes,
} from "./enums.js";

/**
 * Rows of the store, one type per table. Field names are the spec's. Times are milliseconds since the epoch and
 * become ISO dates in responses only. `sealed` texts are encrypted.
 */

export interface Row {
  id: number;
}

export interface UserRow extends Row {
  email: string;
  name: string | null;
  title: string | null;
  emails: { email: string; confirmed: boolean }[];
}

export interface TokenRow extends Row {
  kind: "personal" | "access" | "refresh" | "registration" | "code";
  hash: string;
  userId: number;
  scopes: Scope[];
  expiresAt: number | null;
  clientId: string | null;
  /** Encrypted token, only for tokens that the emulator must be able to report again. */
  sealed: string | null;
  /** Only for authorization codes. */
  redirectUri?: string | null;
  isNamed?: boolean;
  challenge?: string | null;
  /** Whether a code or refresh token was used. Used ones are stored to detect a second use. */
  spent?: boolean;
  /** Tokens of one grant, which are revoked together. */
  family?: string;
}

export interface ClientRow extends Row {
  client_id: string;
  secretHash: string;
  ownerId: number;
  issuedAt: number;
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: string;
  client_uri: string | null;
  description: string | null;
  token_expires_in: number;
  /**
   * Scopes of the token that registered the client, which limit the client's. Absent in older data, which means all.
   */
  scopes?: Scope[];
}

export interface KeyRow extends Row {
  userId: number;
  title: string | null;
  content: string;
}

export interface IntegrationRow extends Row {
  userId: number;
  name: string;
  type: string;
  identifier: string;
}

export interface WorkspaceRow extends Row {
  domain: string;
  name: string;
  ownerId: number;
  frozen: boolean;
  createdAt: number;
  apiEnabled: boolean;
  projectsByAdminsOnly: boolean;
  membersByAdminsOnly: boolean;
}

/** Membership of a user in a workspace. The API uses the user's id as the member's id. */
export interface MembershipRow extends Row {
  workspaceId: number;
  userId: number;
  admin: boolean;
}

export interface GroupRow extends Row {
  workspaceId: number;
  name: string;
  description: string | null;
  memberIds: number[];
}

export interface PermissionSetRow extends Row {
  workspaceId: number;
  name: string;
  description: string | null;
  type: "DEVELOPER" | "READ_ONLY" | "CUSTOM";
  repository_access_level: RepositoryLevel;
  pipeline_access_level: PipelineLevel;
}

export type RepositoryLevel = (typeof repositoryLevels)[number];
export type PipelineLevel = (typeof pipelineLevels)[number];

export interface ProjectRow extends Row {
  workspaceId: number;
  name: string;
  display_name: string;
  status: (typeof projectStatuses)[number];
  createdAt: number;
  createdById: number;
  updatedAt: number;
  size: number;
  default_branch: string;
  integrationId: number | null;
  external_project_id: string | null;
  git_lab_project_id: string | null;
  custom_repo_url: string | null;
  custom_repo_user: string | null;
  /** Encrypted password of a custom repository. */
  customRepoPassSealed: string | null;
  branchDescriptions: Record<string, string>;
}

export interface ProjectMemberRow extends Row {
  projectId: number;
  userId: number;
  permissionSetId: number;
}

export interface PullRow extends Row {
  projectId: number;
  number: number;
  name: string;
  git_host_html_url: string | null;
}

export interface PipelineRow extends Row {
  projectId: number;
  name: string;
  trigger_mode: (typeof triggerModes)[number];
  ref_type: (typeof refTypes)[number];
  ref_name: string;
  always_from_scratch: boolean;
  auto_clear_cache: boolean;
  no_skip_to_most_recent: boolean;
  do_not_create_commit_status: boolean;
  start_date: string | null;
  delay: number | null;
  cron: string | null;
  run_always: boolean;
  paused: boolean;
  status: ExecutionStatus;
  last_execution_revision: string | null;
  createdAt: number;
  creatorId: number;
  hidden: boolean;
  /** Outcomes of the next runs, in order. Runs without an outcome succeed. */
  outcomes: Outcome[];
  lastScheduledAt: number | null;
}

/** Outcome of a run: whether it fails, and at which action (by name; default the first one that runs). */
export interface Outcome {
  status: "SUCCESSFUL" | "FAILED";
  action?: string | undefined;
}

export type ExecutionStatus = (typeof executionStatuses)[number];

export interface ActionRow extends Row {
  pipelineId: number;
  type: string;
  name: string;
  trigger_time: string;
  run_only_on_first_failure: boolean;
  status: ExecutionStatus;
  /** Fields of the type as sent, without secrets. */
  fields: Record<string, unknown>;
  /** Encrypted secret fields by name. */
  sealed: Record<string, string>;
  /** Position in the pipeline, starting at 0. */
  position: number;
}

export interface VariableRow extends Row {
  workspaceId: number;
  projectId: number | null;
  pipelineId: number | null;
  actionId: number | null;
  key: string;
  /** Plain value, or null when encrypted. */
  value: string | null;
  sealed: string | null;
  ssh_key: boolean;
  settable: boolean;
  encrypted: boolean;
  description: string | null;
}

export interface ActionExecution {
  actionId: number;
  /** Action as it was when the run began, so that responses show it after its deletion. */
  action: ActionRow;
  status: ExecutionStatus | "NOT_EXECUTED";
  startedAt: number | null;
  finishedAt: number | null;
}

export interface ExecutionRow extends Row {
  pipelineId: number;
  startedAt: number;
  finishedAt: number | null;
  mode: string;
  refresh: boolean;
  status: ExecutionStatus;
  comment: string | null;
  branch: string | null;
  from_revision: string | null;
  to_revision: string | null;
  creatorId: number;
  outcome: Outcome;
  actions: ActionExecution[];
  /** Time at which the current action ends. */
  dueAt: number;
}

export interface SandboxRow extends Row {
  workspaceId: number;
  projectId: number | null;
  sandbox_id: string;
  identifier: string;
  name: string;
  status: "STARTING" | "STOPPING" | "FAILED" | "RUNNING" | "STOPPED" | "RESTORING";
  createdAt: number;
  /** Other fields of the spec's Sandbox table, as the seed gives them. */
  fields: Record<string, unknown>;
}

/** Values that must survive a restart but belong to no object. The table has one row. */
interface MetaRow extends Row {
  principalTokenId: number;
  /** Workspace that the emulator reports. */
  workspaceId: number;
}

/** Rows by table. The file of a new resource adds its own by declaration merging. */
export interface Rows {
  users: UserRow;
  tokens: TokenRow;
  clients: ClientRow;
  keys: KeyRow;
  integrations: IntegrationRow;
  workspaces: WorkspaceRow;
  memberships: MembershipRow;
  groups: GroupRow;
  permissionSets: PermissionSetRow;
  projects: ProjectRow;
  projectMembers: ProjectMemberRow;
  pulls: PullRow;
  pipelines: PipelineRow;
  actions: ActionRow;
  variables: VariableRow;
  executions: ExecutionRow;
  sandboxes: SandboxRow;
  meta: MetaRow;
}
