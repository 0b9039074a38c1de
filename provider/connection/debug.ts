/** One line per request for whoever looks for the cause of something: asked for by flag or environment. */

/** Set to 1: every request is told of on stderr, without secrets. `workspacectl --debug` sets it. */
export const DEBUG_VARIABLE = "WORKSPACE_AUTOMATION_DEBUG";

/** Writes a debug line with the name of what it is about, if the environment asks for such lines. */
export function debugWriter(
  env: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): ((line: string) => void) | undefined {
  const value = env[DEBUG_VARIABLE];
  if (!value || value === "0" || value === "false") return undefined;
  return (line) => write(`debug: ${line}`);
}
