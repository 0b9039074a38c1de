/** Hostile values. */
import type { Emulator } from "../../emulator/index.js";
import { raw, type RawRequest } from "./raw.js";

const ws = "/workspaces/acme";

/** Returns JSON text with the given number of nested levels. */
const deep = (levels: number, open: string, close: string, inner = "1"): string =>
  open.repeat(levels) + inner + close.repeat(levels);

export const hostileTexts = [
  "C:\\x",
  "C:x",
  "a\\b",
  "..\\..\\x",
  "../../../../../../../../dev/zero",
  "../../../../HEAD",
  "../tags/v1",
  "%2e%2e%2fHEAD",
  ".git/config",
  ".GIT/config",
  "sub/.git /hooks",
  "git~1/config",
  ".g\u200cit/config",
  "a\0b",
  "a\nb",
  "nul\u0001",
  "half \ud800",
  "a".repeat(300),
  "a/".repeat(3000) + "a",
  `a${"/".repeat(200_000)}a`,
  "*a".repeat(40),
  "refs/heads/main",
  "HEAD",
  "main.lock",
  "@{",
  "-",
  ".",
  "..",
  "__proto__",
  "constructor",
  "toString",
  "\u202egnp.exe",
  "<script>",
  "::error::x",
  "A <b@c>\nparent 0000",
  "1e999",
  "\ufeff",
] as const;

/**
 * Returns requests that once broke the emulator, and similar ones, for the tests and for `npm run fuzz`: with
 * hostile text wherever the API accepts text, in bodies, queries and paths.
 */
