/** Tests which changes of a declaration mean nothing, an update, or a replacement. Each row is a type with its state and its declaration. */
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../diff/values.js";
import { diffResource, getIdentity, pickArgs, planChange } from "../../../provider/crud/diff.js";
import { type Fields, getDefinition } from "../../../provider/index.js";

const compare = (type: string, olds: Fields, news: Fields) => diffResource(getDefinition(type), olds, news);

/** The action in the state, and its declaration. */
const place = { project: "web", pipeline: "deploy", pipelineId: 7, name: "Tell", actionId: 1 };
const step = { pipeline: "deploy", name: "Tell", triggerTime: "ON_EVERY_EXECUTION" };
const pipeline = { project: "web", name: "deploy", triggerMode: "MANUAL", refName: "main", pipelineId: 7 };
const team = { name: "QA", exclusive: true, members: ["ann", "bob"], memberIds: [1, 2], groupId: 9 };
const cron = { ...pipeline, triggerMode: "SCHEDULED", cron: "0 2 * * *" };
const shop = {
  ...{ name: "web", projectName: "web", exclusive: true },
  members: [{ member: "ann", permissionSet: "Developer" }],
  memberIds: [{ member: 1, permissionSet: 5 }],
};

describe("nothing has changed", () => {
  it.each<[string, string, Fields, Fields]>([
    [
      "the same arguments, next to outputs",
      "Group",
      { name: "QA", groupId: 9, address: "x" },
      { name: "QA" },
    ],
    [
      "a default is omitted now",
      "Variable",
      { key: "A", value: "1", encrypted: false },
      { key: "A", value: "1" },
    ],
    [
      "a default is written now",
      "Variable",
      { key: "A", value: "1" },
      { key: "A", value: "1", encrypted: false },
    ],
    // It is compared with the connection.
    ["the workspace is written now", "Group", { name: "QA" }, { name: "QA", workspace: "acme" }],
    ["the provider is told to adopt", "Group", { name: "QA" }, { name: "QA", adopt: true }],
    [
      "the pipeline is named by its id",
      "Action",
      { ...step, ...place, type: "PING" },
      { ...step, project: "web", pipeline: 7, type: "PING" },
    ],
    ["people are named by their ids", "Group", team, { ...team, members: [1, 2] }],
    ["some people are named by their ids", "Group", team, { ...team, members: ["ann", 2] }],
    ["people have another order", "Group", team, { ...team, members: ["bob", 1] }],
    [
      "people and their rights are named by ids",
      "Project",
      shop,
      { ...shop, members: [{ member: 1, permissionSet: 5 }] },
    ],
    [
      "rights are named by their id",
      "Project",
      shop,
      { ...shop, members: [{ member: "ann", permissionSet: 5 }] },
    ],
  ])("if %s (%s)", (_story, type, olds, news) => {
    expect(compare(type, olds, news)).toMatchObject({ changed: [], sent: [], replaces: [] });
  });
});

