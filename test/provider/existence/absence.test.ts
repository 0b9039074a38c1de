/** Tests what follows from an empty list, from an object in another place, and from a refused change. */
import { beforeEach, describe, expect, it } from "vitest";
import { Engine, type State } from "../engine.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();

describe("a member of a project whose list is empty for a member without rights", () => {
  let membership: State;
  let member: Engine;
  /** Requests to the service. */
  let requested: string[];
  /** The addresses in the list of members; undefined leaves the list as it is. */
  let shown: object[] | undefined;

  /** A service that shows an empty list to whoever may not see the project, instead of a refusal. */
  const lenient: typeof fetch = async (address, init) => {
    const { pathname } = new URL(address instanceof Request ? address.url : address);
    requested.push(pathname.split("/").slice(3).join("/"));
    if (shown !== undefined && pathname.endsWith("/projects/web/members"))
      return Response.json({ members: shown });
    return fetch(address, init);
  };

  beforeEach(async () => {
    const { api, engine, emulator } = fresh;
    await api.projects.create("acme", { name: "web" });
    const [ann, bob] = [
      await api.members.create("acme", { email: "ann@example.com" }),
      await api.members.create("acme", { email: "bob@example.com" }),
    ];
    const [set] = await api.permissionSets.list("acme").toArray();
    const args = { project: "web", permissionSet: set?.id };
    await engine.create("ProjectMember", { ...args, member: bob.id });
    membership = await engine.create("ProjectMember", { ...args, member: ann.id });
    await engine.delete(membership);
    membership = { ...membership, outs: { ...membership.outs, member: "ann@example.com" } };
    const token = await emulator.createToken({ user: "bob@example.com" });
    member = new Engine(emulator.baseUrl, token, "acme", "dynamic", undefined, { fetch: lenient });
    requested = [];
  });

  it("is deleted if the caller sees the project", async () => {
    shown = [];
    expect(await member.refresh(membership)).toBeUndefined();
    expect(requested).toContain("projects");
  });

  it("is deleted if the list shows others, which takes no request for the project", async () => {
    shown = undefined;
    expect(await member.refresh(membership)).toBeUndefined();
    expect(requested).not.toContain("projects");
  });

  it("stays in the state if the caller does not see the project", async () => {
    shown = [];
    fresh.emulator.settings.deniedStatus = 404;
    const { members, projectMembers } = fresh.api;
    const bob = (await projectMembers.list("acme", "web").toArray()).find(
      ({ name }) => name !== "Olga Owner",
    );
    await projectMembers.delete("acme", "web", bob!.id);
    expect(await members.list("acme").toArray()).toHaveLength(3);
    expect(await member.refresh(membership)).toMatchObject({ id: membership.id });
  });
});

describe("what is in a project that the service does not find, although its list shows it", () => {
  it("is unreadable, and not deleted", async () => {
    const { api, emulator, engine } = fresh;
    await api.projects.create("acme", { name: "web" });
    const ann = await api.members.create("acme", { email: "ann@example.com" });
    const [set] = await api.permissionSets.list("acme").toArray();
    const objects = [
      await engine.create("ProjectMember", { project: "web", member: ann.id, permissionSet: set?.id }),
      await engine.create("Pipeline", {
        project: "web",
        name: "deploy",
        triggerMode: "MANUAL",
        refName: "main",
      }),
    ];
    emulator.faults.add({ kind: "status", method: "GET", path: /projects\/web/, status: 404, count: 100 });
    for (const object of objects)
      await expect(engine.refresh(object)).rejects.toMatchObject({
        code: "unreadable",
        message: expect.stringContaining('the service says that project "web" does not exist') as string,
      });
    emulator.faults.clear();
    await api.projects.delete("acme", "web");
    for (const object of objects) expect(await engine.refresh(object)).toBeUndefined();
  });
});

describe("a variable", () => {
  it("that exists, but not where the state says, is not reported as deleted", async () => {
    const { api, engine } = fresh;
    await api.projects.create("acme", { name: "web" });
    const variable = await engine.create("Variable", { key: "A", value: "a", project: "web" });
    const { project: _none, ...elsewhere } = variable.outs;
    await expect(engine.refresh({ ...variable, outs: elsewhere })).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringMatching(
        /variable "A" .* exists .*not in the object that its declaration names as its parent/,
      ) as string,
    });
  });
});

describe("a change that the service refuses", () => {
  const refused = { kind: "status", method: "PATCH", path: /groups/ } as const;

  it("with 404 is not explained by a deletion while the object exists", async () => {
    const { emulator, engine } = fresh;
    const group = await engine.create("Group", { name: "QA" });
    emulator.faults.add({ ...refused, status: 404 });
    await expect(engine.up(group, { name: "Ops" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("for another reason is not explained by a deletion", async () => {
    const { api, emulator, engine } = fresh;
    const group = await engine.create("Group", { name: "QA" });
    await api.groups.delete("acme", Number(group.outs["groupId"]));
    emulator.faults.add({ ...refused, status: 409 });
    await expect(engine.up(group, { name: "Ops" })).rejects.toMatchObject({ code: "conflict" });
  });
});
