/** Endpoints and tables of commits. */
import { z } from "zod";
import type { Context } from "../context.js";
import { createNotFoundError } from "../errors.js";
import { inputDate, integer, nonBlank, parseDate } from "../fields.js";
import type { Commit } from "../git/commit.js";
import { cleanPath } from "../git/ref-names.js";
import type { Repository } from "../git/repository.js";
import { decodeBase64, type Write, writeFile } from "../operations/repository.js";
import { pageQuery } from "../paging.js";
import {
  defineSchema,
  links,
  respondCreated,
  respondList,
  respondOk,
  toNullableObjectSchema,
} from "../response.js";
import type { Resource } from "../route.js";
import {
  buildRepositoryLinks,
  commitFull,
  commitSummary,
  contentSchema,
  serializeCommit,
  serializeCommitFull,
  serializeContent,
  writtenSchema,
} from "../serializers/repository.js";
import { readRepository, writeRepository } from "./branches.js";

/** Returns the commit to start from; undefined for a branch without commits. */
async function start(context: Context, revision: string | undefined): Promise<string | undefined> {
  const { repository, project } = context;
  const named = revision ?? project.default_branch;
  const oid = await repository.resolve(named);
  if (oid === undefined && named !== "HEAD" && named !== project.default_branch)
    throw createNotFoundError(`Revision '${named}'`);
  return oid;
}

/** Reports whether a commit changed the object at a path. */
async function touches(repository: Repository, commit: Commit, path: string): Promise<boolean> {
  const own = await repository.entry(commit.oid, path);
  const before = await repository.entry(commit.parent[0], path);
  return own?.oid !== before?.oid || own?.mode !== before?.mode;
}

const comparisonSchema = defineSchema("Comparison", {
  ...links,
  commits: z.array(z.object(commitSummary.fields)),
  base_commit: toNullableObjectSchema(commitSummary),
  ahead: integer,
  behind: integer,
});

async function listContents(context: Context, path: string) {
  const { repository } = context;
  const revision = context.rawQuery["revision"];
  const oid = await start(context, typeof revision === "string" && revision !== "" ? revision : undefined);
  const location = buildRepositoryLinks(context, "contents", path);
  if (oid === undefined) {
    if (path !== "") throw createNotFoundError(`File '${path}'`);
    return { ...location, contents: [] };
  }
  const entry = await repository.entry(oid, path);
  if (entry === undefined) throw createNotFoundError(`File '${path}'`);
  if (entry.type !== "tree") {
    return {
      ...location,
      contents: [await serializeContent(context, path, entry, true)],
    };
  }
  const entries = context.all(await repository.tree(entry.oid), "fixed");
  const prefix = path === "" ? "" : `${path}/`;
  const contents = await Promise.all(
    entries.map((each) => serializeContent(context, prefix + each.path, each, false)),
  );
  return { ...location, contents };
}

async function writeAndSerialize(context: Context, values: Omit<Write, "content"> & { content: string }) {
  const { repository, user } = context;
  const body = decodeBase64(values.content);
  const commit = await writeFile(context, user, { ...values, content: body });
  const entry = await repository.entry(commit.oid, values.path);
  if (entry === undefined) throw new Error(`${values.path} was written and is missing`);
  return {
    content: await serializeContent(context, values.path, entry, true),
    commit: await serializeCommitFull(context, commit),
  };
}

const contentsQuery = { revision: nonBlank.describe("HEAD when omitted.") } as const;
const writeFields = {
  content: nonBlank.describe("Base64."),
  message: nonBlank,
  branch: nonBlank.nullish(),
} as const;

