/** Outside renames, in the form in which a run receives them. */

/** Known renames: `old=new`, several with commas. */
export const RENAMED_VARIABLE = "WORKSPACE_AUTOMATION_RENAMED";

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export function parseRenames(env: Readonly<Record<string, string | undefined>>): Rename[] {
  return (env[RENAMED_VARIABLE] ?? "")
    .split(",")
    .map((one) => one.split("=").map((name) => name.trim()))
    .flatMap(([from, to]) => (from && to ? [{ from, to }] : []));
}

export function serializeRenames(renames: readonly Rename[]): string {
  return renames.map(({ from, to }) => `${from}=${to}`).join(",");
}
