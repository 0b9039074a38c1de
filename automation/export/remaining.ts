/** What an export leaves to do: values to set (printed, or in a file for the shell with those that a Terraform state knows), doubts and gaps. */
import { z } from "zod";
import { stripControls } from "../../client/printable.js";
import { formatCount } from "../../diff/format-count.js";
import type { Gap } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { formatFirst, groupBy } from "../../text/lists.js";
import { quoteForShell } from "../../text/safe-text.js";
import { readTextIfPresent } from "../../trust/checkout-files.js";
import { chooseVariableFor } from "../../trust/variables.js";
import { readJsonFile } from "../config-files/checked-files.js";
import { writeFileAtomically } from "../config-files/write-file.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";
import type { Declarable } from "./declare.js";
import type { Needed } from "./written-values.js";

/** Maximum number of objects that are named for a reason. */
const NAMED = 5;

/** Returns one line per reason: without rights, many objects are missing for the same one. */
function formatGapLines(gaps: readonly Gap[]): string[] {
  const reasons = groupBy(gaps, ({ type, reason }) => `${type}: ${reason}`);
  return [...reasons].map(([reason, of]) => {
    const names = of.map(({ name }) => name ?? "the workspace");
    return `${reason} (${formatFirst(names, NAMED)})`;
  });
}

interface Remaining {
  /** How to set the values that the file does not contain. */
  readonly needed: readonly string[];
  readonly doubts: readonly string[];
  readonly gaps: readonly Gap[];
}

/**
 * Returns the lines at the head of what was exported.
 * @param toSet heading and lines of the values that the user has to set
 */
export function listHeadLines(
  address: string,
  { hidden }: Pick<Declarable, "hidden">,
  [heading, toSet]: readonly [string, readonly string[]],
): string[] {
  return [
    `Exported by workspacectl from ${address}`,
    ...(toSet.length === 0 ? [] : ["", heading, ...toSet.map((line) => `  ${line}`)]),
    ...(hidden.size === 0 ? [] : ["", "Not included, because the service does not return it:"]),
    ...[...hidden].map(([noun, args]) => `  ${noun}: ${args.join(", ")}`),
  ];
}

const formatNeededLine = (needed: Needed) => `${chooseVariableFor(needed.variable)}  ${nameUses(needed)}`;

/** Names the values that a variable sets. */
export function nameUses({ name, arg, also }: Needed): string {
  const others = also.map((use) => `${use.name}: ${use.arg}`);
  const same = others.length === 0 ? "" : `; the same value: ${formatFirst(others, NAMED)}`;
  return `${name}: ${arg}${same}`;
}

/** Prints what remains to be done or known after an export. */
export function printRemaining({ needed, doubts, gaps }: Remaining, gapsTitle: string, io: Port): void {
  const values = formatCount(needed.length, "value");
  const parts: [title: string, lines: readonly string[]][] = [
    [`Set these before you use the file (${values} that no file should contain):`, needed],
    ["Lint errors that comments in the file suppress, because the workspace has these values:", doubts],
    [gapsTitle, formatGapLines(gaps)],
  ];
  for (const [title, lines] of parts) {
    if (lines.length > 0) note(io, title);
    for (const line of lines) note(io, `  ${stripControls(line)}`);
  }
}

export interface VariablesFileOptions {
  /** The file to write. */
  readonly variablesFile?: string;
  /** Output of `terraform show -json`. */
  readonly valuesFrom?: string;
  readonly language?: string;
}

/** @throws {AutomationError} for options that do not fit together */
export function requireVariablesFile({ variablesFile, valuesFrom, language }: VariablesFileOptions): void {
  if (valuesFrom !== undefined && variablesFile === undefined)
    throw new AutomationError(
      "--values-from needs a file for the secret values that it reads, because no workspace file should contain them",
      "add --variables-file workspace.env",
    );
  if (variablesFile !== undefined && language === "typescript")
    throw new AutomationError(
      "--variables-file is not for the export of a program, which reads its values from the stack's configuration",
      "omit the option: the export prints the commands that set the values",
    );
}

/** Returns a line for each value that the user has to set; with --variables-file, that file lists them. */
export function openValues(needed: readonly Needed[], options: VariablesFileOptions, io: Port): string[] {
  const { variablesFile, valuesFrom } = options;
  if (variablesFile === undefined) return needed.map(formatNeededLine);
  const known = valuesFrom === undefined ? undefined : renderTerraformValues(valuesFrom);
  const before = readTextIfPresent(variablesFile, { named: true }) ?? HEAD;
  const set = new Set([...before.matchAll(/^(?:export )?(\w+)=/gm)].map(([, name]) => name));
  const fresh = needed.filter(({ variable }) => !set.has(chooseVariableFor(variable)));
  const values = fresh.map((one) => known?.find(one));
  const lines = fresh.map((one, index) => formatEntry(one, values[index]));
  writeFileAtomically(variablesFile, [before.trimEnd(), ...lines, ""].join("\n"), {
    named: true,
    mode: 0o600,
  });
  const filled = values.filter((value) => value !== undefined).length;
  const found = valuesFrom === undefined ? "" : `, ${filled} of them with the value in ${valuesFrom}`;
  if (fresh.length === 0) note(io, `${variablesFile} needs no further variables`);
  else
    note(
      io,
      `${formatCount(fresh.length, "variable")} added to ${variablesFile}${found}. Fill in the rest, and keep the file out of Git`,
    );
  return [];
}

const HEAD = `# Values for a workspace file. Keep this file out of Git. To load it: set -a; . ./FILE; set +a`;

function formatEntry(needed: Needed, value: string | undefined): string {
  return `\n# ${stripControls(nameUses(needed))}\n${chooseVariableFor(needed.variable)}=${value === undefined ? "" : quoteForShell(value)}`;
}

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

interface TerraformValues {
  /** Returns the value, unless several resources have different ones. */
  readonly find: (needed: Pick<Needed, "name" | "arg">) => string | undefined;
}

/** @throws {AutomationError} when the file is something else */
function renderTerraformValues(file: string): TerraformValues {
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
