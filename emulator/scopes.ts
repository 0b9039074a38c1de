/** The scopes of the spec ("Authentication" 5). */
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
