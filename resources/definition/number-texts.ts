/**
 * Whole numbers where an argument is text: outputs of other resources, such as `groupId`. A preview does not know them, so a refusal would
 * come in the middle of an update. In a workspace file, a number in place of text is an error already, because `010` would become 8.
 */
import { type Definition, type Fields, getArgsSchema } from "./definition.js";

/** Writes such numbers as text, also in lists and nested objects. */
export function writeNumbersAsText(definition: Definition, args: Fields): Fields {
  const result = getArgsSchema(definition, args).safeParse(args, { reportInput: true });
  const paths = (result.error?.issues ?? [])
    .filter((one) => one.code === "invalid_type" && one.expected === "string")
    .filter(({ input }) => Number.isSafeInteger(input))
    .map(({ path }) => path);
  return paths.reduce<unknown>((value, path) => withText(value, path), args) as Fields;
}

function withText(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined) return String(value);
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const inner = (copy as Record<PropertyKey, unknown>)[step];
  return Object.assign(copy, { [step]: withText(inner, rest) });
}
