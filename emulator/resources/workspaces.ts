import { formatDate } from "../clock.js";
import { endpoints, type Resource } from "../route.js";
import { listOf, ok } from "../response.js";
import { membershipOf } from "../access.js";
import { serializeWorkspace, workspaceFull, workspaceSummary } from "../serializers/people.js";

const area = "Workspaces and user profile";
const member = endpoints("/workspaces", { area, scopes: ["WORKSPACE"] });

export const workspaceResource: Resource = {
  tables: { workspaces: { key: "domain" } },
  routes: [
    member("GET", "The caller's workspaces", {
      response: listOf("workspaces", workspaceSummary),
      handle: (context) => {
        const { service, store, user } = context;
        const own = [...store.workspaces.all()].filter((row) => membershipOf(store, row, user.id));
        return context.all(own).map((row) => serializeWorkspace(service, row));
      },
    }),
    member("GET /:domain", "One workspace", {
      response: ok(workspaceFull),
      handle: ({ service, workspace }) => ({
        ...serializeWorkspace(service, workspace),
        owner_id: workspace.ownerId,
        frozen: workspace.frozen,
        create_date: formatDate(workspace.createdAt),
      }),
    }),
  ],
};