describe("an argument has changed", () => {
  it.each<[string, string, Fields, Fields, string]>([
    [
      "is not known yet",
      "Group",
      { name: "QA", description: "x" },
      { name: "QA", description: UNKNOWN },
      "description",
    ],
    // As long as neither is known, they are not known to be equal.
    [
      "is still not known",
      "Group",
      { name: "QA", description: UNKNOWN },
      { name: "QA", description: UNKNOWN },
      "description",
    ],
    ["is not known in a part", "Group", team, { ...team, members: ["ann", UNKNOWN] }, "members"],
    ["is another name", "Group", team, { ...team, members: ["ann", "eve"] }, "members"],
    ["is another id", "Group", team, { ...team, members: [1, 3] }, "members"],
    ["is a longer list", "Group", team, { ...team, members: [1, 2, 3] }, "members"],
    ["is a list again", "Group", { ...team, members: undefined }, team, "members"],
    [
      "was never resolved",
      "Group",
      { ...team, memberIds: undefined },
      { ...team, members: [1, 2] },
      "members",
    ],
    [
      "was resolved in part",
      "Project",
      { ...shop, memberIds: [] },
      { ...shop, members: [{ member: "ann", permissionSet: 5 }] },
      "members",
    ],
    ["is declared no more", "Group", team, { ...team, members: undefined }, "members"],
    [
      "gives other rights",
      "Project",
      shop,
      { ...shop, members: [{ member: 1, permissionSet: 6 }] },
      "members",
    ],
    [
      "gives other people rights",
      "Project",
      shop,
      { ...shop, members: [{ member: 2, permissionSet: 5 }] },
      "members",
    ],
    [
      "is not its default any more",
      "Variable",
      { key: "A", value: "1" },
      { key: "A", value: "1", encrypted: true },
      "encrypted",
    ],
    ["is empty instead of omitted", "Group", { name: "QA" }, { name: "QA", description: "" }, "description"],
  ])("if it %s (%s)", (_story, type, olds, news, argument) => {
    expect(compare(type, olds, news)).toEqual({
      changed: [argument],
      sent: [argument],
      replaces: [],
      deleteBeforeReplace: true,
    });
  });

  it("if the state could not be compared with it before", () => {
    const unmanaged = { key: "A", value: "1", valueManaged: false };
    expect(compare("Variable", unmanaged, { key: "A", value: "1" }).changed).toEqual([
      "value",
      "valueManaged",
    ]);
    expect(compare("Variable", unmanaged, { ...unmanaged, value: "2" }).changed).toEqual(["value"]);
    expect(compare("Variable", unmanaged, unmanaged).changed).toEqual([]);
    expect(compare("Variable", { key: "A", value: "1" }, unmanaged).changed).toEqual(["valueManaged"]);
  });

  it("but is not sent, if it was empty and is omitted now", () => {
    const result = compare("Group", { name: "QA", description: "" }, { name: "QA" });
    expect(result).toMatchObject({ changed: ["description"], sent: [] });
    expect(compare("Group", { name: "QA", description: "x" }, { name: "QA" }).sent).toEqual(["description"]);
    const nobody = { name: "QA", members: [], memberIds: [] };
    expect(compare("Group", nobody, { name: "QA" })).toMatchObject({ changed: ["members"], sent: [] });
  });

  it("but is not sent, if the service hid it from the import", () => {
    const imported = { memberId: 2, admin: true };
    const declared = { email: "ann@example.com", admin: true };
    expect(compare("WorkspaceMember", imported, declared)).toMatchObject({
      changed: ["email"],
      sent: [],
      replaces: [],
    });
    // Hidden rights can be set: they do not identify anything.
    const member = { project: "web", member: 2, memberId: 2 };
    expect(compare("ProjectMember", member, { ...member, permissionSet: "Developer" }).sent).toEqual([
      "permissionSet",
    ]);
    expect(compare("WorkspaceMember", { ...imported, email: "eve@example.com" }, declared).replaces).toEqual([
      "email",
    ]);
  });
});

describe("a replacement", () => {
  it("follows from another parent", () => {
    expect(compare("Pipeline", pipeline, { ...pipeline, project: "shop" }).replaces).toEqual(["project"]);
    expect(compare("Pipeline", pipeline, { ...pipeline, refName: "develop" }).replaces).toEqual([]);
  });

  it("does not follow from another name of the same parent", () => {
    const [before, after] = [
      { ...pipeline, projectId: "acme/web" },
      { ...pipeline, project: "shop" },
    ];
    expect(compare("Pipeline", before, { ...after, projectId: "acme/web" })).toMatchObject({
      changed: ["project"],
      replaces: [],
    });
    expect(compare("Pipeline", before, { ...after, projectId: "acme/shop" }).replaces).toEqual(["project"]);
    // Only one of the two says which parent it is, so its name decides.
    expect(compare("Pipeline", before, after).replaces).toEqual(["project"]);
    expect(compare("Pipeline", before, pipeline).replaces).toEqual([]);
    expect(compare("Pipeline", pipeline, { ...after, projectId: "acme/web" }).replaces).toEqual(["project"]);
    expect(compare("Pipeline", pipeline, before).replaces).toEqual([]);
    // Another project has taken the name.
    expect(compare("Pipeline", before, { ...pipeline, projectId: "acme/other" }).replaces).toEqual([
      "project",
    ]);
  });

  it("does not follow from another form of an empty value", () => {
    const run = { project: "web", pipeline: 7, pipelineId: 7, executionId: 1 };
    const result = compare("Execution", run, { ...run, triggers: {} });
    expect(result).toMatchObject({ changed: ["triggers"], sent: ["triggers"], replaces: [] });
    expect(compare("Execution", run, { ...run, triggers: { a: "1" } }).replaces).toEqual(["triggers"]);
  });

  it("follows from a condition of the type", () => {
    const other = { ...cron, cron: "0 3 * * *" };
    expect(compare("Pipeline", cron, { ...other, cronUpdates: "replace" }).replaces).toEqual(["cron"]);
    expect(compare("Pipeline", cron, { ...other, cronUpdates: "patch" }).replaces).toEqual([]);
  });

  it("follows from another variant of an action, which its type or its mode chooses", () => {
    const ping = { ...step, ...place, type: "PING", destination: "host" };
    expect(compare("Action", ping, { ...ping, type: "HTTP" }).replaces).toEqual(["type"]);
    expect(compare("Action", ping, { ...ping, destination: "other" }).replaces).toEqual([]);
    const push = { ...step, ...place, type: "PUSH" };
    expect(compare("Action", push, { ...push, gitAuthMode: "ENV_KEY" })).toMatchObject({
      changed: ["gitAuthMode"],
      replaces: ["type"],
    });
    expect(compare("Action", { ...push, gitAuthMode: "ENV_KEY" }, push).replaces).toEqual(["type"]);
    // What it will be is not known yet.
    expect(compare("Action", ping, { ...ping, type: UNKNOWN }).replaces).toEqual(["type"]);
    expect(compare("Action", push, { ...push, gitAuthMode: UNKNOWN }).replaces).toEqual([]);
  });

  it("deletes the old object first, unless the new one has another natural key", () => {
    const first = (news: Fields) => compare("Pipeline", pipeline, news).deleteBeforeReplace;
    expect(first({ ...pipeline, refName: "develop" })).toBe(true);
    expect(first({ ...pipeline, name: "release" })).toBe(false);
    expect(first({ ...pipeline, project: "shop" })).toBe(false);
  });

  it("deletes the old object first if only its project has another name", () => {
    const within = { ...pipeline, projectId: "acme/web" };
    const first = (news: Fields) => compare("Pipeline", within, { ...within, ...news }).deleteBeforeReplace;
    expect(first({ project: "site" })).toBe(true);
    expect(first({ project: "site", name: "release" })).toBe(false);
    expect(first({ project: "shop", projectId: "acme/shop" })).toBe(false);
  });
});

