#!/usr/bin/env node
/**
 * Writes a file as a comment on a pull request of GitHub or a merge request of GitLab, and replaces that comment in later runs:
 *
 *   node ci/comment.mjs FILE [NAME]
 *
 * The comment begins with an invisible marker that contains NAME, so that several reports have a comment each. A comment is
 * replaced only if it begins with the marker and is by the same author: nobody can place one to be overwritten, and a name in
 * the report that looks like a marker has no effect.
 *
 * GitHub: GH_TOKEN, GITHUB_REPOSITORY, NUMBER (the pull request); COMMENT_AUTHOR unless it is github-actions[bot].
 * GitLab: GITLAB_COMMENT_TOKEN (a project access token with the scope api); the other variables are those of the job.
 */
import { readFileSync } from "node:fs";

const PAGE = 100;
const GITHUB_LIMIT = 65_536;
const { env } = process;

/** Sends a request. Errors do not contain the token. */
async function request({ base, headers }, method, path, body) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...headers,
      "user-agent": "workspacectl-comment",
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Reads all comments, page by page. */
async function all(service, path) {
  const found = [];
  for (let page = 1; ; page++) {
    const items = await request(service, "GET", `${path}?per_page=${PAGE}&page=${page}`);
    found.push(...items);
    if (items.length < PAGE) return found;
  }
}

function required(name) {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set: see the head of comment.mjs`);
  return value;
}

async function gitHub() {
  const api = {
    base: env.GITHUB_API_URL || "https://api.github.com",
    headers: {
      authorization: `Bearer ${required("GH_TOKEN")}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    },
  };
  const comments = `/repos/${required("GITHUB_REPOSITORY")}/issues`;
  const path = `${comments}/${required("NUMBER")}/comments`;
  const author = env.COMMENT_AUTHOR || "github-actions[bot]";
  return {
    limit: GITHUB_LIMIT,
    list: async () => (await all(api, path)).filter(({ user }) => user?.login === author),
    create: (body) => request(api, "POST", path, { body }),
    update: (id, body) => request(api, "PATCH", `${comments}/comments/${id}`, { body }),
    remove: (id) => request(api, "DELETE", `${comments}/comments/${id}`),
  };
}

async function gitLab() {
  const api = {
    base: required("CI_API_V4_URL"),
    headers: { "private-token": required("GITLAB_COMMENT_TOKEN") },
  };
  const path = `/projects/${required("CI_PROJECT_ID")}/merge_requests/${required("CI_MERGE_REQUEST_IID")}/notes`;
  const { id: author } = await request(api, "GET", "/user");
  return {
    limit: 1_000_000,
    list: async () => (await all(api, path)).filter((note) => note.author?.id === author && !note.system),
    create: (body) => request(api, "POST", path, { body }),
    update: (id, body) => request(api, "PUT", `${path}/${id}`, { body }),
    remove: (id) => request(api, "DELETE", `${path}/${id}`),
  };
}

async function main([file, name = "report"]) {
  if (!file) throw new Error("usage: node comment.mjs FILE [NAME]");
  if (!/^[\w ./]+$/.test(name))
    throw new Error(`the name ${JSON.stringify(name)} may contain letters, digits, blanks, _ . and /`);
  const service = await (env.GITLAB_CI ? gitLab() : gitHub());
  const marker = `<!-- workspacectl ${name} -->`;
  const body = `${marker}\n${readFileSync(file, "utf8").trimEnd()}\n`;
  if (body.length > service.limit)
    throw new Error(`${file} has ${body.length} characters, and a comment may have ${service.limit}`);
  const own = (await service.list()).filter((comment) => comment.body?.split(/\r?\n/)[0].trim() === marker);
  const [first, ...others] = own;
  if (first === undefined) await service.create(body);
  // The service may store other line breaks, and no blank ones at the end.
  else if (first.body.replaceAll("\r\n", "\n").trimEnd() !== body.trimEnd())
    await service.update(first.id, body);
  // Two runs at the same time may each have created one.
  for (const { id } of others) await service.remove(id);
  console.log(first === undefined ? "Commented." : "The comment is up to date.");
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
