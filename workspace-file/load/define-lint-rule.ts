/** `defineLintRule`: a lint rule of one's own in TypeScript. */

/** Object of a composed workspace file. A value that a placeholder brings and that is secret is the placeholder. */
export interface LintedObject {
  /** Resource type, such as `Pipeline`. The file itself is a `Workspace`. */
  readonly type: string;
  /** Logical name, such as `projects/web/pipelines/deploy`. Empty for the workspace. */
  readonly name: string;
  /** Whether the object is managed elsewhere, so that its arguments are unknown. */
  readonly external: boolean;
  /** All arguments of the type. One that the file omits has its default, `[]` (a list) or `null`. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly parent: LintedObject | undefined;
  /** Returns the objects of a type directly below this one, in order. */
  children(type: string): readonly LintedObject[];
}

/** What a rule finds in an object. */
export interface LintRuleFinding {
  readonly message: string;
  /** Path in the arguments, such as `["executeCommands", 2]`. Default: the object as a whole. */
  readonly path?: readonly (string | number)[];
  /** Whether the value there is a secret, so that messages do not quote it. */
  readonly secret?: boolean;
}

/** Lint rule in a module of the folder that `workspacectl lint --rules` names. */
export interface LintRuleDeclaration {
  /** Code with a prefix of your own, such as `acme/pinned-images`. Files name it to ignore a finding. */
  readonly code: string;
  /** How the finding is reported. Only errors fail `lint`. Default: warning. */
  readonly severity?: "error" | "warning" | "info";
  /** What the rule finds, in one sentence. */
  readonly description: string;
  /** What to do about a finding. */
  readonly remedy: string;
  /** Resource type of the objects that are checked. Default: Workspace, the file as a whole. */
  readonly type?: string;
  /** Finds what is wrong with an object. Runs synchronously. */
  readonly check: (object: LintedObject) => Iterable<LintRuleFinding>;
}

/**
 * Declares a lint rule in a module, with its types checked by the compiler.
 *
 * ```ts
 * import { defineLintRule } from "pulumi-workspace-automation";
 *
 * export default defineLintRule({
 *   code: "acme/described-groups",
 *   description: "A group has no description.",
 *   remedy: "Set `description`.",
 *   type: "Group",
 *   check: ({ args }) => (args["description"] === null ? [{ message: "say what the group is for" }] : []),
 * });
 * ```
 *
 * `workspacectl lint --rules FOLDER` runs the module. Its default export is a rule, or a list of rules.
 * @returns the rule itself
 */
export function defineLintRule(rule: LintRuleDeclaration): LintRuleDeclaration {
  return rule;
}
