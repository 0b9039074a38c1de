/** Variables that the actions of a pipeline see. */
import type { ObjectInFile } from "../load/objects-in-file.js";

export interface VisibleVariable {
  readonly key: string;
  readonly scope: "workspace" | "project" | "pipeline" | "action";
  /** Value as `render` shows it; null when it is set elsewhere. */
  readonly value: string | null;
  readonly encrypted: boolean;
  /** Whether actions may change it during the run. */
  readonly settable: boolean;
}

const SCOPES: Readonly<Record<string, VisibleVariable["scope"]>> = {
  Workspace: "workspace",
  Project: "project",
  Pipeline: "pipeline",
  Action: "action",
};

/** Returns the variables of an object and of everything that contains it, from the outside in. */
export function listVariablesSeenBy(object: ObjectInFile): VisibleVariable[] {
  const scope = SCOPES[object.type];
  const outer = object.parent === undefined ? [] : listVariablesSeenBy(object.parent);
  if (scope === undefined) return outer;
  const own = object.children("Variable").map(({ args, external }): VisibleVariable => {
    const isElsewhere = external || args["valueManaged"] === false;
    return {
      key: String(args["key"]),
      scope,
      value: isElsewhere ? null : String(args["value"]),
      encrypted: args["encrypted"] === true || args["sshKey"] === true,
      settable: args["settable"] === true,
    };
  });
  return [...outer, ...own];
}

/** Returns the keys that occur in several scopes: the specification does not say which one counts. */
export function listAmbiguousKeys(variables: readonly VisibleVariable[]): string[] {
  const keys = variables.map(({ key }) => key);
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))];
}