export function hostileRequests(fixtures: Fixtures): RawRequest[] {
  const { token, host, pipelineId } = fixtures;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", host };
  const P = `${ws}/projects/web`;
  const PP = `${P}/pipelines/${pipelineId}`;
  const content = "eA==";
  const post = (path: string, body: unknown, method = "POST"): RawRequest => ({
    method,
    path,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const get = (path: string): RawRequest => ({ method: "GET", path, headers: { ...headers } });
  const perText = (text: string): RawRequest[] => {
    const short = encodeURIComponent(text.slice(0, 1500).replace(/\p{Surrogate}/gu, ""));
    const plain = { name: text, ref_name: text, trigger_mode: "ON_EVERY_PUSH", ref_type: "WILDCARD" };
    const action = { name: text, type: text, trigger_time: "ON_FAILURE", [text]: { [text]: text } };
    return [
      post(`${P}/repository/contents`, { path: text, content, message: text }),
      post(`${P}/repository/contents`, { path: `f${fixtures.next++}`, content, message: "m", branch: text }),
      post(`${P}/repository/contents/${short}`, { content, message: text }, "PUT"),
      post(`${P}/repository/branches`, { name: text, description: text }),
      post(`${P}/repository/branches`, { name: `b${fixtures.next++}`, commit: { revision: text } }),
      get(`${P}/repository/branches/${short}`),
      { ...get(`${P}/repository/branches/${short}?force=true`), method: "DELETE" },
      get(`${P}/repository/tags/${short}`),
      get(`${P}/repository/contents/${short}`),
      get(`${P}/repository/contents?revision=${short}`),
      get(`${P}/repository/commits?revision=${short}&path=${short}&author=${short}`),
      get(`${P}/repository/commits/${short}`),
      get(`${P}/repository/comparison/${short}...main`),
      post(`${PP}/executions`, { to_revision: { revision: text }, comment: text }),
      post(`${PP}/executions`, { to_revision: { revision: "HEAD" }, branch: { name: text } }),
      post(`${PP}/executions`, { to_revision: { revision: "HEAD" }, tag: { name: text } }),
      post(PP, { last_execution_revision: text }, "PATCH"),
      post(`${PP}/executions`, { to_revision: { revision: "HEAD" } }),
      post(`${P}/pipelines`, plain),
      post(`${PP}/actions`, action),
      post(`${ws}/projects`, { name: text }),
      post(`${ws}/projects`, { name: `p${fixtures.next++}`, display_name: text }),
      post(`${ws}/groups`, { name: text, description: text }),
      post(`${ws}/variables`, { key: text, value: text, description: text }),
      post("/user", { name: text, title: text }, "PATCH"),
      post(`${ws}/members`, { email: `${text}@example.com` }),
    ];
  };
  const cron = (expression: string) =>
    post(`${P}/pipelines`, { name: "c", ref_name: "main", trigger_mode: "SCHEDULED", cron: expression });
  const action = (inner: string) =>
    post(
      `${PP}/actions`,
      `{"name":"deep","type":"OTHER","trigger_time":"ON_FAILURE","fields":${inner},"services":${inner}}`,
    );
  const stars = {
    name: "stars",
    ref_name: "*a".repeat(60),
    trigger_mode: "ON_EVERY_PUSH",
    ref_type: "WILDCARD",
  };
  return [
    ...[100, 101, 5000, 200_000].flatMap((levels) => [
      action(deep(levels, "[", "]")),
      action(deep(levels, '{"a":', "}")),
      action(deep(levels, '[{"a":', "}]")),
    ]),
    post(`${ws}/groups`, deep(200_000, "[", "]")),
    post(`${ws}/groups`, "[".repeat(500_000)),
    post(`${ws}/groups`, `{"name":"${"\\\\".repeat(100_000)}"`),
    post(`${P}/repository/contents`, { path: "big.txt", content: "QUFB".repeat(1_000_000), message: "big" }),
    post(`${P}/repository/contents/big.txt`, { content: "QUJD".repeat(1_000_000), message: "big" }, "PUT"),
    // The lines all differ, which makes a diff slow.
    ...["eA", "eQ"].map((seed, index) =>
      post(
        `${P}/repository/contents${index === 0 ? "" : "/lines.txt"}`,
        { ...(index === 0 ? { path: "lines.txt" } : {}), content: lines(seed), message: "lines" },
        index === 0 ? "POST" : "PUT",
      ),
    ),
    // These once blocked all other requests: a pattern with many stars, and a push to a long branch that nearly
    // matches.
    post(`${P}/pipelines`, stars),
    post(`${P}/repository/branches`, { name: "a".repeat(200) }),
    post(`${P}/repository/contents`, { path: "star", content, message: "m", branch: "a".repeat(200) }),
    ...["0 0 30 2 *", "* * * * 8", "61 * * * *", "* ".repeat(50_000), `${"1,".repeat(50_000)}1 * * * *`].map(
      cron,
    ),
    ...hostileTexts.flatMap(perText),
    ...["/_control", "/app", "/app/acme"].map((path) => ({
      method: "GET",
      path,
      headers: { host: "evil.example", origin: "http://evil.example" },
    })),
  ];
}

function lines(seed: string): string {
  const text = Array.from({ length: 40_000 }, (_, index) => `${seed}${(index * 7919) % 99_991}\n`).join("");
  return Buffer.from(text).toString("base64");
}

export interface Fixtures {
  token: string;
  host: string;
  pipelineId: number;
  /** Counter for names that must be new. */
  next: number;
}

/** Creates the project with a file, a branch and a pipeline that the requests above refer to. */
export async function createFixtures(emulator: Emulator): Promise<Fixtures> {
  const make = async (path: string, body: unknown): Promise<number> => {
    const response = await emulator.edit({ method: "POST", path, body });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status}`);
    return (response.body as { id: number }).id;
  };
  await make(`${ws}/projects`, { name: "web" });
  const file = { path: "README.md", content: "eA==", message: "First" };
  await make(`${ws}/projects/web/repository/contents`, file);
  await make(`${ws}/projects/web/repository/branches`, { name: "dev" });
  const pipeline = { name: "p", ref_name: "main", trigger_mode: "MANUAL" };
  const pipelineId = await make(`${ws}/projects/web/pipelines`, pipeline);
  return { token: emulator.token, host: new URL(emulator.baseUrl).host, pipelineId, next: 0 };
}

/** Sends the requests one after another and describes those that failed: with a 5xx, or without a response in time. */
export async function attack(
  emulator: Emulator,
  requests: readonly RawRequest[],
  limitMilliseconds: number,
): Promise<string[]> {
  const failures: string[] = [];
  for (const request of requests) {
    const { status, text } = await raw(emulator.baseUrl, request, limitMilliseconds);
    if (status !== 0 && status < 500) continue;
    const sent = `${request.method} ${request.path.slice(0, 200)} ${(request.body ?? "").slice(0, 200)}`;
    failures.push(`${status} ${sent}: ${text.slice(0, 300)}`);
  }
  return failures;
}

/** Reads everything back: every list, every object in it and its web page. Describes the unreadable ones. */
export async function unreadable(emulator: Emulator): Promise<string[]> {
  const failures: string[] = [];
  const { origin } = new URL(emulator.baseUrl);
  const read = async (url: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${emulator.token}` };
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.status >= 400)
      failures.push(`${response.status} ${url.slice(0, 200)}: ${text.slice(0, 200)}`);
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return isJson ? (JSON.parse(text) as unknown) : undefined;
  };
  const walk = async (url: string, depth: number): Promise<void> => {
    const body = (await read(url)) as Record<string, unknown> | undefined;
    if (depth === 0 || body === undefined) return;
    for (const list of Object.values(body).filter(Array.isArray))
      for (const item of list as { url?: unknown }[])
        if (typeof item.url === "string" && item.url !== url && new URL(item.url).origin === origin)
          await walk(item.url, depth - 1);
  };
  const web = `${emulator.baseUrl}${ws}/projects/web`;
  await walk(`${emulator.baseUrl}${ws}/projects?per_page=100`, 1);
  for (const list of ["groups", "variables", "members?per_page=100"])
    await walk(`${emulator.baseUrl}${ws}/${list}`, 1);
  for (const list of ["pipelines?per_page=100", "repository/branches", "repository/commits?per_page=100"])
    await walk(`${web}/${list}`, 1);
  await walk(`${web}/repository/contents`, 2);
  for (const page of ["", "/acme", "/acme/projects/web"]) await read(emulator.webUrl + page);
  return failures;
}
