import { formatDate } from "../clock.js";
import { route, type Resource } from "../route.js";
import { listOf, ok } from "../response.js";
import { membershipOf } from "../access.js";
import { serializeWorkspace, workspaceFull, workspaceSummary } from "../serializers/people.js";

const area = "Workspaces and user profile";
const member = { area, scopes: ["WORKSPACE"] } as const;

export const workspaceResource: Resource = {
  tables: { workspaces: { key: "domain" } },
  routes: [
    route({
      ...member,
      method: "GET",
      path: "/workspaces",
      summary: "The caller's workspaces",
      response: listOf("workspaces", workspaceSummary),
      handle: (context) => {
        const { service, store } = context;
        const own = [...store.workspaces.all()].filter((row) => membershipOf(store, row, context.user.id));
        return {
          url: `${service.links.api}/workspaces`,
          html_url: service.links.web,
          workspaces: context.all(own).map((row) => serializeWorkspace(service, row)),
        };
      },
    }),
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain",
      summary: "One workspace",
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
