/** References between objects, and how a name is resolved to an id. */
import { ProviderError } from "../errors.js";
import type { Context } from "./context.js";
import type { ApiField, Candidate, Fields, Reference, RemoteObject } from "./definition.js";
import { listActionsOf, lists, loadItems } from "./lists.js";
import { nameOrId, optional, text } from "./primitives.js";
import { formatPath, suggestOr } from "./problems.js";
import { mapReferences, type ReferencePath } from "./reference-paths.js";
import { findNamed } from "./spelling.js";

/** An argument that is only part of the path or of a lookup, never of a body or a remote object. */
export const notSent = { to: () => ({}), from: () => undefined } as const satisfies ApiField;

/** An argument sent as `{ key: { id } }` and shown by the service in the same form. */
export function convertIdObject<const K extends string>(key: K) {
  const to = (value: unknown) => ({ [key]: { id: value } }) as Readonly<Record<K, { id: number }>>;
  return {
    to,
    from: (remote: Fields) => (remote[key] as Fields | null | undefined)?.["id"],
    keys: () => [key],
  } as const satisfies ApiField;
}

/** The project of an object: by name, as in paths. */
export const projectReference = {
  to: "Project",
  property: "name",
  spelling: "name",
  copies: { projectId: "id" },
  identity: "projectId",
} as const satisfies Reference;

/** Arguments of an object in a project. */
export const projectArgs = {
  project: text.describe("The project: a Project or its name."),
  projectId: optional(text, "Set automatically when `project` is a Project."),
};

/** Arguments of an object in a pipeline. */
export const pipelineArgs = {
  project: optional(text, "The project. Set automatically when `pipeline` is a Pipeline."),
  pipeline: nameOrId.describe("The pipeline: a Pipeline, or with `project` its number or name."),
};

/** A project that is only part of the path to a pipeline. The pipeline identifies it. */
export const projectOnTheWay = {
  to: "Project",
  property: "name",
  spelling: "name",
} as const satisfies Reference;

export const pipelineReference = {
  to: "Pipeline",
  spelling: "name",
  within: { args: ["project"], next: "name" },
  idOutput: "pipelineId",
  lookup: async (context, state, isSure, what) => {
    const list = lists.pipelines(context, resolveProject(context, state, what ?? "a pipeline"));
    return listNamedItems(await loadItems(context, list, isSure));
  },
} as const satisfies Reference;

/** A pipeline with its project, where the path of the object contains both. */
export const pipelineInProject = {
  ...pipelineReference,
  within: { args: ["project"], next: "always" },
  copies: { project: "project" },
} as const satisfies Reference;

interface PipelineChange {
  readonly changed: readonly string[];
  readonly news: { readonly pipeline?: unknown };
}

/** Whether the pipeline is another one: by the same name in another project. By id, it is the same one in a renamed project. */
export function listMovedByName({ changed, news }: PipelineChange): readonly "project"[] {
  return changed.includes("project") && typeof news.pipeline === "string" ? ["project"] : [];
}

export const actionReference = {
  to: "Action",
  spelling: "name",
  within: { args: ["project", "pipeline"], next: "name" },
  idOutput: "actionId",
  lookup: async (context, state, _isSure, what) =>
    listNamedItems(
      await listActionsOf(
        context,
        resolveProject(context, state, what ?? "an action"),
        Number(state["pipelineId"]),
      ),
    ),
} as const satisfies Reference;

export const groupReference = {
  to: "Group",
  spelling: "name",
  idOutput: "groupId",
  lookup: async (context, _state, isSure) =>
    listNamedItems(await loadItems(context, lists.groups(context), isSure)),
} as const satisfies Reference;

export const permissionSetReference = {
  to: "PermissionSet",
  spelling: "name",
  idOutput: "permissionSetId",
  lookup: async (context, _state, isSure) =>
    listNamedItems(await loadItems(context, lists.permissionSets(context), isSure)),
} as const satisfies Reference;

export const memberReference = {
  to: "WorkspaceMember",
  spelling: "email",
  idOutput: "memberId",
  lookup: async (context, _state, isSure, what = "a member") => {
    const members = await loadItems(context, lists.members(context), isSure);
    if (members.length > 0 && members.every((member) => member.email === undefined)) {
      throw new ProviderError(
        "unknown-reference",
        `${what} cannot be looked up, because the service hides the e-mail addresses of members`,
        "write the member's number instead of the address (member: <number>), or declare the member in the same program or file. The number is the last part of the address of the member's page in the web application",
      );
    }
    return matchCandidates(members, "email");
  },
} as const satisfies Reference;

