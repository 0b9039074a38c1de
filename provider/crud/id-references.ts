/**
 * References by id: wherever an argument names another object, a program may write that object's id, which every language has as
 * `web.id`. Check replaces it by the name or number that the other operations work with.
 */
import { UNKNOWN } from "../../diff/values.js";
import type { Definition, Fields, Reference } from "../../resources/definition/definition.js";
import { addArticle } from "../../resources/definition/problems.js";
import { mapReferences } from "../../resources/definition/reference-paths.js";
import { listCopiedArgs } from "../../resources/definition/resource-inputs.js";
import { definitions, getDefinition } from "../../resources/registry.js";

/** What the run knows of the objects that it has compared or created: an object's id does not contain its present name and parents. */
export class KnownObjects {
  /** What the runs of all accounts in this process know: a program may have several providers. */
  private static readonly ids = new Set<string>();
  private readonly all = new Map<string, Fields>();

  /** @param fields arguments and outputs, the newest last */
  note({ type }: Definition, id: string, ...fields: readonly Fields[]): void {
    KnownObjects.ids.add(`${type} ${id}`);
    this.all.set(`${type} ${id}`, Object.assign({}, ...fields) as Fields);
  }

  static isKnownAnywhere(type: string, id: string): boolean {
    return KnownObjects.ids.has(`${type} ${id}`);
  }

  find(type: string, id: string): Fields {
    return this.all.get(`${type} ${id}`) ?? {};
  }
}

/** The run: the workspace of an object with given arguments, and the objects that it knows. */
interface IdSession {
  readonly known: KnownObjects;
  workspaceOf(args: Fields): string | undefined;
}

interface Replaced {
  readonly args: Record<string, unknown>;
  /** In the form that the engine takes. The path is part of the reason, because the engine prints the value of a named property. */
  readonly problems: readonly { property: string; reason: string }[];
}

/**
 * Replaces ids by names and numbers, and adds the arguments that are copied from the referenced object.
 * @param olds the arguments of the last run
 * @param session absent without a connection, which every later operation reports
 */
export function replaceIds(
  definition: Definition,
  olds: Fields,
  news: Fields,
  session: IdSession | undefined,
): Replaced {
  const args: Record<string, unknown> = { ...news };
  const problems: { property: string; reason: string }[] = [];
  if (session === undefined) return { args, problems };
  const { known } = session;
  const workspace = session.workspaceOf(news);
  for (const [arg, reference] of Object.entries(definition.references)) {
    if (news[arg] === undefined) continue;
    const ids: string[] = [];
    args[arg] = mapReferences(reference, news[arg], (inner, value) => {
      const id = parseId(inner, value);
      if (id === undefined) return value;
      if (id.workspace === workspace) {
        ids.push(id.text);
        return readReferred(inner, id, known.find(inner.to, id.text));
      }
      // A name may contain a slash, so only the id of an object that another account has shown is one.
      if (workspace === undefined || !KnownObjects.isKnownAnywhere(inner.to, id.text)) return value;
      problems.push({
        property: "",
        reason: `${arg}: "${id.text}" is the id of ${addArticle(inner.to)} in workspace ${id.workspace}, and this object is in workspace ${workspace}: use the same workspace and provider for both`,
      });
      return value;
    });
    const [id] = ids;
    if (id === undefined || reference.list) continue;
    const other = known.find(reference.to, id);
    const inId = readParts(getDefinition(reference.to), id);
    for (const [copied, from] of listCopiedArgs(reference, news)) {
      const isAsBefore = olds[arg] === args[arg];
      const copy =
        from === "id" ? id : (other[from] ?? (isAsBefore ? olds[copied] : undefined) ?? inId[from]);
      if (copy !== undefined) args[copied] = copy;
    }
  }
  return { args, problems };
}

/** What a value names: if it is the id of an object in the workspace, its present name or its number; otherwise the value itself. */
export function readNamed(
  reference: Pick<Reference, "to" | "property">,
  value: unknown,
  workspace: string,
  known?: KnownObjects,
): unknown {
  const id = parseId(reference, value);
  if (id?.workspace !== workspace) return value;
  return readReferred(reference, id, known?.find(reference.to, id.text) ?? {});
}

interface Id {
  readonly text: string;
  readonly workspace: string;
  readonly last: string;
}

/** Parses an id of the type that the reference is to: the workspace, and the parts of the definition's `id`. */
function parseId({ to }: Pick<Reference, "to">, value: unknown): Id | undefined {
  if (typeof value !== "string" || value === UNKNOWN) return undefined;
  const definition = definitions.some(({ type }) => type === to) ? getDefinition(to) : undefined;
  const [workspace = "", ...parts] = value.split("/");
  if (definition === undefined || workspace === "" || parts.length !== definition.id.length) return undefined;
  const last = parts.at(-1) ?? "";
  const isNumber = definition.outputs[definition.identity.state]?.schema.safeParse(1).success === true;
  return last !== "" && (!isNumber || /^[1-9]\d*$/.test(last)) ? { text: value, workspace, last } : undefined;
}

/** The parts of an id, by argument or output. A name among them may be a former one. */
function readParts({ id: names }: Definition, id: string): Fields {
  const parts = id.split("/").slice(1);
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(parts[index] ?? "")]));
}

function readReferred({ property }: Pick<Reference, "property">, { last }: Id, object: Fields): unknown {
  if (property === undefined) return Number(last);
  return object[property] ?? decodeURIComponent(last);
}
