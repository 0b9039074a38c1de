/** Reads the GitLab files of examples/ci, each as GitLab takes what an include names: inputs are checked, then filled in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { folder } from "./workflow.js";

/** The component with the jobs of one workspace. */
export const component = "gitlab/templates/workspace.yml";
const entry = "gitlab/.gitlab-ci.yml";

type Inputs = Readonly<Record<string, string>>;

/** What the header of a file may declare, as https://docs.gitlab.com/ci/yaml/#specinputs documents it for texts. */
const header = z.strictObject({
  spec: z.strictObject({
    inputs: z.record(
      z.string(),
      z.strictObject({
        description: z.string().optional(),
        default: z.string().optional(),
        options: z.array(z.string()).optional(),
        regex: z.string().optional(),
      }),
    ),
  }),
});

export function readGitLab(path: string): Record<string, unknown> {
  const text = readFileSync(join(folder, path), "utf8");
  if (path !== component) return parse(text) as Record<string, unknown>;
  const { include } = parse(readFileSync(join(folder, entry), "utf8")) as {
    include: readonly { readonly local: string; readonly inputs?: Inputs }[];
  };
  const own = include.find(({ local }) => path.endsWith(local));
  if (own === undefined) throw new Error(`${entry} does not include ${path}`);
  return readIncluded(text, own.inputs ?? {});
}

/** Returns the jobs of a file with a header, as an include with these inputs gets them. */
export function readIncluded(text: string, given: Inputs): Record<string, unknown> {
  const [head, ...rest] = parseAllDocuments(text);
  if (head === undefined || rest.length !== 1) throw new Error("a header and the jobs are expected");
  const values = checkInputs(header.parse(head.toJS()).spec.inputs, given);
  const body = text.slice(text.search(/^---$/m));
  const filled = body.replace(/\$\[\[(.*?)\]\]/g, (_, inner: string) => {
    const [, name] = /^ *inputs\.(\w+) *$/.exec(inner) ?? [];
    const value = values.get(name ?? "");
    if (value === undefined) throw new Error(`unknown interpolation key: ${inner.trim()}`);
    return value;
  });
  return parse(filled) as Record<string, unknown>;
}

function checkInputs(
  specs: z.infer<typeof header>["spec"]["inputs"],
  given: Inputs,
): ReadonlyMap<string, string> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(specs, name));
  if (unknown.length > 0) throw new Error(`unknown input arguments: ${unknown.join(", ")}`);
  const values = Object.entries(specs).map(([name, spec]) => {
    const value = given[name] ?? spec.default;
    if (value === undefined) throw new Error(`${name}: required value has not been provided`);
    if (spec.options?.includes(value) === false) throw new Error(`${name}: ${value} is not an option`);
    // The expression is the text as it stands: slashes around it are two characters that a value would have to contain.
    if (spec.regex !== undefined && !new RegExp(spec.regex).test(value))
      throw new Error(`${name}: provided value does not match required RegEx pattern`);
    return [name, value] as const;
  });
  return new Map(values);
}
