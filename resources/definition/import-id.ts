/**
 * The ids by which existing objects are imported. Unlike a Pulumi id, an import id contains every part of the object's path, such as
 * the project of an action, since there is no state that knows them.
 */
import type { z } from "zod";
import { ProviderError } from "../errors.js";
import { type Definition, type Fields, getArgsShape, isOptional } from "./definition.js";
import { addArticle } from "./problems.js";
import { notSent } from "./references.js";

/** Parts of an import id after the workspace, as names of arguments or outputs. */
export type ImportForm = readonly string[];

/** A parent of an object: the argument that refers to it, the part of the import id that names it, and whether every object has one. */
export interface ImportScope {
  readonly arg: string;
  readonly part: string;
  readonly required: boolean;
}

/** The parents of a type's objects, the outermost first. */
export function listScopes(definition: Definition): ImportScope[] {
  const { references, apiFields } = definition;
  const scopes = Object.entries(references)
    .filter(([arg, { list }]) => list !== true && apiFields[arg] === notSent)
    .map(([arg, { idOutput }]) => ({ arg, part: idOutput ?? arg, required: !canOmit(definition, arg) }));
  const lastRequired = scopes.findLastIndex(({ required }) => required);
  return scopes.map((scope, index) => ({ ...scope, required: index <= lastRequired }));
}

function canOmit({ args }: Definition, arg: string): boolean {
  return isOptional((args.shape as Readonly<Record<string, z.ZodType>>)[arg]);
}

/** Picks from the outputs of an object's parents the parts that name them in its import id. */
export function pickScopes(definition: Definition, parents: readonly (Fields | undefined)[]): Fields {
  const parts = listScopes(definition).map(({ part }) => part);
  const outputs = parents.flatMap((parent) => Object.entries(parent ?? {}));
  return Object.fromEntries(outputs.filter(([part]) => parts.includes(part)));
}

/**
 * The forms of a type's import ids, the shortest first. A type has none when its objects cannot be imported: one-time operations, and
 * objects that can only be read with a secret that was shown once.
 */
export function importForms(definition: Definition): ImportForm[] {
  const { ephemeral, id } = definition;
  if (ephemeral || listReadingSecrets(definition).length > 0) return [];
  const scopes = listScopes(definition);
  const own = id.filter((part) => !scopes.some((scope) => scope.part === part));
  const needed = scopes.filter(({ required }) => required).length;
  const lengths = Array.from({ length: scopes.length - needed + 1 }, (_, index) => needed + index);
  return lengths.map((length) => [...scopes.slice(0, length).map(({ part }) => part), ...own]);
}

/** `<workspace>/<project>/<pipelineId>` */
export function importFormText(form: ImportForm): string {
  return ["workspace", ...form].map((part) => `<${part}>`).join("/");
}

/**
 * The id by which an object can be imported, given its arguments and outputs.
 * @throws {ProviderError} when a parent of the object is missing in them
 */
export function importId(definition: Definition, workspace: string, state: Fields): string {
  const all = listScopes(definition);
  const scopes = all.filter(({ part }) => state[part] !== undefined);
  const missing = all.find((scope, index) => index < scopes.length && !scopes.includes(scope));
  if (missing !== undefined)
    throw new ProviderError(
      "unknown-reference",
      `a ${definition.noun} in a ${scopes.at(-1)?.arg ?? "workspace"} needs its ${missing.arg} too`,
      `set "${missing.arg}"`,
    );
  const own = definition.id.filter((part) => !scopes.some((scope) => scope.part === part));
  const parts = [...scopes.map(({ part }) => part), ...own];
  return [workspace, ...parts.map((part) => encodeURIComponent(formatValue(state[part])))].join("/");
}

/**
 * Whether a state has all that every state of the type has: the parts of the object's path, and the arguments without which nothing is
 * declared.
 */
export function isCompleteState(definition: Definition, state: Fields): boolean {
  if (state["address"] === undefined || listMissingParts(definition, state).length > 0) return false;
  const { ephemeral, mayBeHidden, clientOnly, masked, writeOnly } = definition;
  // An import omits what the service hides. Operations are not imported.
  const hidden = new Set(
    ephemeral ? [] : [...mayBeHidden, ...clientOnly, ...masked(state), ...writeOnly(state)],
  );
  const shape = getArgsShape(definition, state);
  return Object.entries(shape).every(
    ([name, schema]) => state[name] !== undefined || hidden.has(name) || isOptional(schema),
  );
}

