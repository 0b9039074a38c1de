/** One debug line per request, enabled by flag or environment. */

/** Set to 1: every request is logged on stderr, without secrets. `workspacectl --debug` sets it. */
export const DEBUG_VARIABLE = "WORKSPACE_AUTOMATION_DEBUG";

const START = "debug: ";

/** Whether a message of the provider is a line for its log. */
export function isDebugLine(text: string): boolean {
  return text.startsWith(START);
}

/** Writes debug lines, if the environment asks for them. */
export function debugWriter(
  env: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): ((line: string) => void) | undefined {
  const value = env[DEBUG_VARIABLE];
  if (!value || value === "0" || value === "false") return undefined;
  return (line) => write(`${START}${line}`);
}
