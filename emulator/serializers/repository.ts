/** Commits, branches, tags and files as JSON. */
import type { TreeEntry } from "isomorphic-git";
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { ProjectLocation } from "../context.js";
import { flag, integer, text } from "../fields.js";
import type { Commit, Person } from "../git/commit.js";
import { diffTrees } from "../git/diff.js";
import { encodePath, type Links } from "../links.js";
import { findUser } from "../operations/people.js";
import {
  date,
  defineSchema,
  type Json,
  links,
  textOrNull,
  toNullableObjectSchema,
  toObjectSchema,
} from "../response.js";
import { serializeMember } from "./people.js";

/** Serializers of branches, tags, pull requests, commits and files. */

const personSchema = defineSchema("CommitPerson", {
  url: textOrNull,
  html_url: textOrNull,
  id: integer.nullable(),
  name: textOrNull,
  avatar_url: textOrNull,
  title: textOrNull,
  email: text,
});

const commitFields = {
  ...links,
  revision: text,
  author_date: date,
  commit_date: date,
  message: text,
  committer: toObjectSchema(personSchema),
  author: toObjectSchema(personSchema),
} as const;

export const commitSummary = defineSchema("CommitSummary", commitFields);

export const commitFull = defineSchema("Commit", {
  ...commitFields,
  stats: z.object({ additions: integer, deletions: integer, total: integer }),
  files: z.array(
    z.object({
      file_name: text,
      status: z.enum(["ADDED", "MODIFIED", "REPLACED", "DELETED"]),
      additions: integer,
      deletions: integer,
      total: integer,
      patch: text,
    }),
  ),
  content_url: text,
  parents: z.array(z.object({ ...links, revision: text })),
});

const branchFields = { ...links, name: text, default: flag } as const;
export const branchSummary = defineSchema("BranchSummary", branchFields);
export const branchFull = defineSchema("Branch", {
  ...branchFields,
  commit: toNullableObjectSchema(commitSummary),
  description: textOrNull,
});

export const tagSummary = defineSchema("TagSummary", { url: text, name: text });
export const tagFull = defineSchema("Tag", { ...tagSummary.fields, commit: toObjectSchema(commitSummary) });
export const pullSchema = defineSchema("PullRequest", {
  url: text,
  name: text,
  git_host_html_url: textOrNull,
});

export const contentSchema = defineSchema("ContentEntry", {
  ...links,
  content_type: z.enum(["FILE", "DIR", "SYMLINK", "SUB_MODULE"]),
  name: text,
  path: text,
  // For files only, and the content only where one file is requested.
  encoding: z.enum(["base64"]).optional(),
  size: integer.optional(),
  content: text.optional(),
});

export const writtenSchema = defineSchema("WrittenContent", {
  content: toObjectSchema(contentSchema),
  commit: toObjectSchema(commitFull),
});

const getRepository = ({ service, project }: ProjectLocation) => service.repositories.of(project);

/** Returns links below a project's repository. The last part may contain slashes. */
export function buildRepositoryLinks(location: ProjectLocation, kind: string, path = ""): Links {
  const base = location.service.links.inProject(location, "repository", kind);
  const end = path === "" ? "" : `/${encodePath(path)}`;
  return { url: base.url + end, html_url: base.html_url + end };
}

/** Serializes a person of a commit: a user of the service, or a name and an address. */
function serializePerson(location: ProjectLocation, person: Person): Json {
  const user = findUser(location.service, person.email);
  if (user !== undefined) return { ...serializeMember(location, user.id), email: person.email };
  return {
    url: null,
    html_url: null,
    id: null,
    name: person.name,
    avatar_url: null,
    title: null,
    email: person.email,
  };
}

export function serializeCommit(location: ProjectLocation, commit: Commit): Json {
  return {
    ...buildRepositoryLinks(location, "commits", commit.oid),
    revision: commit.oid,
    author_date: formatDate(commit.author.timestamp * 1000),
    commit_date: formatDate(commit.committer.timestamp * 1000),
    message: commit.message.trimEnd(),
    committer: serializePerson(location, commit.committer),
    author: serializePerson(location, commit.author),
  };
}

export async function serializeCommitFull(location: ProjectLocation, commit: Commit): Promise<Json> {
  const repository = getRepository(location);
  const [parent] = commit.parent;
  const before = parent === undefined ? undefined : (await repository.requireCommit(parent)).tree;
  const files = await diffTrees(repository, before, commit.tree);
  const sum = (name: "additions" | "deletions" | "total") => files.reduce((all, file) => all + file[name], 0);
  return {
    ...serializeCommit(location, commit),
    stats: { additions: sum("additions"), deletions: sum("deletions"), total: sum("total") },
    files,
    content_url: `${buildRepositoryLinks(location, "contents").url}?revision=${commit.oid}`,
    parents: commit.parent.map((oid) => ({
      ...buildRepositoryLinks(location, "commits", oid),
      revision: oid,
    })),
  };
}

export async function serializeBranch(location: ProjectLocation, name: string): Promise<Json> {
  const repository = getRepository(location);
  const oid = await repository.branch(name);
  return {
    ...serializeBranchSummary(location, name),
    commit: oid === undefined ? null : serializeCommit(location, await repository.requireCommit(oid)),
    description: Object.hasOwn(location.project.branchDescriptions, name)
      ? (location.project.branchDescriptions[name] ?? null)
      : null,
  };
}

export function serializeBranchSummary(location: ProjectLocation, name: string): Json {
  return {
    ...buildRepositoryLinks(location, "branches", name),
    name,
    default: name === location.project.default_branch,
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  "040000": "DIR",
  "120000": "SYMLINK",
  "160000": "SUB_MODULE",
};

/** Serializes an entry of a folder, or a file with its content when `withBody` is set. */
export async function serializeContent(
  location: ProjectLocation,
  path: string,
  entry: TreeEntry,
  withBody: boolean,
): Promise<Json> {
  const content_type = contentTypes[entry.mode] ?? "FILE";
  const entryFields: Json = {
    ...buildRepositoryLinks(location, "contents", path),
    content_type,
    name: path.split("/").at(-1) ?? path,
    path,
  };
  if (content_type !== "FILE") return entryFields;
  const body = await getRepository(location).blob(entry.oid);
  return {
    ...entryFields,
    encoding: "base64",
    size: body.length,
    ...(withBody ? { content: Buffer.from(body).toString("base64") } : {}),
  };
}
