import { z } from "zod";
import { check } from "../check.js";
import type { CreateOptions } from "../create.js";
import { isServiceError } from "../errors.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { filePath, path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";
import { CommitSummary } from "./summaries.js";

export const ContentEntry = wire({
  ...links,
  content_type: told<"FILE" | "DIR" | "SYMLINK" | "SUB_MODULE">(),
  name: told<string>(),
  path: z.string(),
  /** Files only. */
  encoding: told<"base64">(),
  size: told<number>(),
  /** Base64; files only. */
  content: told<string>(),
});
export type ContentEntry = z.infer<typeof ContentEntry>;

/** What POST and PUT answer. */
export const ContentChange = wire({ content: ContentEntry, commit: CommitSummary });
export type ContentChange = z.infer<typeof ContentChange>;

export interface ContentQuery extends PageQuery {
  /** Hash, branch or tag; HEAD when omitted. */
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

/** Files of a project's repository (spec: Repository). Scopes WORKSPACE and REPOSITORY_READ or REPOSITORY_WRITE. */
export class Contents extends Area {
  /** GET P/contents/:path: the entries of a folder, or a file with its content. Errors: not-found (when iterated). */
  list(
    domain: string,
    project: string,
    file: string,
    query?: ContentQuery,
    options?: CallOptions,
  ): Listing<ContentEntry> {
    const request = { path: at(domain, project, file), ...read, query, array: "contents" };
    return this.http.list(ContentEntry, { ...request, key: (entry) => entry.path }, options);
  }

  /**
   * POST P/contents: a new file by a commit. Errors: invalid-value, conflict, denied.
   * Natural key: the path on the branch, with the same content.
   */
  create(
    domain: string,
    project: string,
    body: ContentCreate,
    options?: CreateOptions,
  ): Promise<ContentChange> {
    const revision = body.branch === undefined ? {} : { revision: body.branch };
    const key = {
      what: `file ${JSON.stringify(body.path)}`,
      candidates: (o: CallOptions) => this.#file(domain, project, body.path, revision, o),
      matches: (entry: ContentEntry) => entry.content != null && sameBytes(entry.content, body.content),
      id: (entry: ContentEntry) => entry.path,
      read: async (content: ContentEntry, o: CallOptions) => {
        const commit = await this.#lastCommit(domain, project, { ...revision, path: content.path }, o);
        return { content, commit };
      },
    };
    return this.http.create(ContentChange, { path: at(domain, project, ""), ...write, body }, key, options);
  }

  /** PUT P/contents/:path: new content for a file by a commit. Errors: invalid-value, not-found, denied. */
  update(
    domain: string,
    project: string,
    file: string,
    body: ContentUpdate,
    options?: CallOptions,
  ): Promise<ContentChange> {
    const request = { path: at(domain, project, file), ...write, body };
    return this.http.send(ContentChange, { method: "PUT", ...request }, options);
  }

  /** DELETE P/contents/:path by a commit, which is the answer; undefined when the file was gone already. */
  async delete(
    domain: string,
    project: string,
    file: string,
    body: { message: string; branch?: string },
    options?: CallOptions,
  ): Promise<CommitSummary | undefined> {
    const request = { path: at(domain, project, file), ...write, body };
    const answer = await this.http.remove(request, options);
    return answer === undefined ? undefined : check(CommitSummary, answer, { method: "DELETE", ...request });
  }

  async #file(
    domain: string,
    project: string,
    file: string,
    revision: { revision?: string },
    options: CallOptions,
  ): Promise<ContentEntry[]> {
    try {
      return await this.list(domain, project, file, revision, options).toArray();
    } catch (error) {
      if (isServiceError(error, "not-found")) return [];
      throw error;
    }
  }

  async #lastCommit(
    domain: string,
    project: string,
    query: { revision?: string; path: string },
    options: CallOptions,
  ): Promise<CommitSummary> {
    const request = {
      path: path`/workspaces/${domain}/projects/${project}/repository/commits`,
      ...read,
      query: { ...query, page: 1, per_page: 1 },
    };
    const answer = await this.http.get(
      wire({ commits: z.tuple([CommitSummary]).rest(CommitSummary) }),
      request,
      options,
    );
    return answer.commits[0];
  }
}

function at(domain: string, project: string, file: string): string {
  const contents = path`/workspaces/${domain}/projects/${project}/repository/contents`;
  const rest = filePath(file);
  return rest === "" ? contents : `${contents}/${rest}`;
}

function sameBytes(a: string, b: string): boolean {
  return Buffer.from(a, "base64").equals(Buffer.from(b, "base64"));
}
