/** Which arguments the file of a program contains in plaintext although the engine encrypts them, because a text in them contains a secret. */
import { isSecret } from "../../../diff/values.js";

type Inputs = Readonly<Record<string, unknown>>;

/** Input: the names of these arguments. No type has such an argument, and Pulumi does not show it. */
export const IN_PLAINTEXT = "__inPlaintext";

/** The names of arguments that the file contains in plaintext. */
export function listInPlaintext({ [IN_PLAINTEXT]: names, ...inputs }: Inputs): string[] {
  const given = isSecret(names) ? [] : names;
  if (!Array.isArray(given)) return [];
  return given.filter((name): name is string => typeof name === "string" && Object.hasOwn(inputs, name));
}

/**
 * Returns the names that still apply to checked inputs. A value that the engine has put back (`ignoreChanges`) is not the file's: it stays
 * what it was in the state.
 */
export function settleInPlaintext(olds: Inputs, news: Inputs, isSame: (name: string) => boolean): string[] {
  const before = new Set(listInPlaintext(olds));
  return listInPlaintext(news).filter((name) => before.has(name) || !isSame(name));
}