describe("a secret that the state of a recovered object lacks", () => {
  const key = { title: "laptop", content: "ssh-ed25519 AAAA" };

  it("replaces nothing, if only a creation sends it", () => {
    const [before, other] = [
      { ...key, content: null },
      { ...key, content: "ssh-ed25519 BBBB" },
    ];
    expect(diffResource(getDefinition("UserKey"), before, key)).toMatchObject({ changed: [], replaces: [] });
    expect(diffResource(getDefinition("UserKey"), key, other).replaces).toEqual(["content"]);
  });

  it("is sent again otherwise", () => {
    const before = { key: "TOKEN", value: null, encrypted: true };
    expect(diffResource(getDefinition("Variable"), before, { ...before, value: "new" }).sent).toEqual([
      "value",
    ]);
  });
});

describe("the plan of a change", () => {
  const plan = (olds: Fields, news: Fields) => planChange(getDefinition("Pipeline"), olds, news);

  it("is refused where the type says so", () => {
    expect(() => plan(cron, { ...cron, cron: "0 3 * * *" })).toThrow(
      expect.objectContaining({
        code: "refused",
        message: expect.stringContaining('pipeline "deploy" cannot get another cron') as string,
      }),
    );
  });

  it("is the difference otherwise", () => {
    expect(plan(pipeline, { ...pipeline, refName: "develop" }).changed).toEqual(["refName"]);
  });
});

describe("the state of an object", () => {
  const ping = { ...step, ...place, type: "PING", destination: "host", htmlUrl: "https://x" };

  it("consists of arguments and of outputs, which identify it", () => {
    const action = getDefinition("Action");
    expect(Object.keys(pickArgs(action, ping)).sort()).toEqual([
      "destination",
      "name",
      "pipeline",
      "project",
      "triggerTime",
      "type",
    ]);
    expect(getIdentity(action, ping)).toEqual({ pipelineId: 7, actionId: 1, htmlUrl: "https://x" });
  });

  it("of a type without variants does, too", () => {
    const group = { name: "QA", groupId: 9 };
    expect(pickArgs(getDefinition("Group"), group)).toEqual({ name: "QA" });
    expect(getIdentity(getDefinition("Group"), group)).toEqual({ groupId: 9 });
  });

  it("has the arguments that it had before a read found another variant", () => {
    const { destination: _, ...other } = { ...ping, type: "HTTP", url: "https://x" };
    const args = pickArgs(getDefinition("Action"), other, ping);
    expect(args).toMatchObject({ type: "HTTP", name: "Tell" });
    expect(args).not.toHaveProperty("url");
  });
});
