/** How a function that reads the service is declared, and how it is called. */
import { z } from "zod";
import { ASK_PER_PAGE, type WorkspaceAutomationClient } from "../../../client/index.js";
import { pickDefined } from "../../../diff/values.js";
import { toSnakeCase } from "../../../resources/definition/api-names.js";
import type { Fields, Reference } from "../../../resources/definition/definition.js";
import { id, nameOrId, text } from "../../../resources/definition/primitives.js";
import { addArticle, formatPath, listKeysAt, listProblems } from "../../../resources/definition/problems.js";
import { type KnownObjects, readNamed } from "../../crud/id-references.js";

export type Api = WorkspaceAutomationClient;

interface List<T> extends AsyncIterable<T> {
  toArray(): Promise<T[]>;
}

/** A function that returns an object, or a list of such objects. */
export interface FunctionDefinition<T extends object = object> {
  readonly description: string;
  readonly args: z.ZodObject;
  /** Name of the response in the published description of the API. */
  readonly response: string;
  readonly isList: boolean;
  /** @param query the filters of a list and its requested pages, as the service expects them */
  readonly read: (api: Api, workspace: string, args: Fields, query: Fields) => Promise<T> | List<T>;
  /** The arguments that are filters, not a part of the path. */
  readonly filters: readonly string[];
}

const commonArgs = {
  workspace: text
    .optional()
    .describe("Domain of the workspace, as in its address. Default: the workspace of the connection."),
};
const listArgs = {
  limit: z.int().min(0).optional().describe("Maximum number of items. Default: all."),
  page: z.int().min(1).optional().describe("First page. Default: 1."),
  perPage: z
    .int()
    .min(1)
    .optional()
    .describe("Items per request. Default: 100, or the limit when it is less."),
};
/** The arguments of every function that are options in the library for Node.js. */
export const optionArgs: readonly string[] = Object.keys({ ...commonArgs, ...listArgs });

export const projectName = text.describe("The project: its name, or the id of a Project.");
export const projectStatus = z
  .enum(["ACTIVE", "CLOSED"])
  .optional()
  .describe("Only projects of this status.");
export const createNumber = (of: string) => id.describe(`Number of the ${of}.`);
/** An argument of `referred`. */
export const createNumberOrId = (of: string) =>
  nameOrId.describe(`The ${of}: its number, or the id of the resource.`);

/** Which resources the arguments of these names accept by id, as arguments of resources do: a preview waits for an id. */
const referred: Readonly<Record<string, Pick<Reference, "to" | "property">>> = {
  project: { to: "Project", property: "name" },
  member: { to: "WorkspaceMember" },
  group: { to: "Group" },
  permissionSet: { to: "PermissionSet" },
  pipeline: { to: "Pipeline" },
  action: { to: "Action" },
  execution: { to: "Execution" },
  variable: { to: "Variable" },
  key: { to: "UserKey" },
};

/** The order of a list. */
export const sort = <const W extends readonly [string, ...string[]]>(...by: W) => ({
  sortBy: z.enum(by).optional().describe("Field by which the list is sorted."),
  sortDirection: z.enum(["ASC", "DESC"]).optional().describe("Direction in which the list is sorted."),
});

/** Areas that have a call, and what it returns. */
type AreaWith<Call extends string> = {
  [A in keyof Api]: Api[A] extends Readonly<Record<Call, unknown>> ? A : never;
}[keyof Api];
type Returned<A extends keyof Api, Call extends string> =
  Api[A] extends Readonly<Record<Call, (...args: never[]) => infer R>>
    ? R extends List<infer T extends object> | Promise<infer T extends object>
      ? T
      : never
    : never;

/** Areas of the calling user, whose calls take no workspace. */
const userAreas: readonly string[] = ["user", "userKeys", "userEmails", "integrations", "oauth"];

/**
 * Declares the call of an area. It takes the workspace, the arguments in the path, and the filters.
 * @param response name of the response in the published description of the API
 */
const declare =
  <Call extends "get" | "list">(call: Call) =>
  <A extends AreaWith<Call>>(
    area: A,
    response: string,
    description: string,
    path: z.ZodRawShape = {},
    filters: z.ZodRawShape = {},
  ): FunctionDefinition<Returned<A, Call>> => ({
    response,
    description,
    isList: call === "list",
    args: z.strictObject({ ...path, ...filters, ...(call === "list" ? listArgs : {}), ...commonArgs }),
    filters: Object.keys(filters),
    read: (api, workspace, args, query) => {
      const calls = api[area] as unknown as Readonly<Record<Call, (...all: unknown[]) => never>>;
      const parts = Object.keys(path).map((name) => args[name]);
      // A call without filters takes options in their place, and there are none.
      return calls[call](...(userAreas.includes(area) ? [] : [workspace]), ...parts, query);
    },
  });

export const getFunction = declare("get");
/** It is read to its end, or to a limit. */
export const listFunction = declare("list");

/** Where a function is called: the workspace, and the objects that the run knows. */
export interface CallPlace {
  readonly workspace: string | undefined;
  readonly known?: KnownObjects;
}

/** The arguments of a call with their types, names and numbers in place of ids, and what is wrong with them. */
export function parseFunctionArgs(
  { args }: FunctionDefinition,
  given: Fields,
  { workspace = "", known }: CallPlace,
): { readonly parsed: Fields; readonly failures: readonly string[] } {
  const result = args.safeParse(given, { reportInput: true });
  if (!result.success) {
    const keys = (path: readonly (string | number)[]) =>
      path.length === 0 ? Object.keys(args.shape) : listKeysAt(args, path);
    const problems = listProblems(result.error, keys);
    return { parsed: {}, failures: problems.map(({ path, message }) => `${formatPath(path)}: ${message}`) };
  }
  const parsed = { ...result.data };
  const failures: string[] = [];
  for (const [name, reference] of Object.entries(referred)) {
    if (parsed[name] === undefined) continue;
    parsed[name] = readNamed(reference, parsed[name], workspace, known);
    if (reference.property === undefined && typeof parsed[name] === "string")
      failures.push(
        `${name}: must be a number, or the id of ${addArticle(reference.to)} of workspace ${workspace}`,
      );
  }
  return { parsed, failures };
}

/** Calls a function. Returns the fields of the object, or the `items` of the list; objects within them keep the service's names. */
export async function callFunction(
  { read, isList, filters }: FunctionDefinition,
  api: Api,
  workspace: string,
  args: Fields,
): Promise<Fields> {
  const filtered = pickDefined(Object.fromEntries(filters.map((name) => [toSnakeCase(name), args[name]])));
  if (!isList) return createCamelCased(await read(api, workspace, args, filtered));
  const { limit, page, perPage } = args;
  const most = typeof limit === "number" ? limit : Infinity;
  const per_page = perPage ?? Math.min(Math.max(most, 1), ASK_PER_PAGE);
  const list = read(api, workspace, args, {
    ...filtered,
    ...pickDefined({ page, per_page }),
  }) as List<object>;
  if (most === Infinity) return { items: (await list.toArray()).map(createCamelCased) };
  const items: Fields[] = [];
  if (most > 0) for await (const item of list) if (items.push(createCamelCased(item)) >= most) break;
  return { items };
}

function createCamelCased(object: object): Fields {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [getCamelCaseName(key), value as unknown]),
  );
}

/** `html_url` → `htmlUrl` */
export function getCamelCaseName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
