import { z } from "zod";
import { text } from "../definition/primitives.js";
import { defineResource, htmlUrl } from "../definition/definition.js";
import { notSent, projectReference } from "../definition/references.js";

const onlyAtCreation = ["revision", "description"];

/** Spec, Endpoints: Repository. The service cannot change a branch; commits move it, and that is no drift. */
export const branch = defineResource({
  type: "Branch",
  noun: "branch",
  description:
    "A branch of a project's repository. Where it points moves with its commits and is not managed.",
  args: {
    project: text.describe("The project: a Project or its name."),
    projectId: text.optional().describe("Filled in when `project` is a Project."),
    name: text.describe("Name of the branch."),
    revision: text
      .optional()
      .describe("Commit the branch begins at: a hash, a branch or a tag. Only for the creation.")
      .meta({ examples: ["main"] }),
    description: text
      .optional()
      .describe("What the branch is for. Only for the creation.")
      .meta({ examples: ["The next release"] }),
    force: z
      .boolean()
      .optional()
      .describe("Delete the branch even when it is not merged, which the service otherwise refuses.")
      .meta({ default: false }),
  },
  outputs: { htmlUrl },
  id: ["project", "name"],
  identity: { state: "name", wire: "name" },
  naturalKey: ["project", "name"],
  replaceOn: ["project", "name"],
  writeOnly: onlyAtCreation,
  references: { project: projectReference },
  wire: {
    project: notSent,
    projectId: notSent,
    force: notSent,
    revision: { to: (revision) => ({ commit: { revision } }), keys: () => ["commit"] },
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

  matches: (live, at) => live["name"] === at["name"],
  undeclared: (_context, live) =>
    Promise.resolve(live["default"] === true ? "every repository has its default branch" : undefined),
  refuse({ olds, changed }) {
    const fixed = changed.filter((name) => onlyAtCreation.includes(name) && olds[name] !== undefined);
    if (fixed.length === 0) return undefined;
    return (
      `branch "${String(olds["name"])}": ${fixed.join(", ")} cannot be changed once the branch exists. ` +
      `Take the change back, or declare a branch of another name`
    );
  },
  // The first branch needs a commit to begin at. What a file of the run commits on another branch of the run is not its business.
  waitsFor({ name, revision }, around) {
    const others = around("Branch").filter((branch) => branch["name"] !== name);
    const from = others.filter((branch) => revision !== undefined && branch["name"] === revision);
    const own = [name, ...others.map((branch) => branch["name"])];
    const files = around("RepositoryFile").filter(({ branch }) =>
      branch === undefined
        ? true
        : typeof branch === "string" && (branch === revision || !own.includes(branch)),
    );
    return [...from, ...files];
  },
  list(context, at) {
    const project = context.projectOf(at);
    const load = () => context.api.branches.list(context.workspace, project).toArray();
    return { kind: "list", key: `projects/${project}/branches`, load };
  },
  sources(context, at) {
    const project = context.projectOf(at);
    const name = String(at["name"]);
    const load = () => context.api.branches.get(context.workspace, project, name);
    return [this.list(context, at)!, { kind: "single", key: `projects/${project}/branches/${name}`, load }];
  },
  create: (context, body, at) =>
    context.api.branches.create(context.workspace, context.projectOf(at), body as { name: string }),
  update: () => Promise.resolve(undefined),
  delete: (context, at) =>
    context.api.branches.delete(context.workspace, context.projectOf(at), String(at["name"]), {
      ...(at["force"] === true ? { force: true } : {}),
    }),
});
