/** Resource type `RepositoryFile`. */
import { z } from "zod";
import { ContentEntry } from "../client/api/contents.js";
import { returnNoneIfMissing } from "../client/errors.js";
import { defineResource, output } from "./definition/define-resource.js";
import type { WrittenArgs } from "./definition/handlers.js";
import { loadWhole } from "./definition/lists.js";
import { optional, text } from "./definition/primitives.js";
import { notSent, projectArgs, projectReference } from "./definition/references.js";

const encodeBase64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
const fromBase64 = (bytes: string) => Buffer.from(bytes, "base64").toString("utf8");

const args = {
  ...projectArgs,
  path: text
    .regex(/^[^/].*[^/]$|^[^/]$/, "must not begin or end with a slash")
    .describe("Path of the file in the repository."),
  content: optional(z.string().min(1), "The file's text. Either this or `contentBase64`."),
  contentBase64: optional(z.base64(), "The file's bytes in Base64, for binary files.", "iVBORw0KGgo="),
  branch: optional(text, "Branch to commit to. Default: the repository's default branch.", "main"),
  message: optional(text, 'Commit message. Default: "<path>: managed as code".', "Describe how to deploy"),
};

declare module "./definition/definition.js" {
  interface DeclaredArgs {
    RepositoryFile: WrittenArgs<typeof args>;
  }
}

/** Spec, Endpoints: Repository (`P/contents`). Each change is a commit. */
export const repositoryFile = defineResource({
  type: "RepositoryFile",
  noun: "file",
  description: "A file of a project's repository. Each change is a commit on the branch.",
  remote: ContentEntry,
  args,
  outputs: {
    size: {
      ...output("size", z.int().describe("Size in bytes.")),
      derivedFrom: ["content", "contentBase64"],
    },
  },
  id: ["project", "branch", "path"],
  identity: { state: "path", apiName: "path" },
  naturalKey: ["project", "branch", "path"],
  replaceOn: ["project", "path", "branch"],
  references: { project: projectReference },
  apiFields: {
    project: notSent,
    projectId: notSent,
    message: notSent,
    path: {
      to: (path, creating) => (creating ? { path } : {}),
      from: ({ path }) => path,
      keys: () => ["path"],
    },
    branch: notSent,
    content: {
      to: (text) => ({ content: encodeBase64(String(text)) }),
      from: ({ content }) => content && fromBase64(content),
      keys: () => ["content"],
    },
    contentBase64: {
      to: (content) => ({ content }),
      from: ({ content }) => content,
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

  matches: (remote, { path }) => remote.path === path,
  rules({ content, contentBase64 }, problem) {
    if (content === undefined && contentBase64 === undefined)
      problem("content", "is required, or contentBase64", "required");
    if (content !== undefined && contentBase64 !== undefined)
      problem("contentBase64", "excludes content: set one of the two", "conflict");
  },
  waitsFor: ({ branch }, around) =>
    branch === undefined ? [] : around("Branch").filter(({ name }) => name === branch),
  list(context, state) {
    const project = context.projectOf(state);
    const { path, branch } = state;
    const query = branch === undefined ? {} : { revision: branch };
    const read = () => context.api.contents.list(context.workspace, project, path, query).toArray();
    // A path that does not exist has no list.
    const load = () => loadWhole(read().catch(returnNoneIfMissing));
    return { kind: "list", key: `projects/${project}/repository/contents/${path}?ref=${branch ?? ""}`, load };
  },
  sources: (_context, _state, list) => list,
  async create(context, _body, state) {
    const body = { path: state.path, content: decodeBytes(state), ...createCommit(state) };
    return (await context.api.contents.create(context.workspace, context.projectOf(state), body)).content;
  },
  async update(context, _body, state) {
    const body = { content: decodeBytes(state), ...createCommit(state) };
    const project = context.projectOf(state);
    return (await context.api.contents.update(context.workspace, project, state.path, body)).content;
  },
  async delete(context, state) {
    await context.api.contents.delete(
      context.workspace,
      context.projectOf(state),
      state.path,
      createCommit(state),
    );
  },
});

interface File {
  readonly path: string;
  readonly content?: string | undefined;
  readonly contentBase64?: string | undefined;
  readonly branch?: string | undefined;
  readonly message?: string | undefined;
}

/** The content of the file in Base64, from the one of the two arguments that is declared. */
function decodeBytes({ content = "", contentBase64 = encodeBase64(content) }: File): string {
  return contentBase64;
}

function createCommit({ path, branch, message = `${path}: managed as code` }: File) {
  return { message, ...(branch === undefined ? {} : { branch }) };
}
