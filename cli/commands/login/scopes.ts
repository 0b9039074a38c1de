/** Scopes that a login requests. */
import { CliError } from "../../errors.js";

/** The scopes that resources and commands use; `--scopes` can request fewer. */
export const defaultScopes = [
  "WORKSPACE",
  "PROJECT_DELETE",
  "EXECUTION_INFO",
  "EXECUTION_MANAGE",
  "EXECUTION_RUN",
  "PIPELINE_WRITE",
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
  "SANDBOX_WRITE",
] as const;

/** Parses a list that is separated by commas or spaces. */
export function parseScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  if (scopes.length > 0) return [...new Set(scopes)];
  throw new CliError("--scopes names no scope: give some such as WORKSPACE,EXECUTION_INFO, or leave it out");
}
