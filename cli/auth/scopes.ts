/** Scopes to ask for at a login. */
import { CliError } from "../errors.js";

/** What the resources and commands of this project use (docs/connections.md says which needs which). */
export const defaultScopes = [
  "WORKSPACE",
  "PROJECT_DELETE",
  "EXECUTION_INFO",
  "EXECUTION_MANAGE",
  "EXECUTION_RUN",
  "PIPELINE_WRITE",
  "REPOSITORY_READ",
  "VARIABLE_INFO",
  "VARIABLE_ADD",
  "VARIABLE_MANAGE",
  "USER_INFO",
  "INTEGRATION_INFO",
  "SANDBOX_WRITE",
] as const;

/** A list as one types it: separated by commas or blanks. */
export function parseScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  if (scopes.length > 0) return [...new Set(scopes)];
  throw new CliError("--scopes names no scope: give some such as WORKSPACE,EXECUTION_INFO, or leave it out");
}
