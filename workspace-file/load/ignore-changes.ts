/** Checks `ignoreChanges` of an entry: each path has to name a property of its type. */
import { z } from "zod";
import { EVERY, parsePropertyPath } from "../../diff/property-path.js";
import { formatPath } from "../../diff/structural-diff.js";
import { listKindsUnder } from "../../resources/definition/placement.js";
import { addArticle, formatHint, type Problem } from "../../resources/definition/problems.js";
import { definitions, type Fields, getArgsShape, listComparableArgs } from "../../resources/index.js";
import type { Entry } from "./entries.js";

/** Reports the paths that name nothing, and so would ignore nothing. */
export function findIgnoredNothing(
  { definition, path, ignoreChanges, exclusiveSections }: Entry,
  args: Fields,
): Problem[] {
  const shape = getArgsShape(definition, args);
  const known = listComparableArgs(definition, args);
  const sections = listKindsUnder(definitions, definition.type).map(({ document }) => document.section);
  return ignoreChanges.flatMap((text, index) => {
    const report = (message: string): Problem => ({
      path: [...path, "ignoreChanges", index],
      code: "unknown-name",
      message,
    });
    const [arg, ...rest] = parsePropertyPath(text) ?? [];
    if (typeof arg !== "string")
      return report(
        `"${text}" is not the path of a property: write one such as description or variables.TIER`,
      );
    if (!known.includes(arg)) {
      const own = Object.hasOwn(exclusiveSections, arg)
        ? `: omit exclusive instead, and ${arg} are only added`
        : sections.includes(arg)
          ? `: ${arg} are entries of their own, so write ignoreChanges there`
          : formatHint(arg, known) || `: they are ${known.join(", ")}`;
      return report(
        `${addArticle(definition.noun)} has no property "${arg}" whose changes could be ignored${own}`,
      );
    }
    const schema = shape[arg];
    const wrong = schema === undefined ? undefined : findMissingPart(schema, rest, [arg]);
    return wrong === undefined ? [] : report(wrong);
  });
}

type Step = string | number;

/** Returns why a schema has no such part; undefined when it has, or may have. */
function findMissingPart(
  given: z.ZodType,
  [step, ...rest]: readonly Step[],
  at: readonly Step[],
): string | undefined {
  const schema = unwrapSchema(given);
  if (step === undefined) return undefined;
  const next = [...at, step];
  if (schema instanceof z.ZodUnion) {
    const found = (schema.options as z.ZodType[]).map((option) =>
      findMissingPart(option, [step, ...rest], at),
    );
    return found.includes(undefined) ? undefined : found[0];
  }
  // The engine matches items by position, so a list of another length would become a mixture of both.
  if (schema instanceof z.ZodArray && step === EVERY && rest.length === 0)
    return `${formatPath(at)}[*] would mix lists of different lengths: write ${formatPath(at)}`;
  if (schema instanceof z.ZodArray)
    return typeof step === "number" || step === EVERY
      ? findMissingPart(schema.element as z.ZodType, rest, next)
      : `${formatPath(at)} is a list: write ${formatPath([...at, 0, step])} or ${formatPath(at)}[*].${step}`;
  if (schema instanceof z.ZodRecord)
    return typeof step === "string" ? findMissingPart(schema.valueType as z.ZodType, rest, next) : isMap(at);
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    if (step === "*") return undefined;
    if (typeof step === "number") return isMap(at);
    const part = shape[step];
    const names = Object.keys(shape);
    return part === undefined
      ? `${formatPath(at)} has no property "${step}"${formatHint(step, names) || `: they are ${names.join(", ")}`}`
      : findMissingPart(part, rest, next);
  }
  const isOpen = schema instanceof z.ZodUnknown || schema instanceof z.ZodAny;
  return isOpen ? undefined : `${formatPath(at)} has no parts: write only ${formatPath(at)}`;
}

const isMap = (at: readonly Step[]) => `${formatPath(at)} is a map: write a key, or ${formatPath(at)}.*`;

function unwrapSchema(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? unwrapSchema(schema.unwrap() as z.ZodType) : schema;
}
