/** Endpoints and tables of branches. */
import { z } from "zod";
import type { Context } from "../context.js";
import { createEmptyValueError, createNotFoundError } from "../errors.js";
import { flag, nonBlank } from "../fields.js";
import type { PullRow } from "../model.js";
import { createBranch, deleteBranch } from "../operations/repository.js";
import { respondCreated, respondList, respondOk, serializeFields } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import {
  branchFull,
  branchSummary,
  buildRepositoryLinks,
  pullSchema,
  serializeBranch,
  serializeBranchSummary,
  serializeCommit,
  tagFull,
  tagSummary,
} from "../serializers/repository.js";

const area = "Repository";
const path = "/workspaces/:domain/projects/:project_name/repository";
/** Endpoints that read a repository. */
export const readRepository = defineEndpoints(path, {
  area,
  scopes: ["WORKSPACE", "REPOSITORY_READ"],
  repository: "READ_ONLY",
});
/** Endpoints that write to a repository. */
export const writeRepository = defineEndpoints(path, {
  area,
  scopes: ["WORKSPACE", "REPOSITORY_WRITE"],
  repository: "READ_WRITE",
});

const serializePull = (context: Context, row: PullRow) =>
  serializeFields(row, pullSchema, { url: buildRepositoryLinks(context, "pulls", String(row.number)).url });

export const branchResource: Resource = {
  tables: { pulls: { belongsTo: { projects: "projectId" } } },
  routes: [
    readRepository("GET /branches", "Branches", {
      response: respondList("branches", branchSummary),
      handle: async (context) => {
        const { repository, project } = context;
        // A new project has its default branch before the first commit.
        const all = [...new Set([project.default_branch, ...(await repository.branches())])];
        return context.all(all).map((name) => serializeBranchSummary(context, name));
      },
    }),
    readRepository("GET /branches/:name*", "One branch with its commit; null before the first one", {
      response: respondOk(branchFull),
      handle: async (context) => {
        const { repository, project } = context;
        const name = context.param("name");
        if (name !== project.default_branch && (await repository.branch(name)) === undefined) {
          throw createNotFoundError(`Branch '${name}'`);
        }
        return serializeBranch(context, name);
      },
    }),
    writeRepository("POST /branches", "Create a branch from a revision; default HEAD", {
      body: {
        name: nonBlank,
        description: nonBlank.nullish(),
        commit: z.object({ revision: nonBlank }).nullish(),
      },
      response: respondCreated(branchFull),
      handle: async (context) => {
        const { name, description = null, commit } = context.body;
        if (name === "HEAD") throw createEmptyValueError("name");
        await createBranch(context, name, description, commit?.revision ?? "HEAD");
        return serializeBranch(context, name);
      },
    }),
    writeRepository("DELETE /branches/:name*", "Delete a branch; one that is not merged only with force", {
      query: { force: flag },
      handle: (context) => deleteBranch(context, context.param("name"), context.query.force ?? false),
    }),
    readRepository("GET /tags", "Tags", {
      response: respondList("tags", tagSummary),
      handle: async (context) => {
        const names = await context.repository.tags();
        return context
          .all(names)
          .map((name) => ({ url: buildRepositoryLinks(context, "tags", name).url, name }));
      },
    }),
    readRepository("GET /tags/:name*", "One tag with its commit", {
      response: respondOk(tagFull),
      handle: async (context) => {
        const { repository } = context;
        const name = context.param("name");
        const oid = await repository.tag(name);
        if (oid === undefined) throw createNotFoundError(`Tag '${name}'`);
        const commit = serializeCommit(context, await repository.requireCommit(oid));
        return { url: buildRepositoryLinks(context, "tags", name).url, name, commit };
      },
    }),
    readRepository("GET /pulls", "Pull requests of the hosted Git project", {
      response: respondList("pull_requests", pullSchema),
      handle: (context) =>
        context.all(context.store.pulls.of(context.project.id)).map((row) => serializePull(context, row)),
    }),
    readRepository("GET /pulls/:number", "One pull request", {
      response: respondOk(pullSchema),
      handle: (context) => {
        const number = context.id("number");
        const row = context.store.pulls.find(context.project.id, (pull) => pull.number === number);
        if (row === undefined) throw createNotFoundError(`Pull request ${number}`);
        return serializePull(context, row);
      },
    }),
  ],
};
