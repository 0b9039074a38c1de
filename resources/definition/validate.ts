/** Validates arguments against a definition, before any request. Unknown values are valid. */
import { hasUnknown, UNKNOWN } from "../../diff/values.js";
import { type Definition, type Fields, getArgsSchema, getVariant } from "./definition.js";
import { addArticle, formatPath, listKeysAt, listProblems, type Problem, REMOVE_IT } from "./problems.js";

/**
 * All problems of the arguments, each with the path of the property.
 * @param otherKeys keys that are allowed in addition to the arguments, for "did you mean"
 */
export function validateArgs(
  definition: Definition,
  args: Fields,
  otherKeys: readonly string[] = [],
): Problem[] {
  const problems: Problem[] = [];
  const { variants } = definition;
  const schema = getArgsSchema(definition, args);
  const undecided = variants !== undefined && getVariant(definition, args) === undefined;
  const parsed = schema.safeParse(args, { reportInput: true });
  if (!parsed.success) {
    const known = listProblems(parsed.error, (path) =>
      path.length === 0 ? [...Object.keys(schema.shape), ...otherKeys] : listKeysAt(schema, path),
    );
    // Without a known variant, nothing is known about the arguments of variants.
    problems.push(
      ...known
        .filter((p) => !isUnknownAt(args, p) && !(undecided && p.atKey))
        .map((p) => (p.atKey && p.path.length === 1 ? withVariant(definition, p) : p)),
    );
  }
  for (const path of listPathsOfHalves(args)) {
    if (!problems.some((p) => p.path[0] === path[0]))
      problems.push({ path, code: "wrong-type", message: HALF });
  }
  definition.rules(args, (property, message, code) => {
    if (!problems.some((p) => p.path[0] === property)) problems.push({ path: [property], code, message });
  });
  for (const problem of listUnplaced(definition, args))
    if (!problems.some((p) => p.path[0] === problem.path[0])) problems.push(problem);
  // After a mistake in the choice of the variant, problems of its arguments mean nothing.
  const misled = variants !== undefined && problems.some((p) => p.path[0] === variants.chosenBy);
  if (misled) return problems.filter((p) => p.path[0] === variants.chosenBy || isCommon(definition, p));
  if (undecided && args[variants.chosenBy] !== UNKNOWN && problems.length === 0) {
    const kinds = Object.keys(variants.of).join(", ");
    const path = [variants.chosenBy];
    problems.push({ path, code: "not-allowed-value", message: `must choose one of ${kinds}` });
  }
  return problems;
}

/** The arguments that are missing next to references, without which no request can be sent for them. */
function listUnplaced({ references }: Definition, args: Fields): Problem[] {
  return Object.entries(references).flatMap(([arg, { to, within }]) => {
    const value = args[arg];
    const isNamed = typeof value === "string" && value !== UNKNOWN && !OBJECT_ID.test(value);
    const isPlain = isNamed || (within?.next === "always" && typeof value === "number");
    const missing = isPlain
      ? (within?.args.filter((name) => (args[name] ?? undefined) === undefined) ?? [])
      : [];
    const how = isNamed
      ? `the name of ${addArticle(to)}, which others may have, too`
      : `the number of ${addArticle(to)}, whose path contains it`;
    const message = `is required next to ${arg}: that is ${how}`;
    return missing.map((name) => ({ path: [name], code: "required" as const, message }));
  });
}

/** The id of an object in a pipeline or project, as other languages refer to it. The provider replaces it where it knows the workspace. */
const OBJECT_ID = /^[^/]+(\/[^/]+)*\/[1-9]\d*$/;

/** Neither Pulumi's engine nor a file can store a lone surrogate. */
const HALF = "contains half of a character (a lone surrogate, such as \\uD800): write the whole character";

/** Whether a text contains one half of a surrogate pair. */
export function holdsHalf(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

function listPathsOfHalves(value: unknown): (readonly (string | number)[])[] {
  if (typeof value === "string") return holdsHalf(value) ? [[]] : [];
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = isList ? Number(key) : key;
    const below = holdsHalf(key) ? [[]] : listPathsOfHalves(inner);
    return below.map((path) => [step, ...path]);
  });
}

function isCommon({ args }: Definition, { path, atKey }: Problem): boolean {
  return !atKey && Object.hasOwn(args.shape, String(path[0]));
}

/** Adds the names of the variants that have the argument. */
function withVariant({ variants }: Definition, problem: Problem): Problem {
  const arg = String(problem.path[0]);
  const having = Object.entries(variants?.of ?? {}).filter(([, { args }]) => Object.hasOwn(args, arg));
  if (having.length === 0 || problem.message.includes("Did you mean")) return problem;
  const [names, more] = [having.slice(0, 4).map(([name]) => name), having.length > 4 ? ", ..." : ""];
  const modes = (variants?.modes ?? []).filter((mode) =>
    having.some(([name, { args }]) => name.includes(" (") && Object.hasOwn(args, mode)),
  );
  const choice = [variants?.chosenBy ?? "", ...modes].join(", ");
  return {
    ...problem,
    message: `${problem.message.replace(REMOVE_IT, "")} here: it is a property of ${names.join(", ")}${more}. Remove it, or choose one of these with ${choice}`,
  };
}

/** The problem in one line: `triggerMode: must be one of ...`. */
export function formatProblemLine(problem: Problem): string {
  return problem.path.length === 0 ? problem.message : `${formatPath(problem.path)}: ${problem.message}`;
}

/** Whether the value at the path, or one above it, is unknown. A list with an unknown item is validated item by item. */
function isUnknownAt(args: Fields, { path, atKey = false }: Problem): boolean {
  let value: unknown = args;
  for (const step of path) {
    if (value === UNKNOWN) return true;
    if (typeof value !== "object" || value === null) return false;
    value = (value as Record<string | number, unknown>)[step];
  }
  // A key without a meaning has none for any value.
  return !atKey && hasUnknown(value);
}
