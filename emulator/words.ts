/** The spec's status words ("States and transitions"). */
export const executionStatuses = [
  "SUCCESSFUL",
  "FAILED",
  "INPROGRESS",
  "ENQUEUED",
  "SKIPPED",
  "TERMINATED",
  "INITIAL",
] as const;

export const actionExecutionStatuses = [
  "SUCCESSFUL",
  "FAILED",
  "INPROGRESS",
  "ENQUEUED",
  "SKIPPED",
  "TERMINATED",
  "NOT_EXECUTED",
  "INITIAL",
] as const;

export const triggerTimes = ["ON_EVERY_EXECUTION", "ON_FAILURE", "ON_BACK_TO_SUCCESS"] as const;

/** What the agent action also accepts. */
export const agentTriggerTimes = [
  ...triggerTimes,
  "ON_WARNING",
  "ON_WAIT_FOR_APPROVE",
  "ON_TERMINATE",
] as const;
