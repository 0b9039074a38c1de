/** Renames of projects, in the form in which a run receives them. */

/** Known renames that were made outside: `old=new`, several with commas. */
export const RENAMED_VARIABLE = "WORKSPACE_AUTOMATION_RENAMED";

/** Former names that objects in the state still have, because an earlier run renamed their project and failed before it reached them. */
export const FORMER_NAMES_VARIABLE = "WORKSPACE_AUTOMATION_FORMER_NAMES";

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export function parseRenames(
  env: Readonly<Record<string, string | undefined>>,
  variable: string = RENAMED_VARIABLE,
): Rename[] {
  return (env[variable] ?? "")
    .split(",")
    .map((one) => one.split("=").map((name) => name.trim()))
    .flatMap(([from, to]) => (from && to ? [{ from, to }] : []));
}

export function serializeRenames(renames: readonly Rename[]): string {
  return renames.map(({ from, to }) => `${from}=${to}`).join(",");
}