export const commitResource: Resource = {
  routes: [
    readRepository("GET /commits", "Commits, newest first", {
      query: {
        author: nonBlank.describe("Part of the author's name or e-mail address."),
        path: nonBlank,
        revision: nonBlank.describe("Hash, branch or tag to start from; default the default branch."),
        since: inputDate,
        until: inputDate,
        ...pageQuery,
      },
      response: respondList("commits", commitSummary),
      handle: async (context) => {
        const { repository, query } = context;
        const oid = await start(context, query.revision);
        const author = query.author?.toLowerCase();
        const since = query.since === undefined ? -Infinity : parseDate(query.since);
        const until = query.until === undefined ? Infinity : parseDate(query.until);
        let commits = (oid === undefined ? [] : await repository.history(oid)).filter((commit) => {
          const time = commit.committer.timestamp * 1000;
          const by = `${commit.author.name}\n${commit.author.email}`.toLowerCase();
          return time >= since && time <= until && (author === undefined || by.includes(author));
        });
        if (query.path !== undefined) {
          const path = cleanPath(query.path);
          const flags = await Promise.all(commits.map((commit) => touches(repository, commit, path)));
          commits = commits.filter((_, index) => flags[index]);
        }
        return context.page(commits, "fixed").map((commit) => serializeCommit(context, commit));
      },
    }),
    readRepository("GET /commits/:revision*", "One commit with its files", {
      response: respondOk(commitFull),
      handle: async (context) => {
        const { repository } = context;
        const revision = context.param("revision");
        const oid = await repository.resolve(revision);
        if (oid === undefined) throw createNotFoundError(`Commit '${revision}'`);
        return serializeCommitFull(context, await repository.requireCommit(oid));
      },
    }),
    readRepository(
      "GET /comparison/:base...:head",
      "The commits of head that base has not; base_commit is their merge base",
      {
        query: pageQuery,
        response: respondOk(comparisonSchema),
        handle: async (context) => {
          const { repository } = context;
          const [base, head] = await Promise.all(
            [context.param("base"), context.param("head")].map(async (name) => {
              const oid = await repository.resolve(name);
              if (oid === undefined) throw createNotFoundError(`Revision '${name}'`);
              return oid;
            }),
          );
          const { ahead, behind, mergeBase } = await repository.compare(base ?? "", head ?? "");
          const parted = mergeBase === undefined ? undefined : await repository.requireCommit(mergeBase);
          return {
            ...buildRepositoryLinks(
              context,
              "comparison",
              `${context.param("base")}...${context.param("head")}`,
            ),
            commits: context.page(ahead, "fixed").map((commit) => serializeCommit(context, commit)),
            base_commit: parted === undefined ? null : serializeCommit(context, parted),
            ahead: ahead.length,
            behind: behind.length,
          };
        },
      },
    ),
    readRepository("GET /contents", "Entries of the root folder of the repository (the spec's path, empty)", {
      query: contentsQuery,
      response: respondList("contents", contentSchema),
      handle: (context) => listContents(context, ""),
    }),
    readRepository("GET /contents/:path*", "A folder's entries, or one file with its body", {
      query: contentsQuery,
      response: respondList("contents", contentSchema),
      handle: (context) => listContents(context, cleanPath(context.param("path"))),
    }),
    writeRepository("POST /contents", "Add a file", {
      body: { ...writeFields, path: nonBlank },
      response: respondCreated(writtenSchema),
      handle: (context) => {
        const { body } = context;
        return writeAndSerialize(context, { ...body, path: cleanPath(body.path), expects: "new" });
      },
    }),
    writeRepository("PUT /contents/:path*", "Update an existing file", {
      body: writeFields,
      response: respondOk(writtenSchema),
      handle: (context) => {
        const path = cleanPath(context.param("path"));
        return writeAndSerialize(context, { ...context.body, path, expects: "existing" });
      },
    }),
    writeRepository("DELETE /contents/:path*", "Delete a file; returns the commit", {
      body: { message: writeFields.message, branch: writeFields.branch },
      response: respondOk(commitFull),
      handle: async (context) => {
        const { user, body } = context;
        const path = cleanPath(context.param("path"));
        const deletion = { ...body, path, content: null, expects: "existing" } as const;
        const commit = await writeFile(context, user, deletion);
        return serializeCommitFull(context, commit);
      },
    }),
  ],
};
