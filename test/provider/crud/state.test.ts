/** Tests which state follows from a response: what the declaration manages, with the values that the service shows. */
import { describe, expect, it } from "vitest";
import { buildStateAfterRead, buildStateAfterWrite } from "../../../provider/crud/state.js";
import type { Target } from "../../../provider/crud/target.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import type { Context } from "../../../resources/definition/context.js";

/** A response is all that these functions need. */
const context = { workspace: "acme", address: "https://host/workspaces/acme", behavior: {} } as Context;
const target = (type: string, state: Fields): Target => ({ definition: getDefinition(type), context, state });

/** The state after a read of the object by itself, or (`whole` false) of a list, which may omit fields. */
function read(type: string, state: Fields, remote: Fields, whole = true) {
  const { outs, notCompared } = buildStateAfterRead(target(type, state), { remote, whole });
  const { address: _, ...rest } = outs;
  return { outs: rest, notCompared };
}

function write(type: string, state: Fields, remote: Fields, sent: string[] = Object.keys(state)) {
  const { address: _, ...rest } = buildStateAfterWrite(target(type, state), remote, sent).outs;
  return rest;
}

describe("the id of an object", () => {
  it("is its path in the workspace", () => {
    const state = { project: "web/shop", name: "deploy" };
    const { id, outs } = buildStateAfterWrite(target("Pipeline", state), { id: 7 }, ["name"]);
    expect(id).toBe("acme/web%2Fshop/7");
    expect(outs).toEqual({ ...state, pipelineId: 7, address: context.address });
  });
});

describe("an import", () => {
  it("takes what the service shows, and what is declared for the rest", () => {
    const declared = { name: "QA", description: "Testers" };
    expect(write("Group", declared, { id: 9, name: "Q" }, [])).toEqual({
      ...declared,
      name: "Q",
      groupId: 9,
    });
  });
});

describe("a read", () => {
  const group = { name: "QA", description: "Testers", groupId: 9 };
  const shown = { id: 9, name: "QA", description: "Testers" };

  it("shows what was changed outside", () => {
    expect(read("Group", group, shown)).toEqual({ outs: group, notCompared: [] });
    expect(read("Group", group, { ...shown, description: "By hand" }).outs["description"]).toBe("By hand");
    expect(read("Group", group, { ...shown, description: null }).outs["description"]).toBeNull();
    // What is not declared is not managed.
    expect(read("Group", { name: "QA" }, shown).outs).toEqual({ name: "QA", groupId: 9 });
  });

  it("refuses a text that Pulumi's engine would take for something else, at any depth", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect(() => read("Group", group, { ...shown, description: unknown })).toThrow(
      /^group "QA": description contains "04da6b54-.*", which stands for a value that is not known yet in Pulumi's engine.*replace that text in the service/i,
    );
    const mark = { "4dabf18193072939515e22adb298388d": "x" };
    const action = { name: "Run", type: "OTHER", fields: { deep: [] } };
    expect(() => read("Action", action, { ...action, id: 1, deep: [mark] })).toThrow("a secret or a file");
    expect(read("Group", group, { ...shown, description: "[secret]" }).outs["description"]).toBe("[secret]");
  });

  it("keeps the declared form of an equal value", () => {
    const empty = { ...group, description: "" };
    expect(read("Group", empty, { ...shown, description: null }).outs).toEqual(empty);
    // Not even an empty value can be missing from it.
    expect(read("Group", empty, { id: 9, name: "QA" })).toEqual({ outs: empty, notCompared: [] });
  });

  it("says which values it could not compare", () => {
    const summary = { id: 9, name: "QA" };
    expect(read("Group", group, summary, false)).toEqual({ outs: group, notCompared: [["description"]] });
    // Read by itself, an object without a value has none.
    expect(read("Group", group, summary)).toEqual({ outs: { name: "QA", groupId: 9 }, notCompared: [] });
  });

  it("does not compare what is only declared to the provider, and what the service never shows", () => {
    const pipeline = { project: "web", name: "deploy", workspace: "acme", adopt: true, cron: "0 2 * * *" };
    const remote = { id: 7, name: "deploy", workspace: "other", adopt: false, cron: "x" };
    expect(read("Pipeline", pipeline, remote)).toEqual({
      outs: { ...pipeline, pipelineId: 7 },
      notCompared: [],
    });
  });

  it("loses the schedule of a pipeline that the service no longer schedules", () => {
    const pipeline = { project: "web", name: "deploy", pipelineId: 7 };
    const scheduled = { ...pipeline, triggerMode: "SCHEDULED", cron: "0 2 * * *" };
    const shown = (trigger_mode: string) =>
      read("Pipeline", scheduled, { id: 7, name: "deploy", trigger_mode });
    expect(shown("SCHEDULED").outs).toEqual(scheduled);
    expect(shown("MANUAL").outs).toEqual({ ...pipeline, triggerMode: "MANUAL" });
  });

  it("keeps an address that the service hides from this user", () => {
    const ann = { email: "ann@example.com", memberId: 2 };
    for (const email of [null, undefined])
      expect(read("WorkspaceMember", ann, { id: 2, email })).toEqual({ outs: ann, notCompared: [] });
    expect(read("WorkspaceMember", ann, { id: 2, email: "eve@example.com" }).outs["email"]).toBe(
      "eve@example.com",
    );
  });

  it("shows an omitted argument only where it does not have its default", () => {
    const variable = { key: "A", value: "1", variableId: 3 };
    const remote = { id: 3, key: "A", value: "1" };
    expect(read("Variable", variable, { ...remote, encrypted: false }).outs).toEqual(variable);
    expect(read("Variable", variable, remote).outs).toEqual(variable);
    expect(read("Variable", variable, { ...remote, ssh_key: true }).outs).toEqual({
      ...variable,
      sshKey: true,
    });
    const declared = { ...variable, encrypted: true };
    expect(read("Variable", declared, { ...remote, encrypted: true }).outs["encrypted"]).toBe(true);
  });
});

