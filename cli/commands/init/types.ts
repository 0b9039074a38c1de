/** What goes into a first workspace file, and where it comes from. */

/** What becomes of projects that exist in the workspace already. */
export const existingStrategies = ["external", "adopt"] as const;
export type ExistingStrategy = (typeof existingStrategies)[number];

/** The state in a folder beside the workspace file, which nobody else has. */
export const LOCAL = "local";

export interface Flags {
  readonly connection?: string;
  readonly workspace?: string;
  readonly project?: readonly string[];
  readonly member?: readonly string[];
  readonly admin?: readonly string[];
  readonly existing?: ExistingStrategy;
  readonly pulumi?: boolean;
  /** Where the state is to live: an address, or LOCAL. */
  readonly backend?: string;
  readonly yes?: boolean;
}

export interface ExistingProject {
  readonly name: string;
  readonly displayName: string | undefined;
  readonly strategy: ExistingStrategy;
}

export interface InitAnswers {
  readonly workspace: string | undefined;
  readonly connection: string | undefined;
  /** There are an address and a token for the connection, from a login or from the environment. */
  readonly known: boolean;
  readonly projects: readonly string[];
  readonly existing: readonly ExistingProject[];
  readonly members: readonly string[];
  /** Those of the members who administer the workspace. */
  readonly admins: readonly string[];
  readonly pulumi: boolean;
  /** Address of the state; undefined for the folder beside the file. */
  readonly backend: string | undefined;
}
