/** Tests the script of examples/ci that comments on pull and merge requests, against a small server. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "./support.js";

const script = join(import.meta.dirname, "../../examples/ci/comment.mjs");
const folder = temporaryFolder();
const file = join(folder, "preview.md");
const MARKER = "<!-- workspacectl preview us -->";

interface Comment {
  id: number;
  body: string;
  user: { login: string };
  author: { id: number };
  system: boolean;
}

/** Comments of the request, of both services' form. The bot is user 7. */
let comments: Comment[] = [];
let requests: string[] = [];
let server: Server;
let base = "";

function comment(body: string, login = "github-actions[bot]", author = 7): Comment {
  const found = { id: comments.length + 1, body, user: { login }, author: { id: author }, system: false };
  comments.push(found);
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? "" : (JSON.parse(text) as { body: string }).body;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const { method = "", url = "" } = request;
      const { pathname, searchParams } = new URL(url, "http://x");
      requests.push(`${method} ${pathname}`);
      const authorized =
        request.headers["private-token"] === "the-token" ||
        request.headers.authorization === "Bearer the-token";
      const body = await bodyOf(request);
      const id = Number(/\/(\d+)$/.exec(pathname)?.[1]);
      const answer = (status: number, value?: unknown) =>
        response.writeHead(status).end(value === undefined ? "" : JSON.stringify(value));
      if (!authorized) return answer(401, { message: "Bad credentials" });
      if (pathname === "/user") return answer(200, { id: 7 });
      if (method === "GET") {
        const page = Number(searchParams.get("page"));
        return answer(200, comments.slice((page - 1) * 100, page * 100));
      }
      if (method === "POST") return answer(201, comment(body));
      const found = comments.find((one) => one.id === id);
      if (!found) return answer(404);
      if (method === "DELETE") comments = comments.filter((one) => one !== found);
      else found.body = body;
      return answer(method === "DELETE" ? 204 : 200, method === "DELETE" ? undefined : found);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  comments = [];
  requests = [];
});

const services = {
  GitHub: () => ({
    ...{ GITHUB_API_URL: base, GITHUB_REPOSITORY: "o/r", NUMBER: "5", GH_TOKEN: "the-token" },
    ...{ COMMIT: "abc", GITHUB_RUN_ID: "77" },
  }),
  GitLab: () => ({
    ...{ GITLAB_CI: "true", CI_API_V4_URL: base, CI_PROJECT_ID: "9", CI_MERGE_REQUEST_IID: "5" },
    ...{ GITLAB_COMMENT_TOKEN: "the-token", CI_COMMIT_SHA: "abc" },
    CI_PIPELINE_URL: "https://gitlab.example.com/o/r/-/pipelines/77",
  }),
};
/** What the comment ends with. */
const origins = {
  GitHub: "<sub>Commit abc, [its run](https://github.com/o/r/actions/runs/77)</sub>",
  GitLab: "<sub>Commit abc, [its run](https://gitlab.example.com/o/r/-/pipelines/77)</sub>",
};
type Service = keyof typeof services;
const each = Object.keys(services) as Service[];

async function write(service: Service, text: string, more: Record<string, string> = {}, name = "preview us") {
  rmSync(file, { force: true, recursive: true });
  writeFileSync(file, text);
  return commentOn(service, more, name);
}

/** Runs the script on what is at the path of the report. */
async function commentOn(service: Service, more: Record<string, string> = {}, name = "preview us") {
  const env = { ...services[service](), ...more };
  const { exitCode, stderr } = await execa(process.execPath, [script, file, name], {
    env,
    extendEnv: false,
    reject: false,
  });
  return { exitCode, stderr };
}

const writes = () => requests.filter((line) => !line.startsWith("GET"));

it.each(each)(
  "creates a comment on %s, then replaces it, and sends nothing for the same text",
  async (service) => {
    expect(await write(service, "one\n")).toEqual({ exitCode: 0, stderr: "" });
    expect(comments.map(({ body }) => body)).toEqual([`${MARKER}\none\n\n${origins[service]}\n`]);
    const run = /\((.*)\)/.exec(origins[service])?.[1];
    await write(service, `one, of [run](${run})\n`);
    expect(comments.map(({ body }) => body)).toEqual([`${MARKER}\none, of [run](${run})\n`]);
    requests = [];
    await write(service, "two\n");
    await write(service, "two\n");
    expect(comments.map(({ body }) => body)).toEqual([`${MARKER}\ntwo\n\n${origins[service]}\n`]);
    expect(writes()).toHaveLength(1);
  },
);

it.each(each)("finds its comment on %s on a later page, and removes a second one", async (service) => {
  for (let index = 0; index < 150; index++) comment(`other ${index}`);
  comment(`${MARKER}\r\nold`);
  comment(`${MARKER}\nolder`);
  expect(await write(service, "new")).toEqual({ exitCode: 0, stderr: "" });
  expect(comments).toHaveLength(151);
  expect(comments.at(-1)?.body).toBe(`${MARKER}\nnew\n\n${origins[service]}\n`);
});

it.each(each)("leaves alone on %s what others wrote, and what only contains the marker", async (service) => {
  comment(`${MARKER}\nforged`, "mallory", 8);
  comment(`A group is called ${MARKER}\n${MARKER}`);
  comment("<!-- workspacectl preview eu -->\nof another stack");
  await write(service, "mine");
  expect(comments.map(({ body }) => body.includes("mine"))).toEqual([false, false, false, true]);
});

it.each(each)(
  "follows no link on %s, and sends no file that is too large or none at all",
  async (service) => {
    const secret = join(folder, "secret");
    writeFileSync(secret, "a secret");
    const plant = [
      [() => symlinkSync(secret, file), "is a link"],
      [() => mkdirSync(file), "is not a file"],
      [() => writeFileSync(file, "x".repeat(4_000_000)), "4000000 bytes, which is too much for a comment"],
    ] as const;
    for (const [make, message] of plant) {
      rmSync(file, { force: true, recursive: true });
      make();
      expect(await commentOn(service)).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining(message) as string,
      });
    }
    expect(writes()).toEqual([]);
  },
);

it.each(each)("replaces an older report on %s when the run has made none", async (service) => {
  await write(service, "old");
  rmSync(file);
  expect(await commentOn(service, { COMMIT: "def", CI_COMMIT_SHA: "def" })).toEqual({
    exitCode: 0,
    stderr: "",
  });
  expect(comments.map(({ body }) => body)).toEqual([
    `${MARKER}\nThere is no report, because the run failed.\n\n${origins[service].replace("abc", "def")}\n`,
  ]);
});

it.each(each)("says what is missing or refused on %s, without the token", async (service) => {
  const missing = await write(service, "x", { GH_TOKEN: "", GITLAB_COMMENT_TOKEN: "" });
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toMatch(/^error: \w+_TOKEN is not set/);
  const refused = await write(service, "x", { GH_TOKEN: "wrong-token", GITLAB_COMMENT_TOKEN: "wrong-token" });
  expect(refused.stderr).toMatch(/^error: GET \/\S+: 401 .*Bad credentials/);
  expect(refused.stderr).not.toContain("wrong-token");
  expect((await write(service, "x", {}, "a --> b")).stderr).toContain("may contain letters");
  expect(writes()).toEqual([]);
});
