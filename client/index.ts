export { WorkspaceAutomationClient, type ClientOptions } from "./client.js";
export { ServiceError, isServiceError, type ServiceErrorCode } from "./errors.js";
export { personalToken, type TokenProvider } from "./auth/token.js";
export {
  OAuthServer,
  type AuthorizationRequest,
  type OAuthServerOptions,
  type Tokens,
} from "./auth/oauth-server.js";
export {
  clientCredentials,
  refreshingToken,
  type ClientCredentialsOptions,
  type RenewingOptions,
  type TokenStore,
} from "./auth/renewing.js";
export { isLoopback, readAddress, type Address } from "./address.js";
export type { ConnectionOptions } from "./connect.js";
export { ASK_PER_PAGE, Listing, type PageQuery } from "./paging.js";
export type { CreateOptions } from "./create.js";
export type { CallOptions, Exchange, ProgressEvent, RetryEvent } from "./transport.js";
export type { RateLimitState, RateLimitWait } from "./rate-limit.js";
export type { RetryOptions } from "./retry.js";
export type { Fetch, Timeouts } from "./send.js";
export type { Clock } from "./clock.js";

export type { Workspace, WorkspaceSummary } from "./api/workspaces.js";
export type { User, UserUpdate } from "./api/user.js";
export type { UserKey, UserKeyCreate } from "./api/user-keys.js";
export type { UserEmail } from "./api/user-emails.js";
export type { Integration } from "./api/integrations.js";
export type { Project, ProjectCreate, ProjectQuery, ProjectUpdate } from "./api/projects.js";
export type {
  ProjectMember,
  ProjectMemberCreate,
  ProjectMemberQuery,
  ProjectMemberSummary,
} from "./api/project-members.js";
export type { Member, MemberProjectQuery, MemberQuery } from "./api/members.js";
export type { Group, GroupCreate, GroupSummary, GroupUpdate } from "./api/groups.js";
export type {
  PermissionSet,
  PermissionSetBody,
  PermissionSetSummary,
  PipelineAccessLevel,
  RepositoryAccessLevel,
} from "./api/permission-sets.js";
export type { Pipeline, PipelineCreate, PipelineQuery, PipelineUpdate } from "./api/pipelines.js";
export type {
  Action,
  ActionCreate,
  ActionQuery,
  ActionStatus,
  ActionSummary,
  ActionUpdate,
  EmbeddedAction,
  TriggerTime,
} from "./api/actions.js";
export type {
  Variable,
  VariableCreate,
  VariableScope,
  VariableSummary,
  VariableUpdate,
} from "./api/variables.js";
export type { CommitQuery } from "./api/commits.js";
export type { ContentQuery } from "./api/contents.js";
export type { ActionExecution, Execution, ExecutionCreate, ExecutionSummary } from "./api/executions.js";
export type { Sandbox } from "./api/sandboxes.js";
export type {
  GrantType,
  OAuthClient,
  OAuthClientCreate,
  OAuthClientUpdate,
  RegisteredOAuthClient,
} from "./api/oauth-clients.js";
export type {
  ExecutionStatus,
  MemberSummary,
  PipelineSummary,
  ProjectSummary,
  RefType,
  TriggerMode,
} from "./api/summaries.js";
export { maskTexts } from "./mask.js";
