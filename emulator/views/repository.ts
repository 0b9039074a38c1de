import type { TreeEntry } from "isomorphic-git";
import { formatDate } from "../clock.js";
import { diffTrees } from "../git/diff.js";
import type { Commit, Person, Repository } from "../git/repository.js";
import { encodePath, type Links } from "../links.js";
import { findUser } from "../operations/people.js";
import type { Service } from "../service.js";
import { date, flag, integer, links, objectOf, text, textOrNull, view } from "../view.js";
import { showMember } from "./people.js";
import type { At } from "./pipelines.js";

/** Answers about branches, tags, pull requests, commits and files. */
const personView = view("CommitPerson", {
  url: textOrNull,
  html_url: textOrNull,
  id: { ...integer, nullable: true },
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
  committer: objectOf(personView),
  author: objectOf(personView),
} as const;

export const commitSummary = view("CommitSummary", commitFields);

export const commitFull = view("Commit", {
  ...commitFields,
  stats: { type: "object", fields: { additions: integer, deletions: integer, total: integer } },
  files: {
    type: "objects",
    fields: {
      file_name: text,
      status: { ...text, values: ["ADDED", "MODIFIED", "REPLACED", "DELETED"] },
      additions: integer,
      deletions: integer,
      total: integer,
      patch: text,
    },
  },
  content_url: text,
  parents: { type: "objects", fields: { ...links, revision: text } },
});

const branchFields = { ...links, name: text, default: flag } as const;
export const branchSummary = view("BranchSummary", branchFields);
export const branchFull = view("Branch", {
  ...branchFields,
  commit: objectOf(commitSummary, true),
  description: textOrNull,
});

export const tagSummary = view("TagSummary", { url: text, name: text });
export const tagFull = view("Tag", { ...tagSummary.fields, commit: objectOf(commitSummary) });
export const pullView = view("PullRequest", { url: text, name: text, git_host_html_url: textOrNull });

export const contentView = view("ContentEntry", {
  ...links,
  content_type: { ...text, values: ["FILE", "DIR", "SYMLINK", "SUB_MODULE"] },
  name: text,
  path: text,
  // Files only; the body only where one file is asked for.
  encoding: { ...text, values: ["base64"], optional: true },
  size: { ...integer, optional: true },
  content: { ...text, optional: true },
});

export const writtenView = view("WrittenContent", {
  content: objectOf(contentView),
  commit: objectOf(commitFull),
});

type Json = Record<string, unknown>;

/** Addresses below a project's repository; the last part may hold slashes. */
export function repositoryLinks(
  service: Service,
  { workspace, project }: At,
  kind: string,
  path = "",
): Links {
  const base = service.links.inWorkspace(workspace.domain, "projects", project.name, "repository", kind);
  const end = path === "" ? "" : `/${encodePath(path)}`;
  return { url: base.url + end, html_url: base.html_url + end };
}

/** A person of a commit: a user of the service, or someone it knows by name and address only. */
function showPerson(service: Service, at: At, person: Person): Json {
  const user = findUser(service, person.email);
  if (user !== undefined) return { ...showMember(service, at.workspace, user), email: person.email };
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

export function showCommit(service: Service, at: At, commit: Commit): Json {
  return {
    ...repositoryLinks(service, at, "commits", commit.oid),
    revision: commit.oid,
    author_date: formatDate(commit.author.timestamp * 1000),
    commit_date: formatDate(commit.committer.timestamp * 1000),
    message: commit.message.trimEnd(),
    committer: showPerson(service, at, commit.committer),
    author: showPerson(service, at, commit.author),
  };
}

export async function showCommitFull(
  service: Service,
  at: At,
  repository: Repository,
  commit: Commit,
): Promise<Json> {
  const [parent] = commit.parent;
  const before = parent === undefined ? undefined : (await repository.needCommit(parent)).tree;
  const files = await diffTrees(repository, before, commit.tree);
  const sum = (name: "additions" | "deletions" | "total") => files.reduce((all, file) => all + file[name], 0);
  return {
    ...showCommit(service, at, commit),
    stats: { additions: sum("additions"), deletions: sum("deletions"), total: sum("total") },
    files,
    content_url: `${repositoryLinks(service, at, "contents").url}?revision=${commit.oid}`,
    parents: commit.parent.map((oid) => ({ ...repositoryLinks(service, at, "commits", oid), revision: oid })),
  };
}

export async function showBranch(
  service: Service,
  at: At,
  repository: Repository,
  name: string,
): Promise<Json> {
  const oid = await repository.branch(name);
  return {
    ...showBranchSummary(service, at, name),
    commit: oid === undefined ? null : showCommit(service, at, await repository.needCommit(oid)),
    description: Object.hasOwn(at.project.branchDescriptions, name)
      ? (at.project.branchDescriptions[name] ?? null)
      : null,
  };
}

export function showBranchSummary(service: Service, at: At, name: string): Json {
  return {
    ...repositoryLinks(service, at, "branches", name),
    name,
    default: name === at.project.default_branch,
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  "040000": "DIR",
  "120000": "SYMLINK",
  "160000": "SUB_MODULE",
};

/** An entry of a folder, or with `withBody` a file and what is in it. */
export async function showContent(
  service: Service,
  at: At,
  repository: Repository,
  path: string,
  entry: TreeEntry,
  withBody: boolean,
): Promise<Json> {
  const content_type = contentTypes[entry.mode] ?? "FILE";
  const shown: Json = {
    ...repositoryLinks(service, at, "contents", path),
    content_type,
    name: path.split("/").at(-1) ?? path,
    path,
  };
  if (content_type !== "FILE") return shown;
  const body = await repository.blob(entry.oid);
  return {
    ...shown,
    encoding: "base64",
    size: body.length,
    ...(withBody ? { content: Buffer.from(body).toString("base64") } : {}),
  };
}
