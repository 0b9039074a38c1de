/** Findings → edits of the workspace file that make it say what is in the workspace. */
import { definitions, type Definition } from "../../../../provider/index.js";
import { argsFromPlace } from "../../../../provider/definition/placement.js";
import { unescapeKey } from "../../../../provider/definition/logical-name.js";
import { AsWritten, type Edit } from "../../../../workspace-file/edit/index.js";
import type { Declaration } from "../../../../workspace-file/load/index.js";
import { placeholderOf, usableName } from "../../export/placeholders.js";
import type { Finding } from "../model.js";

/** A secret that nobody can read: the file says where its value is to come from. */
export interface Missing {
  readonly name: string;
  readonly path: string;
  /** The environment variable. */
  readonly variable: string;
}

export interface Accepted {
  readonly edits: readonly { readonly edit: Edit; readonly finding: Finding }[];
  readonly missing: readonly Missing[];
  /** Findings for which the file cannot be changed, and why. */
  readonly left: readonly { readonly finding: Finding; readonly why: string }[];
}

const byType = new Map(definitions.map((definition) => [definition.type, definition]));
const lastStep = (name: string) => unescapeKey(name.slice(name.lastIndexOf("/") + 1));
const parentOf = (name: string) => name.split("/").slice(0, -1).join("/");

/** The edits that accept findings. */
export function editsOf(findings: readonly Finding[], declared: readonly Declaration[]): Accepted {
  const edits: { edit: Edit; finding: Finding }[] = [];
  const missing: Missing[] = [];
  const left: { finding: Finding; why: string }[] = [];
  const gone = findings.filter((one) => one.class === "deleted").map(({ name }) => name);
  for (const finding of findings) {
    const definition = byType.get(finding.type);
    const within = gone.some((name) => finding.name.startsWith(`${name}/`));
    if (definition === undefined || (within && finding.class === "deleted")) continue;
    const accepted = editOf(finding, definition, declared, missing);
    if (typeof accepted === "string") left.push({ finding, why: accepted });
    else if (accepted) edits.push({ edit: accepted, finding });
  }
  return { edits, missing, left };
}

/** The edit, nothing when there is nothing to edit, or why there is none. */
function editOf(
  finding: Finding,
  definition: Definition,
  declared: readonly Declaration[],
  missing: Missing[],
): Edit | string | undefined {
  const { name, pathParts: path } = finding;
  switch (finding.class) {
    case "pending":
      return 'the file is newer than the workspace: "workspacectl up" applies it';
    case "unverifiable":
      return "the service does not show the value, so there is nothing to accept";
    case "deleted":
      return definition.document === undefined ? undefined : { remove: { name } };
    case "added":
      return addition(finding, definition, missing);
    case "changed": {
      if (definition.document === undefined) return order(finding, definition, declared);
      if (finding.secret) return { set: { name, path, value: unread(name, finding.path, missing) } };
      if (finding.live === undefined || finding.live === null) return { unset: { name, path } };
      return { set: { name, path, value: byName(finding.live, finding, definition, declared) } };
    }
  }
}

function addition(
  { name, live }: Finding,
  definition: Definition,
  missing: Missing[],
): Edit | string | undefined {
  const { document } = definition;
  if (document === undefined) return undefined;
  if (document.form === "keys") return { add: { name, entry: null } };
  const placed = new Set([...argsFromPlace(definition), ...definition.local]);
  const args = Object.entries((live ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([arg, value]) => !placed.has(arg) && !isBlank(value))
    .filter(([arg, value]) => arg !== document.keyedBy || value !== lastStep(name))
    .filter(([arg, value]) => arg !== document.keyedBy || typeof value === "string")
    .map(([arg, value]) => [arg, value === HIDDEN ? unread(name, arg, missing) : value] as const);
  return { add: { name, entry: { ...Object.fromEntries(args), adopt: true } } };
}

/** What stands for a secret in what a list shows. */
const HIDDEN = "[secret]";

/** The service has no difference between these and nothing. */
function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** `${env:API_KEY}` for the variable API_KEY, `${env:WEB_HTTP_PASSWORD}` for a property of another object. */
function unread(name: string, path: string, missing: Missing[]): AsWritten {
  const words = path === "value" ? lastStep(name) : `${lastStep(name)}_${path}`;
  const variable = words
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .replace(/^(?=\d)/, "_")
    .toUpperCase();
  const usable = usableName(variable);
  missing.push({ name, path, variable: usable });
  return new AsWritten(placeholderOf(usable, false));
}

/** Another order of the items of a list, which a resource of its own keeps. */
function order(finding: Finding, { type }: Definition, declared: readonly Declaration[]): Edit | undefined {
  const item = definitions.find(({ document }) => document?.order?.type === type);
  const { labels = {}, live } = finding;
  if (item?.document === undefined || !Array.isArray(live)) return undefined;
  const { section, keyedBy } = item.document;
  const name = parentOf(finding.name);
  const items = declared.filter((one) => parentOf(one.name) === `${name}/${section}`);
  const keyOf = (label: string | undefined) => items.find((one) => one.args[keyedBy] === label)?.name;
  const keys = (live as unknown[])
    .map((id) => keyOf(labels[String(id)]))
    .filter((key) => key !== undefined)
    .map(lastStep);
  return { order: { name, section, keys } };
}

/** A value with the numbers of declared objects replaced by the keys under which the file has them. */
function byName(
  value: unknown,
  { labels = {}, pathParts: [arg] }: Finding,
  definition: Definition,
  declared: readonly Declaration[],
): unknown {
  const reference = definition.references[String(arg)];
  if (reference === undefined) return value;
  const types = [reference.to, ...Object.values(reference.each ?? {}).map(({ to }) => to)];
  const keyOf = (id: number) => {
    const label = labels[String(id)];
    const of = declared.find(
      (one) =>
        types.includes(one.definition.type) && one.args[one.definition.document?.keyedBy ?? ""] === label,
    );
    return label === undefined ? id : of ? lastStep(of.name) : label;
  };
  const visit = (part: unknown): unknown => {
    if (typeof part === "number") return keyOf(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value);
}
