/** How a function that reads the service is declared, and how it is called. */
import { z } from "zod";
import { ASK_PER_PAGE, type WorkspaceAutomationClient } from "../../../client/index.js";
import { toSnakeCase } from "../../definition/api-names.js";
import type { Fields } from "../../definition/definition.js";
import { id, text } from "../../definition/primitives.js";
import { formatPath, listKeysAt, listProblems } from "../../definition/problems.js";

type Api = WorkspaceAutomationClient;

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
  /** @param query the requested pages of a list */
  readonly read: (api: Api, workspace: string, args: Fields, query: object) => Promise<T> | List<T>;
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

export const projectName = text.describe("Name of the project.");
export const projectStatus = z
  .enum(["ACTIVE", "CLOSED"])
  .optional()
  .describe("Only projects of this status.");
export const createNumber = (of: string) => id.describe(`Number of the ${of}.`);
/** The order of a list. */
export const sort = <const W extends readonly [string, ...string[]]>(...by: W) => ({
  sortBy: z.enum(by).optional().describe("Field by which the list is sorted."),
  sortDirection: z.enum(["ASC", "DESC"]).optional().describe("Direction in which the list is sorted."),
});

/** `sortBy` → `sort_by`: filters of a list, as the service expects them. */
export function createApiQuery(filters: Fields): Fields {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) =>
      value === undefined ? [] : [[toSnakeCase(name), value]],
    ),
  );
}

/** Arguments that `args` has parsed. */
type Parsed<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>;

/** Declares a list. It is read to its end, or to a limit. */
export function listFunction<const S extends z.ZodRawShape, T extends object>(
  response: string,
  description: string,
  args: S,
  read: (api: Api, workspace: string, args: Parsed<S>, query: object) => List<T>,
): FunctionDefinition<T> {
  return {
    response,
    description,
    isList: true,
    args: z.strictObject({ ...args, ...listArgs, ...commonArgs }),
    read: (api, workspace, given, query) => read(api, workspace, given as Parsed<S>, query),
  };
}

/** Declares a single object. */
export function getFunction<const S extends z.ZodRawShape, T extends object>(
  response: string,
  description: string,
  args: S,
  read: (api: Api, workspace: string, args: Parsed<S>) => Promise<T>,
): FunctionDefinition<T> {
  return {
    response,
    description,
    isList: false,
    args: z.strictObject({ ...args, ...commonArgs }),
    read: (api, workspace, given) => read(api, workspace, given as Parsed<S>),
  };
}

/** The arguments of a call with their types, and what is wrong with them. */
export function parseFunctionArgs(
  { args }: FunctionDefinition,
  given: Fields,
): { readonly parsed: Fields; readonly failures: readonly string[] } {
  const result = args.safeParse(given, { reportInput: true });
  if (result.success) return { parsed: result.data, failures: [] };
  const known = (path: readonly (string | number)[]) =>
    path.length === 0 ? Object.keys(args.shape) : listKeysAt(args, path);
  const problems = listProblems(result.error, known);
  return { parsed: {}, failures: problems.map(({ path, message }) => `${formatPath(path)}: ${message}`) };
}

/** Calls a function. Returns the fields of the object, or the `items` of the list; objects within them keep the service's names. */
export async function callFunction(
  { read, isList }: FunctionDefinition,
  api: Api,
  workspace: string,
  { workspace: _, ...args }: Fields,
): Promise<Fields> {
  if (!isList) return createCamelCased(await read(api, workspace, args, {}));
  const { limit, page, perPage, ...filters } = args;
  const most = typeof limit === "number" ? limit : Infinity;
  const query = createApiQuery({ page, perPage: perPage ?? Math.min(Math.max(most, 1), ASK_PER_PAGE) });
  const list = read(api, workspace, filters, query) as List<object>;
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
