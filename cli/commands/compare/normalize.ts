/** Normalizes arguments for the comparison: omits defaults, and marks sensitive values. */
import type { z } from "zod";
import { sameValue, UNKNOWN } from "../../../diff/values.js";
import { argsSchema, comparableArgs, maskArgs, type Fields } from "../../../provider/index.js";
import { ReferenceValue, SensitiveValue, UnknownValue, type Kind } from "./object.js";

/**
 * @param key key of the object
 * @param secrets arguments that are secret beyond their definition
 */
export function normalized(kind: Kind, key: string, args: Fields, secrets: readonly string[] = []): Fields {
  const shape = argsSchema(kind, args).shape as Readonly<Record<string, z.ZodType>>;
  const { keyedBy } = kind.document;
  const shown = maskArgs(kind, { ...args, [keyedBy]: key }, sensitive, secrets);
  const names = comparableArgs(kind, args);
  const elsewhere = filledInElsewhere(kind, args, names);
  const filled = kind.serverDefaults?.(args) ?? {};
  const entries = names
    .filter((name) => name !== keyedBy)
    .filter((name) => !isUsual(shape[name], args[name]) || filled[name] === UNKNOWN)
    .filter((name) => filled[name] === undefined || !sameValue(args[name], filled[name]))
    .map((name) => {
      if (filled[name] === UNKNOWN && args[name] == null)
        return [name, new UnknownValue("it is not said, and the service fills it in", "unsaid")];
      if (elsewhere.includes(name)) return [name, new UnknownValue("it is filled in elsewhere", "there")];
      return [name, shown[name]];
    });
  return Object.fromEntries(entries) as Fields;
}

/** Arguments whose values are managed elsewhere, according to the object's own settings. */
function filledInElsewhere(kind: Kind, args: Fields, names: readonly string[]): string[] {
  const own = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
  const anyway = kind.writeOnly(own);
  return kind.writeOnly(args).filter((name) => !anyway.includes(name));
}

/** Whether a value is empty or the service's default. */
function isUsual(schema: z.ZodType | undefined, value: unknown): boolean {
  const meta = schema?.meta() ?? {};
  return sameValue(value, null) || (Object.hasOwn(meta, "default") && sameValue(meta["default"], value));
}

function sensitive(value: unknown): unknown {
  if (value instanceof UnknownValue) return new UnknownValue(value.reason, value.presence, true);
  return value instanceof ReferenceValue ? value : new SensitiveValue(value);
}
