#!/usr/bin/env node
/**
 * Writes a file as a comment on a pull request of GitHub or a merge request of GitLab, and replaces that comment in later runs:
 *
 *   node comment.mjs FILE [NAME]
 *
 * Run it from the default branch or from a project that only its owners may change, never from the checkout of a change. It treats the
 * file as text of whoever wrote the change: it follows no link, and reads no more than a comment may have.
 *
 * The comment begins with an invisible marker that contains NAME, so that several reports have a comment each. A comment is
 * replaced only if it begins with the marker and is by the same author: nobody can place one to be overwritten, and a name in
 * the report that looks like a marker has no effect. It ends with the commit and a link to the run, unless the report links it. If there is no file, it says
 * that the run failed, so that an older report does not remain.
 *
 * GitHub: GH_TOKEN, GITHUB_REPOSITORY, NUMBER (the pull request), COMMIT; COMMENT_AUTHOR unless it is github-actions[bot].
 * GitLab: GITLAB_COMMENT_TOKEN (a project access token with the scope api); the other variables are those of the job.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

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

/** Reads the report. @returns undefined when there is none */
function readReport(file, limit) {
  let open;
  try {
    open = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(open);
    if (!found.isFile()) throw new Error(`${file} is not a file`);
    // A character takes at most three bytes for each of its units.
    if (found.size > 3 * limit)
      throw new Error(`${file} has ${found.size} bytes, which is too much for a comment`);
    return readFileSync(open, "utf8").trimEnd();
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    if (error.code === "ELOOP") throw new Error(`${file} is a link`);
    throw error;
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

/** Writes which commit and which run the report is of. */
function origin({ commit, run }) {
  const link = `[its run](${run})`;
  return commit === undefined ? `<sub>From ${link}</sub>` : `<sub>Commit ${commit}, ${link}</sub>`;
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
    commit: env.COMMIT,
    run: `${env.GITHUB_SERVER_URL || "https://github.com"}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
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
    commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    run: env.CI_PIPELINE_URL,
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
  const report = readReport(file, service.limit) ?? "There is no report, because the run failed.";
  // A report of workspacectl names both itself.
  const end = service.run && report.includes(service.run) ? "" : `\n${origin(service)}\n`;
  const body = `${marker}\n${report}\n${end}`;
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
