/** Endpoints and tables of workspaces. */
import { findMembership } from "../access.js";
import { formatDate } from "../clock.js";
import { respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { serializeWorkspace, workspaceFull, workspaceSummary } from "../serializers/people.js";

const area = "Workspaces and user profile";
const member = defineEndpoints("/workspaces", { area, scopes: ["WORKSPACE"] });

export const workspaceResource: Resource = {
  tables: { workspaces: { key: "domain" } },
  routes: [
    member("GET", "The caller's workspaces", {
      response: respondList("workspaces", workspaceSummary),
      handle: (context) => {
        const { service, store, user } = context;
        const own = [...store.workspaces.all()].filter((row) => findMembership(store, row, user.id));
        return context.all(own).map((row) => serializeWorkspace(service, row));
      },
    }),
    member("GET /:domain", "One workspace", {
      response: respondOk(workspaceFull),
      handle: ({ service, workspace }) => ({
        ...serializeWorkspace(service, workspace),
        owner_id: workspace.ownerId,
        frozen: workspace.frozen,
        create_date: formatDate(workspace.createdAt),
      }),
    }),
  ],
};
