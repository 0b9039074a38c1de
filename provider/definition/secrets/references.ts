/**
 * References to secrets. In an argument that `SECRET_REFERENCES` names, each text is a template: `${secret:env:NAME}` represents a
 * secret, and `$${` a literal `${`. The provider reads the secret when it sends the argument, so that no state contains it.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { mapDeep } from "../../../diff/values.js";
import { readVariable, variableFor, type Environment } from "../../../trust/variables.js";
import type { Fields } from "../definition.js";

/** Input and output: the names of the arguments that are templates. Pulumi does not show names that begin with two underscores. */
export const SECRET_REFERENCES = "__secretReferences";

/** Where secrets come from. Each function returns undefined for a secret that is not set or empty. */
export interface SecretSources {
  readonly env: Environment;
  /** Returns a value of the stack's configuration by key. A key without a namespace belongs to the project. */
  readonly config: (key: string) => string | undefined;
}

export interface ResolvedReferences {
  readonly value: unknown;
  /** The secrets in the value. */
  readonly secrets: readonly string[];
  /** What is not set: `the environment variable NAME`. */
  readonly missing: readonly string[];
}

const TEMPLATE = /\$\$\{|\$\{secret:(env|file|config):([^}]*)\}/g;

/** Replaces the references in the texts of a value. A reference to a missing secret stays. */
export function resolveSecretReferences(value: unknown, sources: SecretSources): ResolvedReferences {
  const secrets: string[] = [];
  const missing: string[] = [];
  const resolved = mapDeep(value, (leaf) =>
    typeof leaf !== "string"
      ? leaf
      : leaf.replace(TEMPLATE, (whole, kind: SecretOrigin | undefined, from: string) => {
          if (kind === undefined) return "${";
          const secret = readers[kind](from, sources);
          if (secret === undefined || secret === "") {
            missing.push(descriptions[kind](from));
            return whole;
          }
          secrets.push(secret);
          return secret;
        }),
  );
  return { value: resolved, secrets, missing };
}

/** The reference to a secret, as part of a template. */
export function secretReference(kind: SecretOrigin, from: string): string {
  return `\${secret:${kind}:${from}}`;
}

/** A text as part of a template. */
export function escapeReferences(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** The names of the arguments that are templates. */
export function referencingArgs(props: Fields): readonly string[] {
  const names = props[SECRET_REFERENCES];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

export type SecretOrigin = "env" | "file" | "config";

const readers: Readonly<Record<SecretOrigin, (from: string, sources: SecretSources) => string | undefined>> =
  {
    env: (name, { env }) => readVariable(name, env),
    config: (key, { config }) => config(key),
    file: (path) => textOf(resolve(path)),
  };

const descriptions: Readonly<Record<SecretOrigin, (from: string) => string>> = {
  env: (name) => `the environment variable ${variableFor(name)}`,
  config: (key) => `the configuration value ${key}`,
  file: (path) => `the file ${path}`,
};

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