/** The parts of the object's path that a state lacks, and the secret without which it cannot be read. */
export function listMissingParts(definition: Definition, state: Fields): string[] {
  const required = listScopes(definition).filter((scope) => scope.required);
  const own = definition.id.filter((part) => part in definition.outputs || !canOmit(definition, part));
  const needed = [...required.map(({ part }) => part), ...own, ...listReadingSecrets(definition)];
  return [...new Set(needed)].filter((part) => state[part] === undefined);
}

/** The secrets that the service has shown once, and with which it shows the object. */
function listReadingSecrets({ outputs, secret }: Definition): string[] {
  return secret({}).filter((name) => name in outputs);
}

/**
 * The import id of an object, given its import id or its Pulumi id.
 * @param state the parts of the path that a Pulumi id lacks
 */
export function completeImportId(definition: Definition, id: string, state: Fields): string {
  const [workspace = "", ...parts] = id.split("/");
  if (parts.length !== definition.id.length || Object.keys(state).length === 0) return id;
  const named = definition.id.map((name, index) => [name, decodePart(parts[index] ?? "")] as const);
  const own: Fields = { ...state, ...Object.fromEntries(named) };
  const ids = Object.entries(definition.references).flatMap(([arg, { idOutput }]) =>
    idOutput !== undefined && own[idOutput] === undefined && typeof state[arg] === "number"
      ? [[idOutput, state[arg]] as const]
      : [],
  );
  const whole: Fields = { ...own, ...Object.fromEntries(ids) };
  const hasAll = listScopes(definition).every(({ part, required }) => !required || whole[part] !== undefined);
  return hasAll ? importId(definition, workspace, whole) : id;
}

function formatValue(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/**
 * Parses an import id. Returns the workspace, and the arguments and outputs of the object that the id contains.
 * @throws {ProviderError} `unknown-reference` when the id has none of the type's forms
 */
export function parseImportId(definition: Definition, id: string): Fields {
  const forms = importForms(definition);
  if (forms.length === 0)
    throw new ProviderError(
      "refused",
      `${addArticle(definition.noun)} cannot be imported`,
      'declare it in the file or program without an import: "workspacectl up" (or "pulumi up") creates it',
    );
  const [workspace = "", ...parts] = id.split("/");
  const form = forms.find(({ length }) => length === parts.length) ?? findLongest(forms, parts.length);
  const state = form && parseState(definition, form, parts);
  if (workspace === "" || state === undefined) {
    const texts = forms.map(importFormText).join(" or ");
    throw new ProviderError(
      "unknown-reference",
      `"${id}" is not an import id of ${addArticle(definition.noun)}`,
      `write ${texts}, with %2F for a / inside a part`,
    );
  }
  return { ...state, workspace };
}

/** The only form, if its last part may contain slashes, as the path of a file does. */
function findLongest(forms: readonly ImportForm[], parts: number): ImportForm | undefined {
  const [only, second] = forms;
  return second === undefined && only !== undefined && only.length > 0 && parts > only.length
    ? only
    : undefined;
}

function parseState(definition: Definition, form: ImportForm, texts: readonly string[]): Fields | undefined {
  const last = form.length - 1;
  const given = [...texts.slice(0, last), texts.slice(last).join("/")].slice(0, form.length);
  const state: Record<string, unknown> = {};
  for (const [index, part] of form.entries()) {
    const value = parseValue(definition, part, given[index] ?? "");
    if (value === undefined) return undefined;
    if (value !== "") state[part] = value;
  }
  // The id of the innermost object determines the others, and a declaration contains only that id.
  const around = listScopes(definition).filter(({ part, required }) => !required && part in state);
  for (const { part } of around.slice(0, -1)) delete state[part];
  for (const { arg, part } of listScopes(definition)) if (part in state) state[arg] = state[part];
  for (const [arg, { idOutput }] of Object.entries(definition.references))
    if (idOutput !== undefined && idOutput in state) state[arg] ??= state[idOutput];
  return state;
}

/** The value of a part: undefined when it is invalid, an empty text when it is omitted. */
function parseValue(definition: Definition, part: string, given: string): unknown {
  const { outputs, references } = definition;
  const text = decodePart(given);
  const output = outputs[part]?.schema;
  const isResolved = Object.values(references).some(({ idOutput }) => idOutput === part);
  if (text === undefined) return undefined;
  if (isResolved || output?.safeParse(1).success) return /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
  // The id of an object contains "undefined" for an argument that is not declared.
  if (output === undefined && canOmit(definition, part) && (text === "" || text === "undefined")) return "";
  return text === "" ? undefined : text;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
