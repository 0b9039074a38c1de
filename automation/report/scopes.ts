/** The scopes of a token that reads require. The first match counts. */
const readScopes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\/variables\b/, ["WORKSPACE", "VARIABLE_INFO"]],
  [/\/projects\/[^/\s]+\/repository\b/, ["WORKSPACE", "REPOSITORY_READ"]],
  [/\/projects\/[^/\s]+\/pipelines\b/, ["WORKSPACE", "EXECUTION_INFO"]],
  [/\/user\/integrations\b/, ["INTEGRATION_INFO"]],
  [/\/user\/keys\b/, ["USER_KEY"]],
  [/\/user\/emails\b/, ["USER_EMAIL"]],
  [/\/user\b/, ["USER_INFO"]],
  [/\/workspaces\b/, ["WORKSPACE"]],
];

/** Returns the scopes that a denied read requires; none when it failed for another reason. */
export function findScopesFor(message: string): { scopes?: string[] } {
  const path = /\bGET (\/\S+): 403\b/.exec(message)?.[1];
  const found = readScopes.find(([pattern]) => path !== undefined && pattern.test(path));
  return found === undefined ? {} : { scopes: [...found[1]] };
}

/** Names the scopes that a denied read requires. Empty if there are none, or if the reason already names them. */
export function formatScopesText({
  reason,
  scopes = [],
}: {
  readonly reason: string;
  readonly scopes?: readonly string[] | undefined;
}): string {
  const names = scopes.join(" and ");
  return names === "" || reason.includes(names) ? "" : ` (needs ${names})`;
}
