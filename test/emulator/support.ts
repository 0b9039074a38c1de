import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.js";
import { openApi } from "../../emulator/openapi.js";
import { routes } from "../../emulator/resources/index.js";

/** A list in an answer; the first few items can be named without ceremony, and are undefined when absent. */
export type Things = [Thing, Thing, Thing, Thing, ...Thing[]];

/** An answer as tests read it: every field of the spec by its name, whichever object it is of. */
export interface Thing {
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
  content: Thing & string;
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
  permission_set: Thing;
  pipeline: Thing;
  project: Thing;
  workspaces: Things;
  projects: Things;
  members: Things;
  groups: Things;
  permission_sets: Things;
  pipelines: Things;
  actions: Things;
  variables: Things;
  keys: Things;
  emails: Things;
  integrations: Things;
  message: string;
  revision: string;
  http_repository: string;
  patch: string;
  progress: number;
  commit: Thing;
  commits: Things;
  author: Thing;
  files: Things;
  branches: Things;
  tags: Things;
  contents: Things;
  pull_requests: Things;
  executions: Things;
  action: Thing;
  action_executions: Things;
  to_revision: Thing | null;
  finish_date: string | null;
  mode: string;
  errors: { message: string }[];
}

export interface Answered {
  status: number;
  headers: Headers;
  body: Thing;
  text: string;
}

export interface Caller {
  (method: string, path: string, body?: unknown): Promise<Answered>;
}

const description = openApi(routes, "");
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, "api");
const covered = new Set<string>();

/** `METHOD /path` of every route that a test of this process has called with success. */
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

/** Every successful answer must be what the description promises. */
function checkAnswer(method: string, path: string, answer: Answered): void {
  const [plain = ""] = path.split("?");
  const route = patterns.find((each) => each.route.method === method && each.pattern.test(plain))?.route;
  if (route === undefined || answer.status >= 300) return;
  covered.add(`${route.method} ${route.path}`);
  const allowed = [route.response.status, route.response.otherStatus];
  if (!allowed.includes(answer.status as 200)) {
    throw new Error(`${method} ${path} answered ${answer.status}, not ${String(route.response.status)}`);
  }
  if (route.response.schema === undefined) {
    if (answer.text !== "")
      throw new Error(`${method} ${path} answered ${answer.text} where no body belongs`);
    return;
  }
  const validate = ajv.getSchema(`api#/components/schemas/${route.response.schema.name}`);
  if (validate === undefined) throw new Error(`No schema ${route.response.schema.name}`);
  if (validate(answer.body) !== true) {
    throw new Error(
      `${method} ${path} is not a ${route.response.schema.name}: ${ajv.errorsText(validate.errors)}`,
    );
  }
}

/** One request over real HTTP. A body makes it JSON. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const { token, body, headers } = options;
  const response = await fetch(baseUrl + path, {
    method,
    redirect: "manual",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer: Answered = {
    status: response.status,
    headers: response.headers,
    body: (isJson && text !== "" ? JSON.parse(text) : undefined) as Thing,
    text,
  };
  checkAnswer(method, path, answer);
  return answer;
}

/** What the service says when it refuses. */
export function message(answer: Answered): string {
  return answer.body.errors[0]?.message ?? "";
}

const running: Emulator[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** An emulator that ends with the test, and a caller with the owner's token. */
export async function start(options: EmulatorOptions = {}): Promise<{ emulator: Emulator; call: Caller }> {
  const emulator = await startEmulator({ strictBodies: true, ...options });
  running.push(emulator);
  return { emulator, call: callerOf(emulator, emulator.token) };
}

export function callerOf(emulator: Emulator, token?: string): Caller {
  return (method, path, body) => send(emulator.baseUrl, method, path, { token, body });
}

/** A caller for another user. */
export async function as(emulator: Emulator, user: string): Promise<Caller> {
  return callerOf(emulator, await emulator.createToken({ user }));
}

/** Call and insist on success. */
export async function make(call: Caller, method: string, path: string, body?: unknown): Promise<Thing> {
  const answer = await call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

export const ws = "/workspaces/acme";
