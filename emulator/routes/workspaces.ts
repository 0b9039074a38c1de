import { formatDate } from "../clock.js";
import { route } from "../route.js";
import { listOf, ok } from "../view.js";
import { membershipOf } from "../access.js";
import { showWorkspace, workspaceFull, workspaceSummary } from "../views/people.js";

const area = "Workspaces and user profile";

export const workspaceRoutes = [
  route({
    method: "GET",
    path: "/workspaces",
    area,
    summary: "The caller's workspaces",
    scopes: ["WORKSPACE"],
    answer: listOf("workspaces", workspaceSummary),
    handle: (context) => {
      const { service, store } = context;
      const own = [...store.workspaces.all()].filter((row) => membershipOf(store, row, context.user.id));
      return {
        url: `${service.links.api}/workspaces`,
        html_url: service.links.web,
        workspaces: context.all(own).map((row) => showWorkspace(service, row)),
      };
    },
  }),
  route({
    method: "GET",
    path: "/workspaces/:domain",
    area,
    summary: "One workspace",
    scopes: ["WORKSPACE"],
    answer: ok(workspaceFull),
    handle: ({ service, workspace }) => ({
      ...showWorkspace(service, workspace),
      owner_id: workspace.ownerId,
      frozen: workspace.frozen,
      create_date: formatDate(workspace.createdAt),
    }),
  }),
];
