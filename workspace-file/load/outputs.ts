/** Resolves `${ref:projects/web.httpRepository}` to an object and checks that it has the output. */
import { hint, type Problem } from "../../provider/definition/problems.js";
import { Interpolated, type OutputReference } from "../syntax/tree.js";
import { definitions } from "../../provider/index.js";
import type { Entry } from "./entries.js";
import { mapRefs } from "./names.js";

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
      const entry = entries.get(part.name) ?? entries.get(pluralName(part.name));
      const wrong = complaint(part, entry, entries);
      if (wrong) problem(part, wrong);
      return entry ? { ...part, name: entry.name } : part;
    });
    return new Interpolated(parts);
  });
}

function complaint(
  { name, output }: OutputReference,
  entry: Entry | undefined,
  entries: ReadonlyMap<string, Entry>,
): Pick<Problem, "code" | "message"> | undefined {
  const whole = `\${ref:${name}.${output}}`;
  if (entry === undefined) {
    const names = [...entries.keys()];
    return {
      code: "unknown-name",
      message: `${whole}: nothing of that name is declared${hint(pluralName(name), names) || ". Names are paths, such as projects/web"}`,
    };
  }
  const { noun, outputs, args } = entry.definition;
  if (entry.external) {
    return { code: "unknown-name", message: `${whole}: an external ${noun} is not read, and has no outputs` };
  }
  const known = [...Object.keys(outputs), ...Object.keys(args.shape)];
  if (known.includes(output)) return undefined;
  return {
    code: "unknown-name",
    message: `${whole}: a ${noun} has no output "${output}"${hint(output, known) || `: it has ${Object.keys(outputs).join(", ")}`}`,
  };
}

const sectionOf = new Map(
  definitions.flatMap(({ noun, document }) =>
    document ? [[noun.replaceAll(" ", "-"), document.section]] : [],
  ),
);

/** Suggests `projects/web` for `project/web`. */
function pluralName(name: string): string {
  return name
    .split("/")
    .map((step, index) => (index % 2 === 0 ? (sectionOf.get(step) ?? step) : step))
    .join("/");
}
