/** Tests the access rights in a workspace, as far as the service shows them to the caller. */
import { describe, expect, it } from "vitest";
import { readLiveAccess } from "../../../automation/policy/access-impact/live-access.js";
import {
  ServiceError,
  type ServiceErrorCode,
  type WorkspaceAutomationClient,
} from "../../../client/index.js";
import type { AccessFilter } from "../../../workspace-file/access/access.js";

const devs = {
  id: 7,
  name: "devs",
  repository_access_level: "READ_WRITE",
  pipeline_access_level: "RUN_ONLY",
};
const ann = { id: 1, email: "ann@example.com", name: "Ann", admin: true, workspace_owner: true };
const bob = { id: 2, email: "Bob@example.com", name: "Bob", admin: false, workspace_owner: false };

/** What the service shows. An error code refuses the request. */
interface World {
  readonly members?: readonly object[] | ServiceErrorCode;
  readonly sets?: readonly object[] | ServiceErrorCode;
  readonly projects?: Readonly<Record<string, readonly object[] | ServiceErrorCode>> | ServiceErrorCode;
  /** Members as they are read one by one. */
  readonly whole?: readonly { readonly id: number }[];
  /** Members that cannot be read one by one. */
  readonly hidden?: readonly number[];
}

async function readFrom(world: World, filter?: AccessFilter) {
  const { members = [ann, bob], sets = [devs], projects = {}, whole = [ann, bob], hidden = [] } = world;
  const asked: string[] = [];
  const answer = <T>(request: string, shown: T | ServiceErrorCode): Promise<T> => {
    asked.push(request);
    if (typeof shown !== "string") return Promise.resolve(shown);
    return Promise.reject(new ServiceError({ code: shown as ServiceErrorCode, what: shown, remedy: "" }));
  };
  const list = <T>(request: string, shown: T | ServiceErrorCode) => ({
    toArray: () => answer(request, shown),
  });
  const named = typeof projects === "string" ? projects : Object.keys(projects).map((name) => ({ name }));
  const client = {
    members: {
      list: () => list("members", members),
      get: (_workspace: string, id: number) =>
        answer(`member ${id}`, hidden.includes(id) ? "denied" : whole.find((one) => one.id === id)!),
    },
    permissionSets: { list: () => list("sets", sets) },
    projects: { list: () => list("projects", named) },
    projectMembers: {
      list: (_workspace: string, name: string) =>
        list(`members of ${name}`, typeof projects === "string" ? [] : projects[name]!),
    },
  } as unknown as WorkspaceAutomationClient;
  const { model, unread } = await readLiveAccess(client, "acme", filter);
  return {
    people: Object.fromEntries(model.people),
    sets: Object.fromEntries(model.permissionSets),
    projects: Object.fromEntries(
      [...model.projects].map(([key, { members: of }]) => [key, Object.fromEntries(of)]),
    ),
    complete: [...model.projects.values()].every(({ complete }) => complete),
    unread,
    asked,
  };
}

