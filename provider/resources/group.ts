import { clearableText, id, text } from "../../schema/index.js";
import { defineResource, htmlUrl, output } from "../definition.js";
import { keys } from "../lists.js";

/** Spec, Resources: Group; Endpoints: Workspace members, groups, permission sets. */
export const group = defineResource({
  type: "Group",
  noun: "group",
  description: "A named set of workspace members.",
  args: {
    name: text.describe("Name of the group. A change renames it in place."),
    description: clearableText.optional().describe("What the group is for."),
  },
  outputs: { groupId: output("id", id.describe("Number of the group.")), htmlUrl },
  id: ["groupId"],
  identity: { state: "groupId", wire: "id" },
  naturalKey: ["name"],
  document: { section: "groups", under: { workspace: null }, keyedBy: "name", form: "map" },
  examples: {
    create: { name: "QA", description: "Testers" },
    update: { name: "Quality", description: "Release sign-off" },
    outside: { description: "Changed by hand" },
  },

  list: ({ api, workspace }) => ({
    kind: "list",
    key: keys.groups,
    load: () => api.groups.list(workspace).toArray(),
  }),
  sources(context, at) {
    const group = Number(at["groupId"]);
    const load = () => context.api.groups.get(context.workspace, group);
    return [this.list(context, at)!, { kind: "single", key: `groups/${group}`, load }];
  },
  create: ({ api, workspace }, body) => api.groups.create(workspace, body as { name: string }),
  update: ({ api, workspace }, body, at) => api.groups.update(workspace, Number(at["groupId"]), body),
  delete: ({ api, workspace }, at) => api.groups.delete(workspace, Number(at["groupId"])),
});
