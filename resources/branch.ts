/** Resource type `Branch`. */
import { Branch } from "../client/api/branches.js";
import { defineResource, htmlUrl } from "./definition/define-resource.js";
import type { WrittenArgs } from "./definition/handlers.js";
import { createSingleSource, listSource } from "./definition/lists.js";
import { flag, optional, text } from "./definition/primitives.js";
import { notSent, projectArgs, projectReference } from "./definition/references.js";

const onlyAtCreation = ["revision", "description"] as const;

const args = {
  ...projectArgs,
  name: text.describe("Name of the branch."),
  revision: optional(
    text,
    "Commit at which the branch begins: a hash, a branch or a tag. Only for the creation.",
    "main",
  ),
  description: optional(text, "Purpose of the branch. Only for the creation.", "The next release"),
  force: flag("Delete the branch even if it is not merged, which the service otherwise refuses.", false),
};

declare module "./definition/definition.js" {
  interface DeclaredArgs {
    Branch: WrittenArgs<typeof args>;
  }
}

/** Spec, Endpoints: Repository. The service cannot change a branch; commits move it, and that is no drift. */
export const branch = defineResource({
  type: "Branch",
  noun: "branch",
  description:
    "A branch of a project's repository. Its commits move it, so the commit that it points to is not managed.",
  remote: Branch,
  args,
  outputs: { htmlUrl },
  id: ["project", "name"],
  identity: { state: "name", apiName: "name" },
  naturalKey: ["project", "name"],
  replaceOn: ["project", "name"],
  writeOnly: onlyAtCreation,
  references: { project: projectReference },
  apiFields: {
    project: notSent,
    projectId: notSent,
    force: notSent,
    revision: { to: (revision: string) => ({ commit: { revision } }), keys: () => ["commit"] },
  },
  document: {
    section: "branches",
    under: { Project: "project" },
    keyedBy: "name",
    form: "map",
    transient: true,
  },
  examples: {
    create: { project: "@Project", name: "develop" },
    needs: ["RepositoryFile"],
    replace: { name: "next" },
  },

  matches: (remote, { name }) => remote.name === name,
  ignoreUnmanaged: (_context, remote) =>
    Promise.resolve(remote.default === true ? "every repository has its default branch" : undefined),
  validateChange({ olds, changed }) {
    const fixed = onlyAtCreation.filter((name) => changed.includes(name) && olds[name] !== undefined);
    if (fixed.length === 0) return undefined;
    return {
      message: `branch "${String(olds.name)}": ${fixed.join(", ")} cannot be changed once the branch exists`,
      remedy: "Undo the change, or declare a branch with another name",
    };
  },
  // The first branch needs a commit at which it begins. Files on the other branches of the run do not matter.
  waitsFor({ name, revision }, around) {
    const others = around("Branch").filter((branch) => branch.name !== name);
    const from = others.filter((branch) => revision !== undefined && branch.name === revision);
    const own = [name, ...others.map((branch) => branch.name)];
    const files = around("RepositoryFile").filter(
      ({ branch }) =>
        branch === undefined ||
        (typeof branch === "string" && (branch === revision || !own.includes(branch))),
    );
    return [...from, ...files];
  },
  list(context, state) {
    const project = context.projectOf(state);
    return listSource(`projects/${project}/repository/branches`, () =>
      context.api.branches.list(context.workspace, project),
    );
  },
  sources(context, state, list) {
    const project = context.projectOf(state);
    const load = () => context.api.branches.get(context.workspace, project, state.name);
    return [...list, createSingleSource(`projects/${project}/repository/branches/${state.name}`, load)];
  },
  create: (context, body, state) =>
    context.api.branches.create(context.workspace, context.projectOf(state), body),
  update: () => Promise.resolve(undefined),
  delete: (context, state) =>
    context.api.branches.delete(context.workspace, context.projectOf(state), state.name, {
      ...(state.force === true ? { force: true } : {}),
    }),
});
