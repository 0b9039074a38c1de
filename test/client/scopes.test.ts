/** Tests that the error of a refused request names exactly the scopes of the specification. */
import nock from "nock";
import { expect, it } from "vitest";
import { rows } from "./endpoint-rows.js";
import { failure, host, mockedClient, useNock } from "./helpers.js";

useNock();

const D = "/workspaces/[^/]+";
const P = `${D}/projects/[^/]+`;
const PP = `${P}/pipelines`;
const item = "/[^/]+";

/** Lists the scopes of the specification (Endpoints) by method and path; the first match counts. */
const specified: readonly (readonly [methods: string, path: string, scopes: string])[] = [
  ["GET|PATCH", "/user", "USER_INFO"],
  ["GET|POST|DELETE", `/user/keys(${item})?`, "USER_KEY"],
  ["GET", "/user/emails", "USER_EMAIL"],
  ["POST|DELETE", `/user/emails(${item})?`, "MANAGE_EMAILS"],
  ["GET", `/user/integrations(${item})?`, "INTEGRATION_INFO"],
  ["DELETE", P, "WORKSPACE PROJECT_DELETE"],
  ["GET", `${P}/repository/.*`, "WORKSPACE REPOSITORY_READ"],
  ["POST|PUT|DELETE", `${P}/repository/.*`, "WORKSPACE REPOSITORY_WRITE"],
  ["GET", `${D}/variables(${item})?`, "WORKSPACE VARIABLE_INFO"],
  ["POST", `${D}/variables`, "WORKSPACE VARIABLE_ADD"],
  ["PATCH|DELETE", `${D}/variables${item}`, "WORKSPACE VARIABLE_MANAGE"],
  ["POST", `${PP}${item}/executions`, "WORKSPACE EXECUTION_RUN"],
  ["PATCH", `${PP}${item}/executions${item}`, "WORKSPACE EXECUTION_RUN"],
  ["GET", `${PP}(/.*)?`, "WORKSPACE EXECUTION_INFO"],
  ["POST|PATCH|DELETE", `${PP}(/.*)?`, "WORKSPACE EXECUTION_MANAGE"],
  // "Workspace-level calls always need WORKSPACE in addition to the scope listed" (Authentication, 5).
  ["POST", `${D}/sandboxes${item}/restart`, "WORKSPACE SANDBOX_WRITE"],
  ["GET|POST|PATCH|DELETE", "/workspaces(/.*)?", "WORKSPACE"],
];

function scopesOf(method: string, path: string): string {
  const found = specified.find(
    ([methods, pattern]) => methods.split("|").includes(method) && new RegExp(`^${pattern}$`).test(path),
  );
  return found?.[2] ?? "";
}

it.each(rows)("%s", async (endpoint, call) => {
  const [method = "", target = ""] = endpoint.split(" ");
  const [path = ""] = target.split("?");
  const refused = { errors: [{ message: "Access denied" }] };
  nock(host).intercept(`/api${target}`, method).reply(403, refused);
  const { remedy } = await failure(call(mockedClient({ token: "the-token" })), "denied");
  const named = remedy.match(/\b[A-Z]{2,}(_[A-Z]+)?\b/g) ?? [];
  expect(named.join(" ")).toBe(scopesOf(method, path));
});
