/** Tests what a change sends, and what an adoption does. */
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../client/index.js";
import { listDifferingFrom } from "../../../provider/crud/create.js";
import { patchBody } from "../../../provider/crud/update.js";
import {
  describeCreation,
  describeNamelessCreation,
  isAlreadyExists,
  listHiding,
  wasNotCreated,
} from "../../../provider/existence/candidates.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import type { Context } from "../../../resources/definition/context.js";
import { ReadCache } from "../../../resources/definition/read-cache.js";
import { ProviderError } from "../../../resources/errors.js";

const context = (items: readonly object[] = []) =>
  ({
    address: "https://host/workspaces/acme",
    workspace: "acme",
    projectName: (name: string) => name,
    reads: new ReadCache(),
    api: {
      members: { list: () => ({ read: () => Promise.resolve({ items, end: "proven" }) }) },
      groups: { list: () => ({}) },
    },
  }) as unknown as Context;

describe("the body of a change", () => {
  const group = { name: "QA", description: "Testers" };
  const variable = { key: "A", value: "1", description: "x" };
  const bodyOf = (type: string, state: Fields, ...changed: string[]) =>
    patchBody(getDefinition(type), state, changed);

  it("has what changed, by the names of the service", () => {
    expect(bodyOf("Group", group, "description")).toEqual({
      body: { description: "Testers" },
      sent: ["description"],
    });
    expect(
      bodyOf("PermissionSet", { name: "devs", repositoryAccessLevel: "DENIED" }, "repositoryAccessLevel")
        .body,
    ).toMatchObject({ repository_access_level: "DENIED" });
  });

  it("has the default of what is no longer declared", () => {
    expect(bodyOf("Group", { name: "QA" }, "description").body).toEqual({ description: null });
  });

  it("has what the service needs besides, as far as it is declared", () => {
    expect(bodyOf("Variable", variable, "description")).toEqual({
      body: { description: "x", key: "A", value: "1" },
      sent: ["description", "key", "value"],
    });
    expect(bodyOf("Variable", variable, "value", "description").sent).toEqual([
      "value",
      "description",
      "key",
    ]);
    expect(bodyOf("Variable", { key: "A", description: "x" }, "description").sent).toEqual([
      "description",
      "key",
    ]);
  });

  it("is empty where nothing changed that the service knows", () => {
    expect(bodyOf("Variable", { ...variable, workspace: "acme" }, "workspace")).toEqual({
      body: {},
      sent: [],
    });
    expect(bodyOf("Variable", variable)).toEqual({ body: {}, sent: [] });
    expect(bodyOf("Group", { ...group, workspace: "acme" }, "workspace", "name").sent).toEqual(["name"]);
  });
});

describe("an adoption", () => {
  const differing = (type: string, state: Fields, remote: object) =>
    listDifferingFrom({ definition: getDefinition(type), context: context(), state }, remote as never);

  it("sends what differs of the declared arguments", () => {
    const state = { name: "QA", description: "Testers", workspace: "acme" };
    expect(differing("Group", state, { id: 7, name: "QA", description: "Testers" })).toEqual([]);
    expect(differing("Group", state, { id: 7, name: "QA", description: "Others" })).toEqual(["description"]);
    expect(differing("Group", { name: "QA" }, { id: 7, name: "QA", description: "Others" })).toEqual([]);
  });

  it("sends what the service does not return", () => {
    const variable = { key: "A", value: "s3cret", encrypted: true };
    const remote = { id: 1, key: "A", value: "[masked]", encrypted: true, type: "VAR" };
    expect(differing("Variable", variable, remote)).toContain("value");
    expect(
      differing("Variable", { key: "A", value: "x" }, { ...remote, encrypted: false, value: "x" }),
    ).toEqual([]);
  });
});

describe("an interrupted creation", () => {
  it("is found by the names of the object and of what contains it", () => {
    const of = (type: string, state: Fields) => describeCreation(getDefinition(type), context(), state)?.key;
    const variable = { key: "A", project: "web", projectId: "acme/web" };
    expect(of("Group", { name: "QA" })).toBe(of("Group", { name: "QA", description: "x" }));
    expect(of("Group", { name: "QA" })).not.toBe(of("Group", { name: "Ops" }));
    expect(of("Variable", variable)).not.toBe(
      of("Variable", { ...variable, project: "api", projectId: "acme/api" }),
    );
    expect(of("ActionOrder", { pipeline: 7, actions: [1, 2] })).toBeUndefined();
    expect(of("Execution", { pipeline: 7 })).toBeUndefined();
  });

  it("of an object without a name is found by nothing but its id", () => {
    const of = () => describeNamelessCreation(getDefinition("Execution"), context());
    expect(of()).toMatchObject({ type: "Execution", address: "https://host/workspaces/acme" });
    expect(of().key).not.toBe(of().key);
  });
});

describe("objects that hide their names", () => {
  it("are those of the list that show none", async () => {
    const items = [{ id: 1 }, { id: 2, email: null }, { id: 3, email: "ann@example.com" }];
    const state = { email: "eve@example.com" };
    expect(await listHiding(getDefinition("WorkspaceMember"), context(items), state)).toEqual(["1", "2"]);
    expect(await listHiding(getDefinition("Execution"), context(items), {})).toEqual([]);
    expect(await listHiding(getDefinition("ActionOrder"), context(items), {})).toEqual([]);
  });
});

describe("a creation that failed", () => {
  const service = (mayHaveBeenApplied: boolean, code: "conflict" | "server" = "server") =>
    new ServiceError({ code, what: "no", remedy: "", mayHaveBeenApplied });
  const ours = (code: "already-exists" | "refused") => new ProviderError(code, "no", "");

  it("has certainly made nothing if the service said so, or if it was refused here", () => {
    expect([service(false), ours("refused")].map(wasNotCreated)).toEqual([true, true]);
    expect([service(true), new Error("killed")].map(wasNotCreated)).toEqual([false, false]);
  });

  it("may say that the object exists", () => {
    expect([service(false, "conflict"), ours("already-exists")].map(isAlreadyExists)).toEqual([true, true]);
    const others = [service(false), ours("refused"), Object.assign(new Error("x"), { code: "conflict" })];
    expect(others.map(isAlreadyExists)).toEqual([false, false, false]);
  });
});
