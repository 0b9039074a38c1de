import { z } from "zod";
import { isServiceError } from "../../client/index.js";
import { text } from "../definition/primitives.js";
import type { Context } from "../definition/context.js";
import { defineResource, output, type Fields } from "../definition/definition.js";
import { notSent, projectReference } from "../definition/references.js";

const base64 = (value: unknown) => Buffer.from(String(value), "utf8").toString("base64");
const fromBase64 = (value: unknown) => Buffer.from(String(value), "base64").toString("utf8");

/** Spec, Endpoints: Repository (`P/contents`). Each change is a commit. */
export const repositoryFile = defineResource({
  type: "RepositoryFile",
  noun: "file",
  description: "A file of a project's repository. Each change is a commit on the branch.",
  args: {
    project: text.describe("The project: a Project or its name."),
    projectId: text.optional().describe("Filled in when `project` is a Project."),
    path: text
      .regex(/^[^/].*[^/]$|^[^/]$/, "must neither begin nor end with a slash")
      .describe("Path of the file in the repository."),
    content: z.string().min(1).optional().describe("The file's text. Either this or `contentBase64`."),
    contentBase64: z
      .base64()
      .optional()
      .describe("The file's bytes in Base64, for what is not text.")
      .meta({ examples: ["iVBORw0KGgo="] }),
    branch: text
      .optional()
      .describe("Branch of the commits. Default: the default branch.")
      .meta({ examples: ["main"] }),
    message: text
      .optional()
      .describe("Message of the commits. Default: says which file is managed as code.")
      .meta({ examples: ["Describe how to deploy"] }),
  },
  outputs: { size: output("size", z.int().describe("Size in bytes.")) },
  id: ["project", "branch", "path"],
  identity: { state: "path", wire: "path" },
  naturalKey: ["project", "branch", "path"],
  replaceOn: ["project", "path", "branch"],
  references: { project: projectReference },
  wire: {
    project: notSent,
    projectId: notSent,
    message: notSent,
    path: {
      to: (path, creating) => (creating ? { path } : {}),
      from: (live) => live["path"],
      keys: () => ["path"],
    },
    branch: { to: () => ({}), from: () => undefined },
    content: {
      to: (v) => ({ content: base64(v) }),
      from: (live) => live["content"] && fromBase64(live["content"]),
      keys: () => ["content"],
    },
    contentBase64: {
      to: (content) => ({ content }),
      from: (live) => live["content"],
      keys: () => ["content"],
    },
  },
  document: {
    section: "files",
    under: { Project: "project" },
    keyedBy: "path",
    form: "map",
    scalar: "content",
  },
  examples: {
    create: { project: "@Project", path: "docs/readme.md", content: "# Web\n" },
    update: { content: "# Web shop\n" },
    outside: { content: "changed by hand\n" },
    replace: { path: "README.md" },
  },

  matches: (live, at) => live["path"] === at["path"],
  rules(args, problem) {
    const given = ["content", "contentBase64"].filter((name) => args[name] !== undefined);
    if (given.length === 0) problem("content", "is required: either this or contentBase64", "required");
    if (given.length === 2)
      problem("contentBase64", "does not go with content: give one or the other", "conflict");
  },
  waitsFor: ({ branch }, around) =>
    branch === undefined ? [] : around("Branch").filter(({ name }) => name === branch),
  list(context, at) {
    const { key, load } = place(context, at);
    const found = () =>
      load().catch((error: unknown) =>
        isServiceError(error, "not-found") ? [] : Promise.reject(error as Error),
      );
    return { kind: "list", key, load: found };
  },
  sources(context, at) {
    return [this.list(context, at)!];
  },
  async create(context, body, at) {
    const { project } = place(context, at);
    const sent = { ...body, ...commit(at) } as { path: string; content: string; message: string };
    return (await context.api.contents.create(context.workspace, project, sent)).content;
  },
  async update(context, body, at) {
    const { project, path } = place(context, at);
    const sent = { content: String(body["content"]), ...commit(at) };
    return (await context.api.contents.update(context.workspace, project, path, sent)).content;
  },
  async delete(context, at) {
    const { project, path } = place(context, at);
    await context.api.contents.delete(context.workspace, project, path, commit(at));
  },
});

function place(context: Context, at: Fields) {
  const project = context.projectOf(at);
  const path = String(at["path"]);
  const { branch } = commit(at);
  const query = branch === undefined ? {} : { revision: branch };
  const load = () => context.api.contents.list(context.workspace, project, path, query).toArray();
  return { project, path, key: `projects/${project}/contents/${branch ?? ""}:${path}`, load };
}

function commit(at: Fields): { message: string; branch?: string } {
  const message =
    typeof at["message"] === "string" ? at["message"] : `${String(at["path"])}: managed as code`;
  return { message, ...(typeof at["branch"] === "string" ? { branch: at["branch"] } : {}) };
}
