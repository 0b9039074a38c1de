/** Chooses the variant of an action by its arguments, and checks that they choose one. */
import { isPlain, UNKNOWN } from "../../diff/values.js";
import { toSnakeCase } from "../definition/api-names.js";
import type { Fields } from "../definition/definition.js";
import { formatHint, type ProblemCode } from "../definition/problems.js";
import { actionTypes } from "./action-types.js";
import type { ActionVariant, ModeName } from "./fields.js";
import { OTHER } from "./other.js";

const known: readonly (readonly [string, ActionVariant])[] = Object.entries(actionTypes);
const knownTypes = [...new Set(known.map(([, { chosen }]) => chosen.type))];
const listed = knownTypes.join(", ");

/** The message where the type is missing. */
export const NO_TYPE = `is required: one of ${listed}`;

/** Does not quote the type, which may come from the environment. */
const NO_KNOWN_TYPE = `is none of ${listed}: correct it. If the service has this type, keep it, and write its further properties in a map, fields: { ... }`;

/** Arguments that distinguish the variants of one type. */
export const modes: readonly ModeName[] = [
  ...new Set(known.flatMap(([, { chosen }]) => chosen.mode?.name ?? [])),
];

/** The name of the variant that the arguments choose; undefined while they choose none. */
export function selectActionType(args: Fields): string | undefined {
  const { type, fields } = args;
  if (typeof type !== "string" || type === "" || type === UNKNOWN) return undefined;
  const ofType = listVariants(type);
  if (ofType.length === 0) return OTHER;
  // The specification does not show every mode of these types.
  if (ofType.some(([, { chosen }]) => chosen.mode) && fields !== undefined) return OTHER;
  const [only, ...others] = ofType;
  if (only && others.length === 0) return only[0];
  return ofType.find(
    ([
      ,
      {
        chosen: { mode },
      },
    ]) => mode === undefined || args[mode.name] === mode.value,
  )?.[0];
}

/** The argument that chooses among the variants of a type, and its values. */
function findMissingMode(type: string): { readonly name: ModeName; readonly values: string[] } | undefined {
  const found = listVariants(type).flatMap(([, { chosen }]) => chosen.mode ?? []);
  const [first] = found;
  return first && { name: first.name, values: found.flatMap(({ value }) => value ?? []) };
}

function listVariants(type: string): (typeof known)[number][] {
  return known.filter(([, { chosen }]) => chosen.type === type);
}

export function isNotification({ type }: { readonly type?: unknown }): boolean {
  return known.some(([, variant]) => variant.notifies === true && variant.chosen.type === type);
}

type Problem = (property: "type" | "fields" | ModeName, message: string, code: ProblemCode) => void;

/** Reports a misspelled type, and a missing or unknown mode of a type that has several variants. */
export function checkActionType(args: Fields, problem: Problem): void {
  const { type, fields } = args;
  if (typeof type !== "string") return;
  const chosen = selectActionType(args);
  if (chosen === OTHER && fields === undefined) {
    const near = formatHint(type, knownTypes);
    const message = near === "" ? NO_KNOWN_TYPE : `"${type}" is not a known type${near}`;
    problem("type", message, "not-allowed-value");
  }
  if (chosen === OTHER && isPlain(fields)) checkFields(type, fields, problem);
  const mode = type !== UNKNOWN && chosen === undefined ? findMissingMode(type) : undefined;
  if (mode === undefined || args[mode.name] === UNKNOWN) return;
  const given = args[mode.name];
  problem(
    mode.name,
    `must be one of ${mode.values.join(", ")} with type ${type}${typeof given === "string" ? formatHint(given, mode.values) : ""}`,
    given === undefined ? "required" : "not-allowed-value",
  );
}

/** Reports what a known type requires of its fields under the names of the service. */
function checkFields(type: string, fields: Fields, problem: Problem): void {
  const mode = findMissingMode(type)?.name;
  if (mode === undefined) return;
  const given = fields[toSnakeCase(mode)];
  const variants = listVariants(type).map(([, variant]) => variant);
  if (given === undefined && variants.every(({ chosen }) => chosen.mode?.value !== undefined)) {
    problem("fields", `must contain ${toSnakeCase(mode)} with type ${type}`, "required");
    return;
  }
  const variant = variants.find(({ chosen }) => chosen.mode?.value === given);
  const missing = Object.entries(variant?.args ?? {})
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => toSnakeCase(name))
    .filter((name) => name !== "type" && (fields[name] === undefined || fields[name] === null));
  if (missing.length > 0)
    problem("fields", `must contain ${missing.join(", ")} with type ${type}`, "required");
}
