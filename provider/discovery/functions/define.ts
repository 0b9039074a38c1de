/** What a function declares that reads the service, how it is declared, and how it is called. */
import { z } from "zod";
import { ASK_PER_PAGE, type WorkspaceAutomationClient } from "../../../client/index.js";
import type { Fields } from "../../definition/definition.js";
import { id, text } from "../../definition/primitives.js";

export interface FunctionDefinition {
  readonly name: string;
  readonly description: string;
  readonly args: z.ZodObject;
  /** Name of the answer in the published description of the API. */
  readonly answer: string;
  readonly isList: boolean;
  /** @param query the pages of a list that are asked for */
  readonly read: (
    api: WorkspaceAutomationClient,
    workspace: string,
    args: Fields,
    query: object,
  ) => Promise<object> | AsyncIterable<object>;
}

const commonArgs = {
  workspace: text
    .optional()
    .describe("Domain of the workspace, as in its address. Default: the workspace of the connection."),
};

const listArgs = {
  limit: z.int().min(0).optional().describe("Items to read at most. Default: all."),
};

/** Reads what is asked for: the fields of an object, or of a list its `items`; names in namedInCamelCase, views inside are the service's. */
export async function callFunction(
  definition: FunctionDefinition,
  api: WorkspaceAutomationClient,
  workspace: string,
  given: Fields,
): Promise<Fields> {
  const { workspace: _, limit, ...args } = given;
  const most = typeof limit === "number" ? limit : Infinity;
  const perPage = Math.min(Math.max(most, 1), ASK_PER_PAGE);
  const answer = await definition.read(api, workspace, args, definition.isList ? { per_page: perPage } : {});
  if (!(Symbol.asyncIterator in answer)) return camelCased(answer);
  const items: Fields[] = [];
  if (most > 0) for await (const item of answer) if (items.push(camelCased(item)) >= most) break;
  return { items };
}

function camelCased(object: object): Fields {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [namedInCamelCase(key), value as unknown] as const),
  );
}

/** `html_url` → `htmlUrl` */
export function namedInCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type Api = WorkspaceAutomationClient;
/** Arguments that `args` has parsed. */
type Parsed<S extends z.ZodRawShape> = z.infer<z.ZodObject<S>>;
type Listing = AsyncIterable<object>;

export const projectName = text.describe("Name of the project.");
export const number = (of: string) => id.describe(`Number of the ${of}.`);

/** The order of a list. */
export const sorted = <const W extends readonly [string, ...string[]]>(...by: W) => ({
  sortBy: z.enum(by).optional().describe("Field by which the list is sorted."),
  sortDirection: z.enum(["ASC", "DESC"]).optional().describe("Direction of the order."),
});

/** `sortBy` → `sort_by`: the filters of a list, as the service takes them. */
export function wired(filters: Fields): Fields {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}

/** Declares a list, which is read to its end or to a limit. */
export function listFunction<const S extends z.ZodRawShape>(
  name: string,
  answer: string,
  description: string,
  args: S,
  read: (api: Api, workspace: string, args: Parsed<S>, query: object) => Listing,
): FunctionDefinition {
  return {
    name,
    answer,
    description,
    isList: true,
    args: z.strictObject({ ...args, ...listArgs, ...commonArgs }),
    read: (api, workspace, given, query) => read(api, workspace, given as Parsed<S>, query),
  };
}

/** Declares a single object. */
export function getFunction<const S extends z.ZodRawShape>(
  name: string,
  answer: string,
  description: string,
  args: S,
  read: (api: Api, workspace: string, args: Parsed<S>) => Promise<object>,
): FunctionDefinition {
  return {
    name,
    answer,
    description,
    isList: false,
    args: z.strictObject({ ...args, ...commonArgs }),
    read: (api, workspace, given) => read(api, workspace, given as Parsed<S>),
  };
}
