import nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ServiceError, WorkspaceAutomationClient } from "../../client/index.js";

const host = "https://workspace.example.com";

function client(options: Partial<ConstructorParameters<typeof WorkspaceAutomationClient>[0]> = {}) {
  return new WorkspaceAutomationClient({
    baseUrl: `${host}/api`,
    token: `token-${Math.random()}`,
    fetch: globalThis.fetch,
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
    ...options,
  });
}

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => "it succeeded",
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

const says = (message: string) => ({ errors: [{ message }] });

describe("what the service says, told apart by status and words", () => {
  it.each([
    [400, "API is disabled in this workspace.", "api-disabled", /turns it on/],
    [400, "Invalid url: /workspaces/acme/group", "invalid-url", /check the base address/],
    [400, "Value of 'name' cannot be empty.", "invalid-value", /Give 'name' a value/],
    [401, "Wrong authentication data", "unauthorized", /get a new one/],
    [403, "Access denied", "denied", /scope WORKSPACE and the rights of a workspace administrator/],
    [404, "Not found", "not-found", /Check the names and ids/],
    [409, "Group exists", "conflict", /exists already/],
  ])("%i %s is %s", async (status, message, code, remedy) => {
    nock(host).post("/api/workspaces/acme/groups").reply(status, says(message));
    const error = await failure(client().groups.create("acme", { name: "QA" }));
    expect(error).toMatchObject({ code, status, method: "POST", path: "/workspaces/acme/groups" });
    expect(error.message).toMatch(`POST /workspaces/acme/groups: ${status} ${message}`);
    expect(error.message).toMatch(remedy);
    expect(error.serviceMessages).toEqual([message]);
    expect(error.mayHaveBeenApplied).toBe(false);
  });
});
