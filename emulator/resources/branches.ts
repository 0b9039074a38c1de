import { z } from "zod";
import { flag, nonBlank } from "../fields.js";
import type { Context } from "../context.js";
import { emptyValue, notFound } from "../errors.js";
import { createBranch, deleteBranch } from "../operations/repository.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import {
  branchFull,
  branchSummary,
  pullSchema,
  repositoryLinks,
  serializeBranch,
  serializeBranchSummary,
  serializeCommit,
  tagFull,
  tagSummary,
} from "../serializers/repository.js";
import type { PullRow } from "../model.js";

const area = "Repository";
const base = "/workspaces/:domain/projects/:project_name/repository";
const read = { area, scopes: ["WORKSPACE", "REPOSITORY_READ"], repository: "READ_ONLY" } as const;
const write = { area, scopes: ["WORKSPACE", "REPOSITORY_WRITE"], repository: "READ_WRITE" } as const;

const serializePull = (context: Context, row: PullRow) => ({
  url: repositoryLinks(context.service, context, "pulls", String(row.number)).url,
  name: row.name,
  git_host_html_url: row.git_host_html_url,
});

export const branchResource: Resource = {
  tables: { pulls: { belongsTo: { projects: "projectId" } } },
  routes: [
    route({
      method: "GET",
      path: `${base}/branches`,
      ...read,
      summary: "Branches",
      response: listOf("branches", branchSummary),
      handle: async (context) => {
        const { service, project } = context;
        const names = new Set(await service.repositories.of(project).branches());
        // A new project has its default branch before the first commit.
        const all = [project.default_branch, ...[...names].filter((name) => name !== project.default_branch)];
        return {
          ...repositoryLinks(service, context, "branches"),
          branches: context.all(all).map((name) => serializeBranchSummary(service, context, name)),
        };
      },
    }),
    route({
      method: "GET",
      path: `${base}/branches/:name*`,
      ...read,
      summary: "One branch with its commit; null before the first one",
      response: ok(branchFull),
      handle: async (context) => {
        const { service, project } = context;
        const repository = service.repositories.of(project);
        const name = context.param("name");
        if (name !== project.default_branch && (await repository.branch(name)) === undefined) {
          throw notFound(`Branch '${name}'`);
        }
        return serializeBranch(service, context, repository, name);
      },
    }),
    route({
      method: "POST",
      path: `${base}/branches`,
      ...write,
      summary: "Make a branch from a revision; default HEAD",
      body: {
        name: nonBlank,
        description: nonBlank.nullish(),
        commit: z.object({ revision: nonBlank }).nullish(),
      },
      response: created(branchFull),
      handle: async (context) => {
        const { service, project, body } = context;
        const { name, description = null } = body;
        if (name === "HEAD") throw emptyValue("name");
        const repository = await createBranch(
          service,
          project,
          name,
          description,
          body.commit?.revision ?? "HEAD",
        );
        return serializeBranch(service, context, repository, name);
      },
    }),
    route({
      method: "DELETE",
      path: `${base}/branches/:name*`,
      ...write,
      summary: "Delete a branch; one that is not merged only with force",
      query: { force: flag },
      response: deleted,
      handle: ({ service, project, params, query }) =>
        deleteBranch(service, project, params["name"] ?? "", query.force ?? false),
    }),
    route({
      method: "GET",
      path: `${base}/tags`,
      ...read,
      summary: "Tags",
      response: listOf("tags", tagSummary),
      handle: async (context) => {
        const { service, project } = context;
        const names = await service.repositories.of(project).tags();
        return {
          ...repositoryLinks(service, context, "tags"),
          tags: context
            .all(names)
            .map((name) => ({ url: repositoryLinks(service, context, "tags", name).url, name })),
        };
      },
    }),
    route({
      method: "GET",
      path: `${base}/tags/:name*`,
      ...read,
      summary: "One tag with its commit",
      response: ok(tagFull),
      handle: async (context) => {
        const { service, project } = context;
        const repository = service.repositories.of(project);
        const name = context.param("name");
        const oid = await repository.tag(name);
        if (oid === undefined) throw notFound(`Tag '${name}'`);
        const commit = serializeCommit(service, context, await repository.requireCommit(oid));
        return { url: repositoryLinks(service, context, "tags", name).url, name, commit };
      },
    }),
    route({
      method: "GET",
      path: `${base}/pulls`,
      ...read,
      summary: "Pull requests of the hosted Git project",
      response: listOf("pull_requests", pullSchema),
      handle: (context) => {
        const { service, store, project } = context;
        return {
          ...repositoryLinks(service, context, "pulls"),
          pull_requests: context.all(store.pulls.of(project.id)).map((row) => serializePull(context, row)),
        };
      },
    }),
    route({
      method: "GET",
      path: `${base}/pulls/:number`,
      ...read,
      summary: "One pull request",
      response: ok(pullSchema),
      handle: (context) => {
        const number = context.id("number");
        const row = context.store.pulls.find(context.project.id, (pull) => pull.number === number);
        if (row === undefined) throw notFound(`Pull request ${number}`);
        return serializePull(context, row);
      },
    }),
  ],
};
