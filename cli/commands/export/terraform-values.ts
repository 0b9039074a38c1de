/** Finds values that a service does not return in the output of `terraform show -json`. */
import { z } from "zod";
import { LogicalName } from "../../../provider/definition/logical-name.js";
import { readJsonFile } from "../../config-files/json-file.js";
import type { Needed } from "./placeholders.js";

/** The parts of Terraform's JSON output that are read here. */
const resource = z.looseObject({
  mode: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
});
const moduleShape: z.ZodType<StateModule> = z.lazy(() =>
  z.looseObject({
    resources: z.array(resource).optional(),
    child_modules: z.array(moduleShape).optional(),
  }),
);
const stateShape = z.looseObject({
  format_version: z.string(),
  values: z.looseObject({ root_module: moduleShape }).optional(),
});

interface StateModule {
  readonly resources?: readonly z.infer<typeof resource>[] | undefined;
  readonly child_modules?: readonly StateModule[] | undefined;
}
type Attributes = Readonly<Record<string, unknown>>;

export interface TerraformValues {
  /** Returns the value, unless several resources have different ones. */
  readonly find: (needed: Pick<Needed, "name" | "arg">) => string | undefined;
}

/** @throws {CliError} when the file is something else */
export function renderTerraformValues(file: string): TerraformValues {
  const state = readJsonFile(stateShape, file, {
    what: "the output of `terraform show -json`",
    remedy: `Make it with: terraform show -json > ${file}`,
  });
  const managed = listResourcesIn(state.values?.root_module);
  return {
    find({ name, arg }) {
      const fitting = managed.filter((attributes) => describes(attributes, name));
      const values = new Set(
        fitting.flatMap((attributes) => convertValue(attributes[convertToSnakeCase(arg)])),
      );
      return values.size === 1 ? [...values][0] : undefined;
    },
  };
}

function listResourcesIn(part: StateModule | undefined): Attributes[] {
  if (part === undefined) return [];
  const own = (part.resources ?? []).filter(({ mode }) => mode === undefined || mode === "managed");
  return [
    ...own.map(({ values }) => values ?? {}),
    ...(part.child_modules ?? []).flatMap((child) => listResourcesIn(child)),
  ];
}

/** Attributes that name an object itself, in the providers of such services. */
const NAMES = ["key", "name"];

/**
 * Reports whether a resource can be the object of a logical name. An attribute that names its project, pipeline or action must say the
 * same as the logical name; one that is an id, or missing, does not tell.
 */
function describes(attributes: Attributes, name: string): boolean {
  const { steps } = new LogicalName(name);
  const own = steps.at(-1)?.key;
  if (!NAMES.some((attribute) => attributes[attribute] === own)) return false;
  return PARENTS.every(([section, parent]) => {
    const said = [attributes[parent], attributes[`${parent}_name`]].find(isName);
    const key = steps.slice(0, -1).find((step) => step.section === section)?.key;
    return said === undefined ? !requiresParent(attributes, parent, key) : said === key;
  });
}

const PARENTS: readonly (readonly [section: string, attribute: string])[] = [
  ["projects", "project"],
  ["pipelines", "pipeline"],
  ["actions", "action"],
];

/** Reports whether an object in a parent is meant, and the resource says that it has none. */
function requiresParent(attributes: Attributes, parent: string, key: string | undefined): boolean {
  const attribute = [parent, `${parent}_name`, `${parent}_id`].find((one) => one in attributes);
  return attribute !== undefined && (attributes[attribute] ?? null) === null && key !== undefined;
}

const isName = (value: unknown): value is string => typeof value === "string" && !/^\d*$/.test(value);

function convertValue(value: unknown): string[] {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  if (typeof value === "string" && value !== "") return [value];
  return isScalar ? [String(value)] : [];
}

const convertToSnakeCase = (arg: string) => arg.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
