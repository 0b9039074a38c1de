/** Emulators and requests for tests. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { openApi } from "../../emulator/openapi.js";
import { routes } from "../../emulator/resources/list-of-resources.js";

/** A list in a response. The first items can be accessed by index, and are undefined when absent. */
export type ApiObjects = [ApiObject, ApiObject, ApiObject, ApiObject, ...ApiObject[]];

/** An object in a response, with every field of the spec by name, whatever its type. */
export interface ApiObject {
  url: string;
  html_url: string;
  id: number;
  name: string | null;
  title: string | null;
  type: string;
  status: string;
  domain: string;
  admin: boolean;
  email: string;
  key: string;
  value: string;
  content: ApiObject & string;
  create_date: string;
  start_date: string;
  default_branch: string;
  size: number;
  workspaces_url: string;
  avatar_url: string;
  trigger_time: string;
  trigger_mode: string;
  last_execution_status: string;
  last_execution_revision: string | null;
  permission_set: ApiObject;
  pipeline: ApiObject;
  project: ApiObject;
  workspaces: ApiObjects;
  projects: ApiObjects;
  members: ApiObjects;
  groups: ApiObjects;
  permission_sets: ApiObjects;
  pipelines: ApiObjects;
  actions: ApiObjects;
  variables: ApiObjects;
  keys: ApiObjects;
  emails: ApiObjects;
  integrations: ApiObjects;
  message: string;
  revision: string;
  http_repository: string;
  patch: string;
  progress: number;
  commit: ApiObject;
  commits: ApiObjects;
  author: ApiObject;
  files: ApiObjects;
  branches: ApiObjects;
  tags: ApiObjects;
  contents: ApiObjects;
  pull_requests: ApiObjects;
  executions: ApiObjects;
  action: ApiObject;
  action_executions: ApiObjects;
  to_revision: ApiObject | null;
  finish_date: string | null;
  mode: string;
  errors: { message: string }[];
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  body: ApiObject;
  text: string;
}

export interface Caller {
  (method: string, path: string, body?: unknown): Promise<ApiResponse>;
}

const description = openApi(routes, "");
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, "api");
const covered = new Set<string>();

/** Contains `METHOD /path` of every route that a test of this process called successfully. */
export const coveredRoutes: ReadonlySet<string> = covered;

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(
    `^${route.path
      .replaceAll(".", "\\.")
      .replace(/:\w+\*$/, ".+")
      .replaceAll(/:\w+/g, "[^/]+")}$`,
  ),
}));

/** Checks that a successful response matches the OpenAPI description. */
function checkResponse(method: string, path: string, response: ApiResponse): void {
  const [plain = ""] = path.split("?");
  const route = patterns.find((each) => each.route.method === method && each.pattern.test(plain))?.route;
  if (route === undefined || response.status >= 300) return;
  covered.add(`${route.method} ${route.path}`);
  const allowed = [route.response.status, route.response.otherStatus];
  if (!allowed.includes(response.status as 200)) {
    throw new Error(`${method} ${path} answered ${response.status}, not ${String(route.response.status)}`);
  }
  if (route.response.schema === undefined) {
    if (response.text !== "")
      throw new Error(`${method} ${path} answered ${response.text} where no body belongs`);
    return;
  }
  const validate = ajv.getSchema(`api#/components/schemas/${route.response.schema.name}`);
  if (validate === undefined) throw new Error(`No schema ${route.response.schema.name}`);
  if (validate(response.body) !== true) {
    throw new Error(
      `${method} ${path} is not a ${route.response.schema.name}: ${ajv.errorsText(validate.errors)}`,
    );
  }
}

/** Sends a request over HTTP, with any body as JSON. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const { token, body, headers } = options;
  const fetched = await fetch(baseUrl + path, {
    method,
    redirect: "manual",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await fetched.text();
  const isJson = fetched.headers.get("content-type")?.startsWith("application/json") === true;
  const response: ApiResponse = {
    status: fetched.status,
    headers: fetched.headers,
    body: (isJson && text !== "" ? JSON.parse(text) : undefined) as ApiObject,
    text,
  };
  checkResponse(method, path, response);
  return response;
}

/** Returns the message of an error response. */
export function message(response: ApiResponse): string {
  return response.body.errors[0]?.message ?? "";
}

const running: Emulator[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts an emulator that is closed after the test, and returns a caller with the owner's token. */
export async function start(options: EmulatorOptions = {}): Promise<{ emulator: Emulator; call: Caller }> {
  const emulator = await startEmulator({ strictBodies: true, ...options });
  running.push(emulator);
  return { emulator, call: callerOf(emulator, emulator.token) };
}

export function callerOf(emulator: Emulator, token?: string): Caller {
  return (method, path, body) => send(emulator.baseUrl, method, path, { token, body });
}

/** Returns a caller for another user. */
export async function as(emulator: Emulator, user: string): Promise<Caller> {
  return callerOf(emulator, await emulator.createToken({ user }));
}

/** Sends a request that must succeed. */
export async function make(call: Caller, method: string, path: string, body?: unknown): Promise<ApiObject> {
  const response = await call(method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.body;
}

export const ws = "/workspaces/acme";

/** A workspace in which bob@example.com is a member of the project "web" with these levels, and without other rights. */
export const seedMember = (
  {
    repository = "DENIED",
    pipeline = "DENIED",
  }: Readonly<Partial<Record<"repository" | "pipeline", string>>>,
  pipelines: { name: string; [field: string]: unknown }[] = [],
) => ({
  users: [{ email: "owner@example.com" }, { email: "bob@example.com" }],
  workspaces: [
    {
      domain: "acme",
      members: [{ email: "bob@example.com" }],
      permission_sets: [
        {
          name: "set",
          description: "d",
          repository_access_level: repository,
          pipeline_access_level: pipeline,
        },
      ],
      projects: [{ name: "web", members: [{ email: "bob@example.com", permission_set: "set" }], pipelines }],
    },
  ],
});
