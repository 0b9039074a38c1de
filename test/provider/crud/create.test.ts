/** Tests how existing objects are adopted, and what is left of a creation that failed halfway, against the emulator. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { Context } from "../../../resources/definition/context.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();
const writes = () =>
  fresh.emulator.journal.writes().map(({ method, path }) => `${method} ${path.replace(/\d+/g, "N")}`);

describe("an object of the same name", () => {
  it("is adopted only where the declaration says so, with one request for what differs", async () => {
    const { api, emulator, engine } = fresh;
    const { id } = await api.groups.create("acme", { name: "QA", description: "Others" });
    const declared = { name: "QA", description: "Testers" };
    await expect(engine.create("Group", declared)).rejects.toThrow(
      new RegExp(`^group "QA" already exists in workspace acme \\(number ${id}\\)`),
    );
    emulator.journal.clear();
    const adopted = await engine.create("Group", { ...declared, adopt: true });
    expect(adopted.outs).toMatchObject({ groupId: id, description: "Testers" });
    expect(writes()).toEqual(["PATCH /workspaces/acme/groups/N"]);
    expect(await engine.refresh(adopted)).toMatchObject({ outs: adopted.outs });
  });

  it("is adopted without a write if nothing differs", async () => {
    const { api, emulator, engine } = fresh;
    const { id } = await api.groups.create("acme", { name: "QA", description: "Testers" });
    emulator.journal.clear();
    const adopted = await engine.create("Group", { name: "QA", adopt: true });
    expect(adopted.outs).toMatchObject({ groupId: id });
    expect(writes()).toEqual([]);
  });

  it("is not adopted if there are several", async () => {
    const { emulator, engine } = fresh;
    await engine.create("Project", { name: "web" });
    const path = "/workspaces/acme/projects/web/pipelines";
    const body = { name: "deploy", ref_name: "main", ref_type: "BRANCH", trigger_mode: "MANUAL" };
    const made = [
      await emulator.edit({ method: "POST", path, body }),
      await emulator.edit({ method: "POST", path, body }),
    ];
    const ids = made.map((one) => (one.body as { id: number }).id);
    const args = {
      project: "web",
      name: "deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    };
    await expect(engine.create("Pipeline", { ...args, adopt: true })).rejects.toThrow(
      `exists several times in workspace acme (numbers ${ids.join(", ")}): delete or rename all but one of them in the service`,
    );
  });

  it("shows a value that it was given, although the service hides it", async () => {
    const { api, emulator, engine } = fresh;
    await api.variables.create("acme", { key: "TOKEN", value: "theirs", encrypted: true });
    emulator.journal.clear();
    const secret = { key: "TOKEN", value: "ours", encrypted: true };
    const adopted = await engine.create("Variable", { ...secret, adopt: true });
    expect(adopted.outs["value"]).toBe("ours");
    expect(writes()).toHaveLength(1);
  });
});

describe("an object that the engine replaces by its own decision, creating first", () => {
  it("is neither adopted nor deleted where the run has read it", async () => {
    const { api, emulator, engine } = fresh;
    const declared = { name: "QA", description: "Testers" };
    const state = await engine.create("Group", declared);
    emulator.journal.clear();
    for (const adopt of [true, false])
      await engine.run(async () => {
        await engine.refresh(state);
        await expect(engine.create("Group", { ...declared, adopt })).rejects.toThrow(
          /^group "QA" \(number \d+\) in workspace acme is in the state of this stack already.*"pulumi state untaint"/,
        );
      });
    expect(writes()).toEqual([]);
    expect(await api.groups.list("acme").toArray()).toMatchObject([{ name: "QA" }]);
  });

  it("is released where the run has adopted it without knowing that the state contains it", async () => {
    const { api, emulator, engine } = fresh;
    const declared = { name: "QA", description: "Testers" };
    const state = await engine.create("Group", declared);
    emulator.journal.clear();
    await engine.run(async () => {
      const again = await engine.create("Group", { ...declared, adopt: true });
      expect(again.id).toBe(state.id);
      await engine.delete(state);
    });
    expect(writes()).toEqual([]);
    expect(await api.groups.list("acme").toArray()).toMatchObject([{ name: "QA" }]);
  });

  it("is released, although it is protected by default", async () => {
    const { api, engine } = fresh;
    const state = await engine.create("Project", { name: "web" });
    await engine.run(async () => {
      await engine.create("Project", { name: "web", adopt: true });
      await engine.delete(state);
    });
    expect(await api.projects.list("acme").toArray()).toMatchObject([{ name: "web" }]);
  });

  it("is created again where the old one was deleted before", async () => {
    const { engine } = fresh;
    const state = await engine.create("Group", { name: "QA" });
    await engine.run(async () => {
      await engine.refresh(state);
      await engine.delete(state);
      expect((await engine.create("Group", { name: "QA" })).id).not.toBe(state.id);
    });
  });

  it("is a member whose address the service hides", async () => {
    const { engine, emulator } = fresh;
    const bob = { email: "bob@example.com" };
    const state = await engine.create("WorkspaceMember", bob);
    await engine.run(async () => {
      await engine.refresh(state);
      await expect(engine.create("WorkspaceMember", { ...bob, adopt: true })).rejects.toThrow();
    });
    await engine.run(async () => {
      const member = String(state.outs["memberId"]);
      await engine.create("WorkspaceMember", { ...bob, adopt: true, member: Number(member) });
      emulator.journal.clear();
      await engine.delete(state);
    });
    expect(writes()).toEqual([]);
  });
});

describe("a creation that fails halfway", () => {
  const eve = { email: "eve@example.com", admin: true };

  it("leaves the object in the state, without what is missing, which the next run sets", async () => {
    const { api, emulator, engine } = fresh;
    emulator.faults.add({
      kind: "status",
      method: "PATCH",
      path: /members\/\d+$/,
      status: 400,
      message: "No.",
    });
    const failed = await engine.create("WorkspaceMember", eve).catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: expect.stringContaining("No.") as string });
    const members = await api.members.list("acme").toArray();
    expect(members).toHaveLength(2);
    const { id, properties } = failed as { id: string; properties: Record<string, unknown> };
    expect(id).toBe(`acme/${members.at(-1)?.id}`);
    expect(properties).toMatchObject({ email: eve.email, memberId: members.at(-1)?.id });
    expect(properties["admin"]).toBeUndefined();
  });
});

describe("a creation without its parent", () => {
  it("says which request failed, and what to do", async () => {
    const { api, engine } = fresh;
    await engine.create("Project", { name: "web" });
    await api.projects.delete("acme", "web");
    const args = {
      project: "web",
      projectId: "acme/web",
      name: "deploy",
      triggerMode: "MANUAL",
      refName: "main",
    };
    await expect(engine.create("Pipeline", args)).rejects.toThrow(
      /pipeline "deploy" .* cannot be created: .*404.*If its parent was deleted after this plan was created, run "workspacectl up" again/s,
    );
  });
});

describe("two creations of a run", () => {
  it("of one name in different places do not concern each other", async () => {
    const { engine } = fresh;
    await engine.create("Project", { name: "web" });
    const made = await engine.run(() =>
      Promise.all([
        engine.create("Variable", { key: "A", value: "1" }),
        engine.create("Variable", { key: "A", value: "2", project: "web", projectId: "acme/web" }),
      ]),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  });
});

describe("objects without a name", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("wait for those in the same pipeline, and for no others", async () => {
    const { engine } = fresh;
    await engine.create("Project", { name: "web" });
    const fields = { triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };
    const deployed = async (name: string) => {
      const { outs } = await engine.create("Pipeline", { project: "web", name, ...fields });
      return outs["pipelineId"];
    };
    const [one, two] = [await deployed("one"), await deployed("two")];
    const working = vi.spyOn(Context.prototype, "oneAtATime");
    for (const pipeline of [one, two, one])
      await engine.create("ActionOrder", { project: "web", pipeline, actions: [] });
    const [first, second, third] = working.mock.calls.map(([key]) => key);
    expect(first).not.toBe(second);
    expect(first).toBe(third);
  });
});
