/** Resolves `${ref:projects/web.httpRepository}` to an object and checks that it has the output. */
import { formatHint, type Problem } from "../../resources/definition/problems.js";
import { definitions, listCopiedArgs } from "../../resources/index.js";
import { createDiagnostic, type DocumentProblem, formatDiagnostic } from "../syntax/diagnostics.js";
import { Interpolated, type OutputReference } from "../syntax/tree.js";
import type { Entry } from "./entries.js";
import { mapRefs, Ref } from "./resolve-names.js";
import type { ResourceDeclaration } from "./resource-declaration.js";

/** Replaces the names in the references of a value by logical names, and reports unknown ones. */
export function resolveOutputs(
  value: unknown,
  entries: ReadonlyMap<string, Entry>,
  problem: (reference: OutputReference, found: Pick<Problem, "code" | "message">) => void,
): unknown {
  return mapRefs(value, (text) => {
    if (!(text instanceof Interpolated)) return text;
    const parts = text.parts.map((part) => {
      if (typeof part === "string") return part;
      const entry = entries.get(part.name) ?? entries.get(pluralizeType(part.name));
      const wrong = findUnknownObject(part, entry, entries);
      if (wrong) problem(part, wrong);
      return entry ? { ...part, name: entry.name } : part;
    });
    return new Interpolated(parts);
  });
}

function findUnknownObject(
  reference: OutputReference,
  entry: Entry | undefined,
  entries: ReadonlyMap<string, Entry>,
): Pick<Problem, "code" | "message"> | undefined {
  const whole = formatPlaceholder(reference);
  if (entry === undefined) {
    const names = [...entries.keys()];
    return {
      code: "unknown-name",
      message: `${whole}: nothing of that name is declared${formatHint(pluralizeType(reference.name), names) || ". Names are paths, such as projects/web"}`,
    };
  }
  if (!entry.external) return undefined;
  const { noun } = entry.definition;
  return {
    code: "unknown-name",
    message: `${whole}: this ${noun} is external, so it is not read and has no outputs: write the value itself`,
  };
}

/** Reports references to outputs that no object of the type has, or not the one that is declared. */
export function listMissingOutputs(
  declarations: readonly ResourceDeclaration[],
  entries: ReadonlyMap<string, Entry>,
): DocumentProblem[] {
  const byName = new Map(declarations.map((one) => [one.name, one]));
  const problems: DocumentProblem[] = [];
  for (const { path, args } of declarations)
    mapRefs(args, (value) => {
      for (const part of value instanceof Interpolated ? value.outputs : []) {
        const target = byName.get(part.name);
        if (target === undefined) continue;
        // A template that could not be expanded may declare it.
        if (entries.get(target.name)?.incomplete) continue;
        const existing = listOutputs(target);
        if (existing.includes(part.output)) continue;
        problems.push({
          path,
          at: part.at,
          code: "unknown-name",
          message: formatMissingOutput(part, target, existing),
        });
      }
      return value;
    });
  return problems;
}

/** Names what a declared object has: its arguments, and those outputs that do not follow from an argument that it lacks. */
export function listOutputs({ definition, args }: ResourceDeclaration): string[] {
  const references = Object.entries(definition.references);
  const has = (arg: string) => args[arg] !== undefined && args[arg] !== null;
  const outputs = Object.keys(definition.outputs).filter((output) => {
    const resolved = references.find(([, { idOutput }]) => idOutput === output);
    return resolved === undefined || has(resolved[0]);
  });
  const copied = references
    .filter(([arg]) => args[arg] instanceof Ref)
    .flatMap(([, reference]) => listCopiedArgs(reference, args).map(([arg]) => arg));
  return [...new Set([...outputs, ...Object.keys(definition.args.shape).filter(has), ...copied])];
}

function formatMissingOutput(
  reference: OutputReference,
  target: ResourceDeclaration,
  existing: readonly string[],
): string {
  const { definition, name } = target;
  const known = [...Object.keys(definition.outputs), ...Object.keys(definition.args.shape)];
  const similar = known.includes(reference.output) ? "" : formatHint(reference.output, existing);
  const has = similar || `: it has ${existing.join(", ")}`;
  return `${formatPlaceholder(reference)}: the ${definition.noun} ${name} has no output "${reference.output}"${has}`;
}

/**
 * The error for an output that the service does not return of an object.
 * @param existing the outputs that it shows
 */
export function createOutputNotShownError(
  reference: OutputReference,
  target: ResourceDeclaration,
  existing: readonly string[],
): Error {
  const message = formatMissingOutput(reference, target, existing);
  return new Error(formatDiagnostic(createDiagnostic(reference.at, { code: "unknown-name", message }), ""));
}

const formatPlaceholder = ({ name, output }: OutputReference) => `\${ref:${name}.${output}}`;

const sectionOf = new Map(
  definitions.flatMap(({ noun, document }) =>
    document ? [[noun.replaceAll(" ", "-"), document.section]] : [],
  ),
);

/** Suggests `projects/web` for `project/web`. */
function pluralizeType(name: string): string {
  return name
    .split("/")
    .map((step, index) => (index % 2 === 0 ? (sectionOf.get(step) ?? step) : step))
    .join("/");
}
