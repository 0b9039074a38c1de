/** Expressions of rules, in the Common Expression Language (CEL). They can read their variables, and nothing else. */
import { Environment } from "@marcbachmann/cel-js";
import { isRecord } from "../../../diff/structural-diff.js";
import type { ObjectInFile } from "../../load/objects-in-file.js";

/** Variables of an expression about a document. */
const ofDocument = {
  object: "the object that is checked, with its arguments and sections",
  parent: "the object that contains it, or null",
  project: "the project that contains it, or null",
  workspace: "the whole file, with its sections",
};

/** Compiled expression. */
type CelExpression<T, V> = (values: V) => T;
export type ExpressionValues = Readonly<Record<keyof typeof ofDocument, unknown>>;

interface Types {
  readonly bool: boolean;
  readonly string: string;
}

/**
 * Compiles an expression. Throws an error with the reason when it is not valid.
 * @param type type of its value
 */
export type Compile<V> = <T extends keyof Types>(text: string, type: T) => CelExpression<Types[T], V>;

/** @param variables the variables of the expressions, with their descriptions */
export function createCompiler<N extends string>(
  variables: Readonly<Record<N, string>>,
): Compile<Readonly<Record<N, unknown>>> {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  for (const [name, description] of Object.entries<string>(variables))
    environment.registerVariable(name, "dyn", { description });
  const explainInvalid = (message: string) => {
    const [reason = message] = message.split("\n");
    return reason.startsWith("Unknown variable")
      ? `${reason}. It can use ${Object.keys(variables).join(", ")}`
      : reason;
  };
  return (text, type) => {
    const parsed = environment.parse(text);
    const checked = parsed.check();
    if (!checked.valid) throw new Error(explainInvalid(checked.error?.message ?? "it is not valid"));
    if (checked.type !== type && checked.type !== "dyn")
      throw new Error(`its type is ${checked.type}, and must be ${type}`);
    return (values) => {
      const value: unknown = parsed({ ...values });
      if (typeof value === (type === "bool" ? "boolean" : type)) return value as Types[typeof type];
      throw new Error(`its value is ${value === null ? "null" : `a ${typeof value}`}, and must be a ${type}`);
    };
  };
}

export const compileExpression: Compile<ExpressionValues> = createCompiler(ofDocument);

const views = new WeakMap<ObjectInFile, unknown>();

export function toValues(object: ObjectInFile): ExpressionValues {
  let [workspace, project]: [ObjectInFile, ObjectInFile | undefined] = [object, undefined];
  for (let ancestor: ObjectInFile | undefined = object; ancestor !== undefined; ancestor = ancestor.parent) {
    workspace = ancestor;
    if (ancestor.type === "Project") project = ancestor;
  }
  const [parent, within] = [object.parent, project].map((one) => (one === undefined ? null : toView(one)));
  return { object: toView(object), parent, project: within, workspace: toView(workspace) };
}

/** Returns an object with its arguments, and its sections as lists of objects. */
function toView(object: ObjectInFile): unknown {
  const known = views.get(object);
  if (known !== undefined) return known;
  const sections = Object.entries(object.sections).map(([name, children]) => [name, children.map(toView)]);
  const { external, args } = object;
  const made = { external, ...Object.fromEntries(sections), ...(toWholeNumbers(args) as object) } as unknown;
  views.set(object, made);
  return made;
}

/** Converts whole numbers to the type that CEL has for them. */
export function toWholeNumbers(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toWholeNumbers);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toWholeNumbers(inner)]));
}
