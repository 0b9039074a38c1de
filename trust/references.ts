/**
 * Which references to secrets (`${secret:env:NAME}`) are opened. A reference is a node from the parser to the request: a text that
 * looks like one is a text. This is the only function through which the provider reads a secret.
 */
import { TrustError } from "./errors.js";
import { chooseVariableFor, type Environment, formatMissingVariable, readVariable } from "./variables.js";

export const secretOrigins = ["env", "file", "config"] as const;

export type SecretOrigin = (typeof secretOrigins)[number];

/** Where a secret comes from: an environment variable, a file, or a value of the stack's configuration. */
export interface SecretReference {
  readonly origin: SecretOrigin;
  readonly name: string;
}

/** What decides on the references in one argument of an object. */
export interface ReferenceRules {
  /** Whether the present file itself has this reference in this argument. What a state or the engine says does not count. */
  readonly isDeclared: (reference: SecretReference) => boolean;
  /** Whether the argument identifies the object, so that it is part of addresses and is printed. */
  readonly identifies: boolean;
  readonly env: Environment;
  /** Returns a value of the stack's configuration. */
  readonly config: (key: string) => string | undefined;
  /** Reads a file. @throws {TrustError} outside the folders that the present file may read */
  readonly file: (path: string) => string | undefined;
}

/** A secret, or the reason why it is not known. */
export type OpenedReference = { readonly secret: string } | { readonly closed: string };

export function openReference(reference: SecretReference, rules: ReferenceRules): OpenedReference {
  const { describe, read, missing } = sources[reference.origin];
  const { name } = reference;
  if (rules.identifies)
    return {
      closed:
        "this property names an object or refers to one, and plans and logs show such values, so it cannot come from a secret. In the workspace file, replace its placeholder with the value itself",
    };
  if (!rules.isDeclared(reference))
    return {
      closed: `the plan or the state of this stack takes it from ${describe(name)}, but the workspace file does not, so it was not read. If another workspace file has "\${secret:${reference.origin}:${name}}" in this property, pass that file with -f. If you removed it from the file, run "workspacectl preview" again, for a new plan. If it was never there, somebody else may have changed the plan or the state: look at both before you go on`,
    };
  try {
    const secret = read(name, rules);
    return secret === undefined || secret === "" ? { closed: missing(name, rules) } : { secret };
  } catch (error) {
    if (error instanceof TrustError) return { closed: error.message };
    throw error;
  }
}

interface Source {
  readonly describe: (name: string) => string;
  readonly read: (name: string, rules: ReferenceRules) => string | undefined;
  /** Explains that there is no secret, and what to do about it. */
  readonly missing: (name: string, rules: ReferenceRules) => string;
}

const sources: Readonly<Record<SecretOrigin, Source>> = {
  env: {
    describe: (name) => `the environment variable ${chooseVariableFor(name)}`,
    read: (name, { env }) => readVariable(name, env),
    missing: (name, { env }) => formatMissingVariable(name, env),
  },
  config: {
    describe: (key) => `the key ${JSON.stringify(key)} of the stack's configuration`,
    read: (key, { config }) => config(key),
    missing: (key) =>
      `the stack's configuration ${key} is not set: "workspacectl config set --secret ${key}" asks for its value`,
  },
  file: {
    describe: (path) => `the file ${path}`,
    read: (path, { file }) => file(path),
    missing: (path) => `the file ${path} does not exist, or is empty: provide it before running the command`,
  },
};
