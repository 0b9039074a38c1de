/** Writes files of a repository, and triggers its pipelines. */
import type { ProjectLocation } from "../context.js";
import {
  createBadRequestError,
  createConflictError,
  createEmptyValueError,
  createNotFoundError,
} from "../errors.js";
import type { Commit } from "../git/commit.js";
import { cleanPath } from "../git/ref-names.js";
import type { FileWrite } from "../git/repository.js";
import type { UserRow } from "../model.js";
import type { SeedFiles, Service } from "../service.js";

/** Operations on a project's repository that routes and seed share. */

type Location = Pick<ProjectLocation, "service" | "project">;

export interface Write {
  path: string;
  /** Null deletes the file. */
  content: Uint8Array | null;
  message: string;
  /** Default: the default branch of the project. */
  branch?: string | null | undefined;
  /** Required state of the path: `new` for POST, `existing` for PUT and DELETE. */
  expects: "new" | "existing";
}

/** Decodes the Base64 content of a file. */
export function decodeBase64(content: string): Uint8Array {
  const compact = content.replace(/\s+/g, "");
  // Avoids repeated groups, which would overflow the stack of the expression on long text.
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact))
    throw createEmptyValueError("content");
  return Buffer.from(compact, "base64");
}

/** Writes or deletes one file by a commit to a branch, and triggers the pipelines of that branch. */
export async function writeFile(location: Location, user: UserRow, write: Write): Promise<Commit> {
  const { service, project } = location;
  const repository = service.repositories.of(project);
  const branch = write.branch ?? project.default_branch;
  const revision = await repository.exclusively(async () => {
    const tip = await repository.branch(branch);
    if (tip === undefined && branch !== project.default_branch)
      throw createBadRequestError(`Branch '${branch}' does not exist.`);
    const entry = await repository.entry(tip, write.path);
    checkExpectation(write, entry?.type);
    return commit(location, branch, [write], write.message, user);
  });
  service.runner.pushed({ project, branch, revision, user });
  return repository.requireCommit(revision);
}

function checkExpectation({ path, expects }: Write, found: string | undefined): void {
  if (expects === "new" && found !== undefined) throw createConflictError(`'${path}' already exists.`);
  if (expects === "existing" && found === undefined) throw createNotFoundError(`File '${path}'`);
  if (expects === "existing" && found === "tree")
    throw createBadRequestError(`'${path}' is a folder, not a file.`);
}

async function commit(
  { service, project }: Location,
  branch: string,
  changes: readonly FileWrite[],
  message: string,
  user: UserRow,
): Promise<string> {
  const author = { name: user.name ?? user.email, email: user.email };
  const now = service.clock.now();
  const revision = await service.repositories.of(project).write(branch, changes, message, author, now);
  // The size only grows because Git stores every version.
  project.size += changes.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  project.updatedAt = now;
  service.store.projects.update(project);
  return revision;
}

export async function createBranch(
  { service, project }: Location,
  name: string,
  description: string | null,
  revision: string,
): Promise<void> {
  const repository = service.repositories.of(project);
  await repository.exclusively(async () => {
    const isUsed = name === project.default_branch || (await repository.branch(name)) !== undefined;
    if (isUsed) throw createConflictError(`A branch with the name '${name}' already exists.`);
    const oid = await repository.resolve(revision);
    if (oid === undefined) throw createBadRequestError(`Revision '${revision}' does not exist.`);
    await repository.setRef("heads", name, oid);
  });
  if (description !== null) {
    project.branchDescriptions[name] = description;
    service.store.projects.update(project);
  }
}

export async function deleteBranch(
  { service, project }: Location,
  name: string,
  force: boolean,
): Promise<void> {
  const repository = service.repositories.of(project);
  const oid = await repository.branch(name);
  if (name === project.default_branch) throw createBadRequestError("The default branch cannot be deleted.");
  if (oid === undefined) throw createNotFoundError(`Branch '${name}'`);
  await repository.exclusively(async () => {
    const main = await repository.branch(project.default_branch);
    const isMerged = main !== undefined && (await repository.isAncestor(oid, main));
    if (!isMerged && !force)
      throw createBadRequestError(`Branch '${name}' is not merged: 'force' is required to delete it.`);
    await repository.deleteBranch(name);
  });
  delete project.branchDescriptions[name];
  service.store.projects.update(project);
}

/** Creates the commits, branches and tags of a seeded project. */
export async function seedRepository(service: Service, seed: SeedFiles): Promise<void> {
  const { project, author, commits, branches, tags } = seed;
  if (commits.length === 0) return;
  const repository = service.repositories.of(project);
  await repository.exclusively(async () => {
    const need = async (revision: string): Promise<string> => {
      const oid = await repository.resolve(revision);
      if (oid === undefined) throw new Error(`project '${project.name}': there is no revision '${revision}'`);
      return oid;
    };
    for (const { message, branch = project.default_branch, files } of commits) {
      const from = branches[branch];
      if (from !== undefined && (await repository.branch(branch)) === undefined) {
        await repository.setRef("heads", branch, await need(from));
      }
      const changes = Object.entries(files).map(([path, text]) => ({
        path: cleanPath(path),
        content: text === null ? null : new TextEncoder().encode(text),
      }));
      await commit({ service, project }, branch, changes, message, author);
    }
    for (const [name, revision] of Object.entries(branches)) {
      if ((await repository.branch(name)) === undefined) {
        await repository.setRef("heads", name, await need(revision));
      }
    }
    for (const [name, revision] of Object.entries(tags)) {
      await repository.setRef("tags", name, await need(revision));
    }
  });
}
