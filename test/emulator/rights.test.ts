/** Tests the scopes and rights of each endpoint. */
import { expect, test } from "vitest";
import { type Scope, scopes } from "../../emulator/index.js";
import { routes } from "../../emulator/resources/list-of-resources.js";
import { as, callerOf, make, message, start, ws } from "./support.js";

/** Returns the scopes of the spec's endpoint tables, independently of the routes. */
function scopesOfSpec(method: string, path: string): Scope[] {
  const isRead = method === "GET";
  if (path.startsWith("/oauth2/")) return [];
  if (path === "/user") return ["USER_INFO"];
  if (path.startsWith("/user/keys")) return ["USER_KEY"];
  if (path.startsWith("/user/emails")) return [isRead ? "USER_EMAIL" : "MANAGE_EMAILS"];
  if (path.startsWith("/user/integrations")) return ["INTEGRATION_INFO"];
  if (path.includes("/sandboxes/")) return ["WORKSPACE", "SANDBOX_WRITE"];
  if (path.includes("/repository/")) return ["WORKSPACE", isRead ? "REPOSITORY_READ" : "REPOSITORY_WRITE"];
  if (path.includes("/variables")) {
    return ["WORKSPACE", isRead ? "VARIABLE_INFO" : method === "POST" ? "VARIABLE_ADD" : "VARIABLE_MANAGE"];
  }
  if (path.includes("/executions")) return ["WORKSPACE", isRead ? "EXECUTION_INFO" : "EXECUTION_RUN"];
  // The second scope of a new action depends on its type: see actions.test.ts.
  if (path.endsWith("/actions") && method === "POST") return ["WORKSPACE"];
  if (path.includes("/pipelines")) return ["WORKSPACE", isRead ? "EXECUTION_INFO" : "EXECUTION_MANAGE"];
  if (method === "DELETE" && path.endsWith("/projects/:project_name")) return ["WORKSPACE", "PROJECT_DELETE"];
  return ["WORKSPACE"];
}

/** Fills in the parameters of a path. The objects need not exist for the checks that come first. */
const filled = (path: string) =>
  path
    .replace("/:domain", "/acme")
    .replace("/:workspace", "/acme")
    .replace(":base...:head", "a...b")
    .replaceAll(/:\w+\*?/g, "999999");

test("every endpoint requires exactly the scopes of the spec", async () => {
  const { emulator } = await start({ strictBodies: false });
  for (const { method, path } of routes) {
    const needed = scopesOfSpec(method, path);
    if (path.startsWith("/oauth2/")) continue;
    const at = `${method} ${path}`;
    for (const missing of needed) {
      const token = await emulator.createToken({ scopes: scopes.filter((scope) => scope !== missing) });
      const response = await callerOf(emulator, token)(method, filled(path));
      expect([at, response.status, message(response)]).toEqual([
        at,
        403,
        `Access denied: the token lacks the scope ${missing}.`,
      ]);
    }
    const token = await emulator.createToken({ scopes: needed });
    const response = await callerOf(emulator, token)(method, filled(path));
    expect([at, response.status]).not.toEqual([at, 403]);
  }
});

/** Lists the endpoints for administrators in the spec, and those that docs/emulator.md adds. */
const adminsOnly = [
  "PATCH /projects/web",
  "DELETE /projects/web",
  "PATCH /projects/web/members/999999",
  "DELETE /members/999999",
  "PATCH /members/999999",
  "POST /groups",
  "PATCH /groups/999999",
  "DELETE /groups/999999",
  "POST /groups/999999/members",
  "DELETE /groups/999999/members/999999",
  "GET /permissions",
  "POST /permissions",
  "GET /permissions/1",
  "PATCH /permissions/1",
  "DELETE /permissions/1",
  "GET /variables",
  "POST /variables",
  "GET /variables/1",
  "PATCH /variables/1",
  "DELETE /variables/1",
];

test("endpoints for admins refuse other users before any other check", async () => {
  const { emulator, call } = await start();
  await make(call, "POST", `${ws}/members`, { email: "bob@example.com" });
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  const bob = await as(emulator, "bob@example.com");
  for (const row of adminsOnly) {
    const [method = "", path = ""] = row.split(" ");
    const response = await bob(method, ws + path, method === "GET" ? undefined : {});
    expect([row, response.status, message(response)]).toEqual([
      row,
      403,
      "Access denied: this is allowed to workspace administrators only.",
    ]);
  }
  // The same requests by the owner succeed, or fail for other reasons.
  for (const row of adminsOnly) {
    const [method = "", path = ""] = row.split(" ");
    expect([row, (await call(method, ws + path, method === "GET" ? undefined : {})).status]).not.toEqual([
      row,
      403,
    ]);
  }
});
