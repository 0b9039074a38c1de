/**
 * Decides which values are secret, and masks them, for state, plans, reports, exports and messages. An argument is secret as a
 * whole when its definition says so, or when any part of it looks like a secret.
 */
import { MASK } from "../../../client/mask.js";
import { hasSecret, HIDDEN, isPlain } from "../../../diff/values.js";
import type { Definition, Fields } from "../definition.js";
import { isSensitive } from "./secret-names.js";
import { containsSecret, findNamedSecret, findSecrets, type SecretPart } from "./secret-values.js";

export { MASK };

/** Names of the secret arguments and outputs: those that the definition names, and those that look like secrets. */
export function listSecretNames(definition: Definition, args: Fields): string[] {
  const looking = Object.keys(args).filter((name) => looksSecret(args[name]));
  const names = new Set([...definition.secret(args), ...listNamedSecrets(definition, args), ...looking]);
  // The form in which the service showed a secret value may contain all of it.
  const observed = (args["observed"] ?? {}) as Fields;
  if ([...names].some((name) => typeof observed[name] === "object" && observed[name] !== null))
    names.add("observed");
  return [...names];
}

/** The value of an object that is named like a secret, such as a variable API_TOKEN. */
function listNamedSecrets({ document }: Definition, args: Fields): string[] {
  const { scalar, keyedBy } = document ?? {};
  if (scalar === undefined || keyedBy === undefined || !isSensitive(args[keyedBy])) return [];
  return isContent(args[scalar]) ? [scalar] : [];
}

/** The arguments that are secret whatever is in them. */
export function listClosedNames(definition: Definition, args: Fields): string[] {
  const named = definition.secret(args).filter((name) => !definition.undocumented.includes(name));
  return [...named, ...listNamedSecrets(definition, args)];
}

/** The arguments that are secret only because of a text in them, or because nobody knows what may be in them. */
export function listPartlySecretNames(definition: Definition, args: Fields): string[] {
  const closed = new Set(listClosedNames(definition, args));
  return listSecretNames(definition, args).filter((name) => Object.hasOwn(args, name) && !closed.has(name));
}

/**
 * Masks each secret argument as a whole.
 * @param mask returns the replacement of a value
 * @param more arguments that are secret for another reason, such as the stack's configuration
 */
export function maskArgs(
  definition: Definition,
  args: Fields,
  mask: (value: unknown, name: string) => unknown = () => HIDDEN,
  more: readonly string[] = [],
): Fields {
  const secret = new Set([...listSecretNames(definition, args), ...more]);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      secret.has(name) && value !== undefined && value !== null ? mask(value, name) : value,
    ]),
  );
}

/** Whether the value, at any depth, contains something that looks like a secret or is marked as one. */
export function looksSecret(value: unknown): boolean {
  if (typeof value === "string") return containsSecret(value);
  return hasSecret(value) || listSecretsIn(value).length > 0;
}

/**
 * Replaces each text or number in a value that is secret or contains a secret.
 * @param replace gets the secret parts of a text, and the path that leads to it
 * @param alsoSecret whether a text is secret for another reason, as a whole
 */
export function mapSecretParts(
  value: unknown,
  replace: (
    secret: string | number,
    parts: readonly SecretPart[],
    path: readonly (string | number)[],
  ) => unknown,
  alsoSecret: (text: string) => boolean = () => false,
): unknown {
  const visit = (part: unknown, name: string | undefined, path: readonly (string | number)[]): unknown => {
    if (typeof part === "number" && name !== undefined) return replace(part, [], path);
    if (typeof part === "string") {
      const found = name === undefined ? findSecrets(part) : findNamedSecret(name, part);
      const whole = [{ start: 0, length: part.length, rule: "random letters and digits" }];
      const parts = found.length === 0 && part !== "" && alsoSecret(part) ? whole : found;
      return parts.length === 0 ? part : replace(part, parts, path);
    }
    if (Array.isArray(part)) return part.map((item: unknown, index) => visit(item, name, [...path, index]));
    if (!isPlain(part)) return part;
    const says = findNameThatSays(part);
    return Object.fromEntries(
      Object.entries(part).map(([inner, of]) => {
        const own = inner === "value" && says !== undefined ? says : isSensitive(inner) ? inner : undefined;
        return [inner, visit(of, own ?? (labels.includes(inner) ? undefined : name), [...path, inner])];
      }),
    );
  };
  return visit(value, undefined, []);
}

/** Replaces each text or number in a value that is secret or contains a secret, as a whole. `path` leads to it. */
export function mapSecrets(
  value: unknown,
  replace: (secret: string | number, path: readonly (string | number)[]) => unknown,
  alsoSecret?: (text: string) => boolean,
): unknown {
  return mapSecretParts(value, (secret, _parts, path) => replace(secret, path), alsoSecret);
}

/** Keys that describe a secret instead of containing it, below a name such as `credentials`. */
const labels = ["name", "key", "type"];

/** The texts and numbers in a value that look like a secret, or are below a name that says so. */
export function listSecretsIn(value: unknown): (string | number)[] {
  const secrets: (string | number)[] = [];
  mapSecrets(value, (secret) => secrets.push(secret));
  return secrets;
}

/** The secret parts of the texts in a value. */
export function listSecretPartsIn(value: unknown): string[] {
  const secrets: string[] = [];
  mapSecretParts(value, (secret, parts) => {
    for (const { start, length } of parts) secrets.push(String(secret).slice(start, start + length));
  });
  return secrets;
}

/** Every text in the secret arguments. An error of the service may repeat them. */
export function listSecretTexts(definition: Definition, args: Fields): string[] {
  return listSecretNames(definition, args).flatMap((name) => listTextsIn(args[name]));
}

/** Every text in a value, at any depth. */
export function listTextsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTextsIn) : [];
}

/** The name in { name, value } or { key, value }, as in headers and variables, if the value is secret. */
function findNameThatSays({ name, key, encrypted }: Readonly<Record<string, unknown>>): string | undefined {
  const named = [name, key].find(isSensitive);
  if (typeof named === "string") return named;
  return encrypted === true ? "an encrypted variable" : undefined;
}

/** Whether there is anything to hide. A boolean or an empty value is not a secret. */
function isContent(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || typeof value === "boolean") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
