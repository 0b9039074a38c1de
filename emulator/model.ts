import type { Scope } from "./scopes.js";

/**
 * What the store keeps, one record type per table. Names are the spec's; times are milliseconds since the epoch and
 * become ISO dates only in an answer. `sealed` texts are encrypted by the vault.
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
  /** The token itself, encrypted; only for tokens that the emulator must be able to tell again. */
  sealed: string | null;
  /** Authorization codes only. */
  redirectUri?: string | null;
  isNamed?: boolean;
  challenge?: string | null;
  /** A code or refresh token that was used: kept to notice that it is used again. */
  spent?: boolean;
  /** Tokens of one grant fall together when one of them is revoked. */
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
  /** Scopes of the token that registered it: it gets no others. None noted: all, as for clients of older data. */
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

/** A user's membership of a workspace. The member's id in the API is the user's. */
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

export type RepositoryLevel = "DENIED" | "READ_ONLY" | "READ_WRITE";
export type PipelineLevel = "DENIED" | "READ_ONLY" | "RUN_ONLY" | "READ_WRITE";

export interface ProjectRow extends Row {
  workspaceId: number;
  name: string;
  display_name: string;
  status: "ACTIVE" | "CLOSED";
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
  trigger_mode: "MANUAL" | "SCHEDULED" | "ON_EVERY_PUSH";
  ref_type: "BRANCH" | "TAG" | "WILDCARD" | "PULL_REQUEST" | "NONE";
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
  /** How the next runs end, first one first; none left means that they succeed. */
  outcomes: Outcome[];
  lastScheduledAt: number | null;
}

/** How a run of a pipeline ends: at which action (by name; default the first one that runs) it fails, if at all. */
export interface Outcome {
  status: "SUCCESSFUL" | "FAILED";
  action?: string | undefined;
}

export type ExecutionStatus =
  "SUCCESSFUL" | "FAILED" | "INPROGRESS" | "ENQUEUED" | "SKIPPED" | "TERMINATED" | "INITIAL";

export interface ActionRow extends Row {
  pipelineId: number;
  type: string;
  name: string;
  trigger_time: string;
  run_only_on_first_failure: boolean;
  status: ExecutionStatus;
  /** Type-specific fields as sent, without secrets. */
  fields: Record<string, unknown>;
  /** Encrypted secret fields by name. */
  sealed: Record<string, string>;
  /** Place in the pipeline, counted from 0. */
  position: number;
}

export interface VariableRow extends Row {
  workspaceId: number;
  projectId: number | null;
  pipelineId: number | null;
  actionId: number | null;
  key: string;
  /** In clear, or null when encrypted. */
  value: string | null;
  sealed: string | null;
  ssh_key: boolean;
  settable: boolean;
  encrypted: boolean;
  description: string | null;
}

export interface ActionExecution {
  actionId: number;
  /** The action as it was when the run began, so that a read still shows it after it was deleted. */
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
  /** When the running action is done. */
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
  /** The other fields of the spec's Sandbox table, as the seed gives them. */
  fields: Record<string, unknown>;
}

/** One row of values that must outlive a restart but belong to no object. */
export interface MetaRow extends Row {
  principalTokenId: number;
  /** The workspace that the emulator reports. */
  workspaceId: number;
}
