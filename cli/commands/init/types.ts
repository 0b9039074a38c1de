/** Options and answers of `init`. */

/** How existing projects are declared. */
export const existingStrategies = ["external", "adopt"] as const;
export type ExistingStrategy = (typeof existingStrategies)[number];

/** The state is in a local folder next to the workspace file. */
export const LOCAL = "local";

export interface ExistingProject {
  readonly name: string;
  readonly displayName: string | undefined;
  readonly strategy: ExistingStrategy;
}

export interface InitAnswers {
  readonly workspace: string | undefined;
  readonly connection: string | undefined;
  /** The connection has an address and a token, from a login or the environment. */
  readonly known: boolean;
  readonly projects: readonly string[];
  readonly existing: readonly ExistingProject[];
  readonly members: readonly string[];
  /** The members who are administrators. */
  readonly admins: readonly string[];
  readonly pulumi: boolean;
  /** Address of the state; undefined for the local folder. */
  readonly backend: string | undefined;
}

/** Whether a text is an address for `pulumi login`, with its scheme. */
export function isBackend(text: string): boolean {
  return text === LOCAL || /^[a-z][a-z0-9+.-]*:\/\/\S+$/.test(text);
}