describe("the access rights in a workspace", () => {
  it("are those of people in the workspace and in its projects", async () => {
    const web = [{ ...bob, permission_set: devs }];
    const found = await readFrom({ projects: { web, empty: [] } });
    expect(found).toMatchObject({
      people: {
        "ann@example.com": { name: "ann@example.com", admin: true, owner: true },
        "bob@example.com": { name: "Bob@example.com", admin: false, owner: false },
      },
      sets: { "7": { name: "devs", repository: "READ_WRITE", pipelines: "RUN_ONLY" } },
      projects: { web: { "bob@example.com": "7" }, empty: {} },
      complete: true,
      unread: [],
    });
  });

  it("name people by what the service shows of them", async () => {
    const people = [bob, { id: 3, email: null, name: "Cleo" }, { id: 4, name: null }, { id: 5 }];
    const { people: found } = await readFrom({ members: people, hidden: [3, 4, 5] });
    expect(Object.values(found).map(({ name }) => name)).toEqual([
      "Bob@example.com",
      "Cleo (member 3)",
      "member 4",
      "member 5",
    ]);
  });

  it("name members of a project as in the list of the workspace", async () => {
    const web = [
      { id: 2, permission_set: devs },
      { id: 9, name: "Zoe", permission_set: devs },
    ];
    expect((await readFrom({ projects: { web } })).projects).toEqual({
      web: { "bob@example.com": "7", "zoe (member 9)": "7" },
    });
  });

  it.each([["Bob@EXAMPLE.com"], ["bob"], ["2"], ["member 2"]])(
    "are limited to a person, who may be called %s",
    async (member) => {
      const web = [
        { ...ann, permission_set: devs },
        { ...bob, permission_set: devs },
      ];
      const found = await readFrom({ projects: { web } }, { member });
      expect(Object.keys(found.people)).toEqual(["bob@example.com"]);
      expect(found.projects).toEqual({ web: { "bob@example.com": "7" } });
      expect(found.asked).not.toContain("member 1");
    },
  );

  it("are limited to a person who shows less than an e-mail address", async () => {
    const cleo = { id: 3, name: "Cleo" };
    const found = await readFrom({ members: [ann, cleo], hidden: [3] }, { member: "cleo (member 3)" });
    expect(Object.keys(found.people)).toEqual(["cleo (member 3)"]);
  });

  it("are limited to a project, without a request for any other", async () => {
    const found = await readFrom({ projects: { web: [], api: [] } }, { project: "web" });
    expect(Object.keys(found.projects)).toEqual(["web"]);
    expect(found.asked).not.toContain("members of api");
  });

  it("are incomplete, with the reasons in order, if something cannot be read", async () => {
    const found = await readFrom({ sets: "denied", projects: { web: "denied" }, hidden: [1] });
    expect(found.unread).toEqual([
      "member ann@example.com: denied.",
      "members of project web: denied.",
      "permission sets: denied.",
    ]);
    expect(found.people).toMatchObject({
      "ann@example.com": { admin: undefined, owner: false },
      "bob@example.com": { admin: false },
    });
    expect(found.projects).toEqual({ web: {} });
    const lists = await readFrom({ members: "denied", projects: "server" });
    expect(lists).toMatchObject({
      people: {},
      projects: {},
      unread: ["members: denied.", "projects: server."],
    });
  });

  it("are incomplete if the service does not show who administers, or which rights somebody has", async () => {
    const { unread, projects } = await readFrom({
      members: [{ ...bob, id: 1, email: "eve@example.com" }],
      projects: { web: [{ ...bob, permission_set: null }] },
    });
    expect(unread).toEqual(["rights of Bob@example.com in project web: the service does not return them"]);
    const shown = Object.values(projects["web"]!);
    expect(shown).toEqual([expect.not.stringMatching(/^\d+$/)]);

    const silent = { ...ann, admin: null };
    expect(await readFrom({ members: [ann], whole: [silent] })).toMatchObject({
      people: { "ann@example.com": { admin: undefined, owner: true } },
      unread: ["member ann@example.com: the service does not return whether it is an administrator"],
    });
  });

  it("include the permission sets of members if those of the workspace cannot be listed", async () => {
    const readers = { id: 8, name: null, repository_access_level: null };
    const web = [
      { ...bob, permission_set: devs },
      { ...ann, permission_set: readers },
    ];
    expect((await readFrom({ sets: "denied", projects: { web } })).sets).toEqual({
      "7": { name: "devs", repository: "READ_WRITE", pipelines: "RUN_ONLY" },
      "8": { name: "permission set 8", repository: undefined, pipelines: undefined },
    });
  });

  it.each(["unauthorized", "network"] as const)(
    "are an error if the service answers nothing: %s",
    async (code) => {
      await expect(readFrom({ members: code })).rejects.toMatchObject({ code });
    },
  );
});