/** An integration of the calling user, by its name. */
export const integrationReference = {
  to: "integration",
  spelling: "name",
  idOutput: "integrationId",
  lookup: async (context, _state, isSure) =>
    listNamedItems(await loadItems(context, lists.integrations(context), isSure)),
} as const satisfies Reference;

function listNamedItems(items: readonly RemoteObject[]): Candidate[] {
  return matchCandidates(items, "name");
}

function matchCandidates(items: readonly RemoteObject[], key: string): Candidate[] {
  return items.map((item) => ({
    id: Number(item["id"]),
    name: item[key],
    label: `${String(item["name"])} (id ${String(item["id"])})`,
  }));
}

function resolveProject(context: Context, state: Fields, what: string): string {
  const project = state["project"];
  if (typeof project === "string") return context.projectName(project);
  throw new ProviderError(
    "unknown-reference",
    `${what} cannot be looked up by name without its project, because other projects may use this name, too`,
    'add "project" next to it, in the same resource or function call',
  );
}

/**
 * Resolves names to ids. Returns the outputs with the ids.
 * @param subject the object that refers to them, for messages
 * @throws {ProviderError} `unknown-reference` or `ambiguous-name`
 */
export async function resolveReferences(
  references: Readonly<Record<string, Reference>>,
  context: Context,
  args: Fields,
  subject?: string,
): Promise<Fields> {
  const resolved: Record<string, unknown> = {};
  // One after the other, because the lookup of an action needs the pipeline's id.
  for (const [name, reference] of Object.entries(references)) {
    const value = args[name];
    if (reference.idOutput === undefined || value === undefined || value === null) continue;
    const state = { ...args, ...resolved };
    resolved[reference.idOutput] = await resolveIdsIn(reference, context, name, value, state, subject);
  }
  return resolved;
}

/** The value with each name replaced by its id. */
async function resolveIdsIn(
  reference: Reference,
  context: Context,
  arg: string,
  value: unknown,
  state: Fields,
  subject: string | undefined,
): Promise<unknown> {
  const found = new Map<string, unknown>();
  const names: { reference: Reference; name: string; path: ReferencePath }[] = [];
  mapReferences(reference, value, (inner, name, path) => {
    if (typeof name === "string" && inner.lookup) names.push({ reference: inner, name, path });
    return name;
  });
  for (const { reference: inner, name, path } of names) {
    found.set(
      path.join("."),
      await resolveIdByName(inner, context, formatPath([arg, ...path]), name, state, subject),
    );
  }
  return mapReferences(reference, value, (_inner, name, path) => found.get(path.join(".")) ?? name);
}

async function resolveIdByName(
  reference: Reference,
  context: Context,
  arg: string,
  name: string,
  state: Fields,
  subject: string | undefined,
): Promise<number> {
  const isPlain = !arg.includes("[") && !arg.includes(".");
  const object = `${isPlain ? `${arg} "${name}"` : `"${name}" (${arg})`} in workspace ${context.workspace}`;
  const about = subject === undefined ? "" : `${subject}: `;
  const lookUp = async (isSure?: boolean) =>
    (await reference.lookup?.(context, state, isSure, `${about}${object}`)) ?? [];
  let all = await lookUp();
  const findNamedIn = (of: readonly Candidate[]) =>
    findNamed(of, reference.spelling, name, (candidate) => candidate.name);
  // Only a list whose end is proven shows that a name does not exist.
  if (findNamedIn(all).length === 0) all = await lookUp(true);
  const found = findNamedIn(all);
  if (found.length > 1) {
    const labels = found.map((candidate) => candidate.label).join(", ");
    throw new ProviderError(
      "ambiguous-name",
      `${about}${object} could be any of these: ${labels}`,
      "Write the number instead of the name",
    );
  }
  const [only] = found;
  if (only === undefined) {
    const names = all.map((candidate) => candidate.name).filter((each) => typeof each === "string");
    throw new ProviderError(
      "unknown-reference",
      `${about}there is no ${object}`,
      `${suggestOr(name, names, "")} ${formatOthers(names)}`.trim(),
    );
  }
  return only.id;
}

/** Maximum number of names in a message. */
const LISTED = 10;

function formatOthers(names: readonly string[]): string {
  if (names.length === 0)
    return "None exist yet: declare it in the file or program, or create it in the service";
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : "";
  return `Existing: ${names.slice(0, LISTED).join(", ")}${more}. Check the name, or declare it in the file or program`;
}
