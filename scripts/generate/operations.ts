/** Finds the requests of a resource type and the rights they need, in the emulator's OpenAPI document. */
import { type Definition, definitions, type Fields } from "../../provider/index.js";
import type { Context } from "../../resources/definition/context.js";
import { openApiDescription } from "./openapi.js";

const methods = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof methods)[number];

const names: Readonly<Record<Method, string>> = {
  get: "read",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
};

export interface Operation {
  readonly operation: string;
  readonly request: string;
  readonly scopes: readonly string[];
  /** Rights in addition to the scopes, such as those of an administrator. */
  readonly also: string;
}

interface Described {
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

const { paths } = openApiDescription as {
  paths: Readonly<Record<string, Readonly<Partial<Record<Method, Described>>>>>;
};

/** Stands for every part of a path that is not fixed. */
const ANY = "x";

export function listOperations(definition: Definition): Operation[] {
  const own = listPaths(definition);
  const sent = listMethods(definition);
  return Object.entries(paths)
    .filter(([path]) => own.has(path.replace(/\{[^/]*\}/g, ANY)))
    .flatMap(([path, described]) =>
      sent.flatMap((method) => {
        const operation = described[method];
        return operation === undefined ? [] : [createOperation(method, path, operation)];
      }),
    );
}

/** The paths of the objects of a type and of the list that contains them, as the keys of their sources name them. */
function listPaths(definition: Definition): Set<string> {
  const state = new Proxy({}, { get: () => ANY }) as Fields;
  const context = {
    projectName: () => ANY,
    projectOf: () => ANY,
    pipelineOf: () => [ANY, ANY],
    behavior: {},
  } as unknown as Context;
  const keys = definition.sources(context, state).flatMap(({ key }) => {
    const path = key.replace(/\?.*$/, "");
    const list = path.endsWith(`/${ANY}`) ? path.slice(0, -ANY.length - 1) : path;
    return [path, list, `${list}/${ANY}`];
  });
  return new Set(keys.map((key) => (/^(user|oauth2)\b/.test(key) ? `/${key}` : `/workspaces/${ANY}/${key}`)));
}

function listMethods({ type, ephemeral }: Definition): readonly Method[] {
  if (definitions.some(({ document }) => document?.order?.type === type)) return ["get", "patch"];
  return ephemeral ? ["get", "post"] : methods;
}

function createOperation(method: Method, path: string, { security, description = "" }: Described): Operation {
  const scopes = security?.find((one) => "token" in one)?.["token"] ?? [];
  return {
    operation: names[method],
    request: `${method.toUpperCase()} ${path}`,
    scopes,
    also: parseRights(description, scopes),
  };
}

/** Returns what a description requires in addition to the scopes. */
function parseRights(description: string, scopes: readonly string[]): string {
  const needs = /^Needs (.*?)\.$/m.exec(description)?.[1] ?? "";
  return needs
    .split(", ")
    .filter((need) => need !== "" && !scopes.some((scope) => need === `scope ${scope}`))
    .join(", ");
}