describe("a reference", () => {
  const member = {
    project: "web",
    member: "ann",
    memberId: 1,
    permissionSet: "Developer",
    permissionSetId: 5,
  };

  it("keeps its declared form while it leads to the same object", () => {
    expect(read("ProjectMember", member, { id: 1, permission_set: { id: 5 } }).outs).toEqual(member);
    expect(read("ProjectMember", member, { id: 1, permission_set: { id: 6 } }).outs).toEqual({
      ...member,
      permissionSet: 6,
      permissionSetId: 6,
    });
  });

  it("is hidden from those who are no administrators", () => {
    expect(read("ProjectMember", member, { id: 1, permission_set: null }).outs).toEqual(member);
  });

  it("in a list keeps its form next to others that were added or removed", () => {
    const team = { name: "QA", exclusive: true, members: ["ann", "bob"], memberIds: [1, 2], groupId: 9 };
    const people = (...members: Fields[]) => read("Group", team, { id: 9, name: "QA", members }).outs;
    expect(people({ id: 2 }, { id: 1 })).toEqual(team);
    expect(people({ id: 2 }, { id: 3, email: "eve@example.com" }, { id: 4 })).toEqual({
      ...team,
      members: ["bob", "eve@example.com", 4],
      memberIds: [2, 3, 4],
    });
    expect(people()).toEqual({ ...team, members: [], memberIds: [] });
  });

  it("in a list keeps its rights in the declared form, too", () => {
    const state = {
      ...{ name: "web", projectName: "web", exclusive: true },
      members: [
        { member: "ann", permissionSet: 5 },
        { member: "bob", permissionSet: "Developer" },
      ],
      memberIds: [1, 2].map((member) => ({ member, permissionSet: 5 })),
    };
    const [ann, eve] = [1, 3].map((id) => ({ id, permission_set: { id: 5, name: "Developer" } }));
    const both = read("Project", state, { name: "web", members: [eve, ann] }).outs;
    expect(both["members"]).toEqual([
      { member: 3, permissionSet: "Developer" },
      { member: "ann", permissionSet: 5 },
    ]);
    // The ids of an adopted project are not known yet.
    const { memberIds: _, ...adopted } = state;
    expect(read("Project", adopted, { name: "web", members: [ann] }).outs["members"]).toEqual([
      { member: 1, permissionSet: "Developer" },
    ]);
  });

  it("that is not set any more has no id either", () => {
    const team = { name: "QA", members: ["ann"], memberIds: [1], groupId: 9 };
    expect(read("Group", team, { id: 9, name: "QA" }).outs).toEqual({ name: "QA", groupId: 9 });
  });
});

