/** Files and folders of a repository. */
import { z } from "zod";
import type { CreateOptions } from "../create-once.js";
import { list, typed, updateOne } from "../endpoint.js";
import { returnNoneIfMissing } from "../errors.js";
import type { Http } from "../http.js";
import type { PageQuery } from "../paging.js";
import { encodeFilePath, path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";
import { CommitSummary } from "./summaries.js";

export const ContentEntry = apiObject({
  ...links,
  content_type: unchecked<"FILE" | "DIR" | "SYMLINK" | "SUB_MODULE">(),
  name: unchecked<string>(),
  path: z.string(),
  /** Files only. */
  encoding: unchecked<"base64">(),
  size: unchecked<number>(),
  /** Base64. Files only. */
  content: unchecked<string>(),
});
export type ContentEntry = z.infer<typeof ContentEntry>;

/** The response to POST and PUT. */
export const ContentChange = apiObject({ content: ContentEntry, commit: CommitSummary });
export type ContentChange = z.infer<typeof ContentChange>;

export interface ContentQuery extends PageQuery {
  /** Hash, branch or tag. Default: HEAD. */
  revision?: string;
}

export interface ContentUpdate {
  /** Base64. */
  content: string;
  message: string;
  branch?: string;
}

export interface ContentCreate extends ContentUpdate {
  path: string;
}

const read = { scopes: ["WORKSPACE", "REPOSITORY_READ"] };
const write = { scopes: ["WORKSPACE", "REPOSITORY_WRITE"] };

const root = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/contents`;

function one(domain: string, project: string, file: string): string {
  const rest = encodeFilePath(file);
  return rest === "" ? root(domain, project) : `${root(domain, project)}/${rest}`;
}

const commitsPath = (domain: string, project: string) =>
  path`/workspaces/${domain}/projects/${project}/repository/commits`;
/** The newest commit that changed a file. */
const Newest = apiObject({ commits: z.tuple([CommitSummary]).rest(CommitSummary) });

const listed = list(one, ContentEntry, {
  ...read,
  array: "contents",
  key: (entry) => entry.path,
  query: typed<ContentQuery>(),
});

/** Files of a project's repository (spec: Repository). Scopes WORKSPACE and REPOSITORY_READ or REPOSITORY_WRITE. */
export const contents = {
  /** GET P/contents/:path: the entries of a folder, or a file with its content. Errors: not-found (when iterated). */
  list: listed,
  /**
   * POST P/contents: a new file by a commit. Errors: invalid-value, conflict, denied.
   * Natural key: the path on the branch, with the same content.
   */
  create:
    (http: Http) =>
    (
      domain: string,
      project: string,
      body: ContentCreate,
      options?: CreateOptions,
    ): Promise<ContentChange> => {
      const revision = body.branch === undefined ? {} : { revision: body.branch };
      const key = {
        what: `file ${JSON.stringify(body.path)}`,
        candidates: (o: CallOptions) =>
          listed(http)(domain, project, body.path, revision, o).toArray().catch(returnNoneIfMissing),
        matches: ({ content }: ContentEntry) => content != null && isSameFile(content, body.content),
        id: listed.key,
        read: async (content: ContentEntry, o: CallOptions) => {
          const query = { ...revision, path: content.path, page: 1, per_page: 1 };
          const newest = await http.get(Newest, { path: commitsPath(domain, project), ...read, query }, o);
          return { content, commit: newest.commits[0] };
        },
      };
      return http.create(ContentChange, { path: root(domain, project), ...write, body }, key, options);
    },
  /** PUT P/contents/:path: new content for a file by a commit. Errors: invalid-value, not-found, denied. */
  update: updateOne(one, ContentChange, { ...write, method: "PUT", body: typed<ContentUpdate>() }),
  /** DELETE P/contents/:path by a commit, which is returned; undefined when the file did not exist any more. */
  delete:
    (http: Http) =>
    async (
      domain: string,
      project: string,
      file: string,
      body: { message: string; branch?: string },
      options?: CallOptions,
    ): Promise<CommitSummary | undefined> => {
      const request = { path: one(domain, project, file), ...write, body };
      const { response } = await http.remove(request, options);
      return response === undefined
        ? undefined
        : http.transport.check(CommitSummary, response, { method: "DELETE", ...request });
    },
};

function isSameFile(a: string, b: string): boolean {
  return Buffer.from(a, "base64").equals(Buffer.from(b, "base64"));
}
