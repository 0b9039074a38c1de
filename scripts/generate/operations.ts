/** Finds the requests of a resource type and the rights they need, in the emulator's OpenAPI document. */
import { readFileSync } from "node:fs";

/** Paths of the lists, below the workspace or the user. A type without one has no table of rights. */
const lists: Readonly<Record<string, string>> = {
  WorkspaceMember: "/workspaces/{domain}/members",
  PermissionSet: "/workspaces/{domain}/permissions",
  Group: "/workspaces/{domain}/groups",
  GroupMember: "/workspaces/{domain}/groups/{group_id}/members",
  Project: "/workspaces/{domain}/projects",
  ProjectMember: "/workspaces/{domain}/projects/{project_name}/members",
  Branch: "/workspaces/{domain}/projects/{project_name}/repository/branches",
  RepositoryFile: "/workspaces/{domain}/projects/{project_name}/repository/contents",
  Pipeline: "/workspaces/{domain}/projects/{project_name}/pipelines",
  Action: "/workspaces/{domain}/projects/{project_name}/pipelines/{pipeline_id}/actions",
  ActionOrder: "/workspaces/{domain}/projects/{project_name}/pipelines/{pipeline_id}/actions",
  Variable: "/workspaces/{domain}/variables",
  Execution: "/workspaces/{domain}/projects/{project_name}/pipelines/{pipeline_id}/executions",
  SandboxRestart: "/workspaces/{workspace}/sandboxes/{sandbox_id}/restart",
  OAuthClient: "/oauth2/register",
  User: "/user",
  UserKey: "/user/keys",
  UserEmail: "/user/emails",
};

/** Types that send fewer kinds of requests than the service offers. */
const sent: Readonly<Record<string, readonly Method[]>> = {
  ActionOrder: ["get", "patch"],
  Execution: ["get", "post"],
  User: ["get", "patch"],
};

const methods = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof methods)[number];

const names: Readonly<Record<Method, string>> = {
  get: "read",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
};

export interface Operation {
  readonly operation: string;
  readonly request: string;
  readonly scopes: readonly string[];
  /** Rights beside the scopes, such as those of an administrator. */
  readonly also: string;
}

interface Described {
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export function operationsOf(type: string): Operation[] {
  const list = lists[type];
  if (list === undefined) return [];
  const { paths } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
    paths: Readonly<Record<string, Readonly<Partial<Record<Method, Described>>>>>;
  };
  const own = Object.keys(paths).filter(
    (path) => path === list || (path.startsWith(`${list}/`) && /^\/\{[^/]*\}$/.test(path.slice(list.length))),
  );
  return own.flatMap((path) =>
    methods
      .filter((method) => sent[type]?.includes(method) ?? true)
      .flatMap((method) => {
        const described = paths[path]?.[method];
        if (described === undefined) return [];
        const scopes = described.security?.find((one) => "token" in one)?.["token"] ?? [];
        return [
          {
            operation: names[method],
            request: `${method.toUpperCase()} ${path}`,
            scopes,
            also: rightsIn(described.description ?? "", scopes),
          },
        ];
      }),
  );
}

/** Returns what a description requires beside the scopes. */
function rightsIn(description: string, scopes: readonly string[]): string {
  const needs = /^Needs (.*?)\.$/m.exec(description)?.[1] ?? "";
  return needs
    .split(", ")
    .filter((need) => need !== "" && !scopes.some((scope) => need === `scope ${scope}`))
    .join(", ");
}