describe("the mode of an action", () => {
  const push = { project: "web", pipeline: 7, pipelineId: 7, actionId: 1, name: "Push", type: "PUSH" };
  const withLogin = { ...push, login: "bot" };
  const remote = { id: 1, name: "Push", type: "PUSH", login: "bot" };

  it("is not shown where the declaration does not set one", () => {
    expect(read("Action", withLogin, remote).outs).toEqual(withLogin);
    expect(read("Action", withLogin, { ...remote, git_auth_mode: null }).outs).toEqual(withLogin);
  });

  it("is shown when it was changed outside; what only the declared one has is not missing then", () => {
    const { login: _, ...other } = remote;
    expect(read("Action", withLogin, { ...other, git_auth_mode: "ENV_KEY" })).toEqual({
      outs: { ...withLogin, gitAuthMode: "ENV_KEY" },
      notCompared: [],
    });
    expect(read("Action", withLogin, other).outs).toEqual(push);
    expect(write("Action", withLogin, { ...remote, git_auth_mode: "ENV_KEY" })).toEqual({
      ...withLogin,
      gitAuthMode: "ENV_KEY",
    });
  });

  it("may have a name that only the service knows", () => {
    const byService = { ...remote, git_auth_mode: "PASSWORD" };
    const noted = { ...withLogin, observed: { gitAuthMode: "PASSWORD" } };
    expect(write("Action", withLogin, byService)).toEqual(noted);
    expect(read("Action", noted, byService).outs).toEqual(noted);
    // Nothing is known of it from a read alone.
    expect(read("Action", withLogin, byService).outs).toEqual(withLogin);
    expect(read("Action", noted, { ...remote, git_auth_mode: "TICKET" }).outs).toEqual({
      ...noted,
      gitAuthMode: "TICKET",
    });
  });

  it("is not read of an action whose type is not known", () => {
    const { type: _, ...untyped } = push;
    expect(read("Action", untyped, { ...remote, git_auth_mode: "ENV_KEY" }).outs).toEqual(untyped);
  });
});

describe("a nested value that the service completes", () => {
  const build = { project: "web", pipeline: 7, pipelineId: 7, actionId: 1, name: "Build", type: "BUILD" };
  const services = [{ type: "POSTGRES" }];
  const declared = { ...build, services };
  const remote = (...shown: Fields[]) => ({ id: 1, name: "Build", type: "BUILD", services: shown });

  it("is noted when it is written, so that later additions are seen", () => {
    const completed = remote({ type: "POSTGRES", port: 5432 });
    const noted = { ...declared, observed: { services: [{ type: "POSTGRES", port: 5432 }] } };
    expect(write("Action", declared, completed)).toEqual(noted);
    expect(read("Action", noted, completed)).toEqual({ outs: noted, notCompared: [] });
    expect(read("Action", noted, remote({ type: "POSTGRES", port: 1 })).outs["services"]).toEqual([
      { type: "POSTGRES", port: 1 },
    ]);
  });

  it("is noted as declared if the service adds nothing, and not at all if it shows nothing", () => {
    const noted = { ...declared, observed: { services: null } };
    expect(write("Action", declared, remote({ type: "POSTGRES" }))).toEqual(noted);
    expect(read("Action", noted, remote({ type: "POSTGRES" }))).toEqual({ outs: noted, notCompared: [] });
    expect(write("Action", declared, remote())["observed"]).toBeUndefined();
    expect(write("Action", declared, remote({ type: "POSTGRES" }), ["name"])).toEqual(declared);
  });

  it("is not noted of a value that the service does not complete", () => {
    const commands = { ...build, executeCommands: ["npm ci"] };
    const shown = { ...remote(), services: undefined, execute_commands: ["npm ci"] };
    expect(write("Action", commands, shown)).toEqual(commands);
  });

  it("is compared as far as it is declared where nobody noted it", () => {
    expect(read("Action", declared, remote({ type: "POSTGRES", port: 5432 }))).toEqual({
      outs: declared,
      notCompared: [["services", 0, "port"]],
    });
  });

  it("says which declared parts the service never shows", () => {
    const secret = { ...build, services: [{ type: "POSTGRES", login: "x" }] };
    const noted = write("Action", secret, remote({ type: "POSTGRES" }));
    expect(read("Action", noted, remote({ type: "POSTGRES" })).notCompared).toEqual([
      ["services", 0, "login"],
    ]);
  });
});

describe("an action of another type", () => {
  const scan = { project: "web", pipeline: 7, pipelineId: 7, actionId: 1, name: "Scan", type: "SCAN" };
  const remote = {
    id: 1,
    name: "Scan",
    type: "SCAN",
    target: "src",
    url: "https://x",
    html_url: "https://y",
  };

  it("says which of its fields nobody declares", () => {
    const declared = { ...scan, fields: { target: "src" }, htmlUrl: "https://y" };
    expect(read("Action", declared, { ...remote, depth: 3, note: "" })).toEqual({
      outs: declared,
      notCompared: [["fields", "depth"]],
    });
    const more = { ...declared, fields: { target: "src", token: "x" } };
    const noted = { ...more, observed: { fields: { target: "src" } } };
    expect(write("Action", more, remote)).toEqual(noted);
    expect(read("Action", noted, remote)).toEqual({ outs: noted, notCompared: [["fields", "token"]] });
    expect(read("Action", { ...declared, fields: { target: "lib" } }, remote).outs["fields"]).toEqual({
      target: "src",
    });
  });
});
