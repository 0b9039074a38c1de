/** Scopes of access tokens (spec, "Authentication" 5). */
export const scopes = [
  "WORKSPACE",
  "PROJECT_DELETE",
  "EXECUTION_INFO",
  "EXECUTION_MANAGE",
  "EXECUTION_RUN",
  "REPOSITORY_READ",
  "REPOSITORY_WRITE",
  "VARIABLE_INFO",
  "VARIABLE_ADD",
  "VARIABLE_MANAGE",
  "USER_INFO",
  "USER_KEY",
  "USER_EMAIL",
  "MANAGE_EMAILS",
  "INTEGRATION_INFO",
  "PIPELINE_WRITE",
  "SANDBOX_WRITE",
] as const;

export type Scope = (typeof scopes)[number];

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

/** Grants of the OAuth token endpoint (spec, "OAuth client registration record"). */
export const grantTypes = ["authorization_code", "refresh_token", "client_credentials"] as const;

/** Statuses of executions and pipelines (spec, "States and transitions"). */
export const executionStatuses = [
  "SUCCESSFUL",
  "FAILED",
  "INPROGRESS",
  "ENQUEUED",
  "SKIPPED",
  "TERMINATED",
  "INITIAL",
] as const;

/** Statuses of one action within an execution. */
export const actionExecutionStatuses = [...executionStatuses, "NOT_EXECUTED"] as const;

export const triggerModes = ["MANUAL", "SCHEDULED", "ON_EVERY_PUSH"] as const;
export const refTypes = ["BRANCH", "TAG", "WILDCARD", "PULL_REQUEST", "NONE"] as const;
// Access levels, from the lowest to the highest.
export const repositoryLevels = ["DENIED", "READ_ONLY", "READ_WRITE"] as const;
export const pipelineLevels = ["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"] as const;
export const projectStatuses = ["ACTIVE", "CLOSED"] as const;

/** Trigger times that every action type accepts. */
export const triggerTimes = ["ON_EVERY_EXECUTION", "ON_FAILURE", "ON_BACK_TO_SUCCESS"] as const;

/** Trigger times of the AGENT action and of action types that the spec does not describe. */
export const agentTriggerTimes = [
  ...triggerTimes,
  "ON_WARNING",
  "ON_WAIT_FOR_APPROVE",
  "ON_TERMINATE",
] as const;
