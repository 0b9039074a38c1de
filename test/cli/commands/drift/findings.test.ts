import { describe, expect, it } from "vitest";
import { events, findings, incomplete, words } from "./support.js";
import { SECRET, UNKNOWN } from "../../engine/events.js";

const told = (...all: Parameters<typeof events>) => findings(events(...all)).map(words);

describe("one property of one object", () => {
  it("is no finding where file, state and workspace agree", () => {
    const same = { name: "QA", description: "Testers" };
    expect(
      told("Group", "groups/QA", { applied: same, live: same, declared: same }, { plan: "same" }),
    ).toEqual([]);
  });

  it("is changed when the workspace is not as it was applied", () => {
    const sides = {
      applied: { description: "Testers" },
      live: { description: "Hobby club" },
      declared: { description: "Testers" },
    };
    expect(told("Group", "groups/QA", sides)).toEqual([
      'changed groups/QA description: "Testers" "Testers" "Hobby club"',
    ]);
  });

  it("is pending when only the file is another one than was applied", () => {
    const sides = {
      applied: { description: "a" },
      live: { description: "a" },
      declared: { description: "b" },
    };
    expect(findings(events("Group", "groups/QA", sides))).toMatchObject([
      { class: "pending", path: "description", operation: "update", declared: "b", live: "a" },
    ]);
  });

  it("is changed, with a note, when both were changed to different values", () => {
    const sides = {
      applied: { description: "a" },
      live: { description: "b" },
      declared: { description: "c" },
    };
    expect(findings(events("Group", "groups/QA", sides))).toMatchObject([
      { class: "changed", declared: "c", applied: "a", live: "b", note: "the file was changed too" },
    ]);
  });

  it("is no finding when the workspace was changed to what the file says by now", () => {
    const sides = {
      applied: { description: "a" },
      live: { description: "b" },
      declared: { description: "b" },
    };
    expect(told("Group", "groups/QA", sides)).toEqual([]);
  });

  it("is pending when the file says it no longer, and changed when it came from outside", () => {
    const gone = { applied: { description: "a" }, live: { description: "a" }, declared: {} };
    expect(told("Group", "groups/QA", gone)).toEqual(['pending groups/QA description: - "a" "a"']);
  });

  it("takes empty values for the same, and not one that nobody declares", () => {
    const sides = {
      applied: { description: null, tags: [] },
      live: { description: "", tags: null },
      declared: { description: null, tags: [] },
    };
    expect(told("Group", "groups/QA", sides)).toEqual([]);
    const added = { applied: {}, live: {}, declared: { description: "" } };
    expect(told("Group", "groups/QA", added)).toEqual(['pending groups/QA description: "" - -']);
  });
});

describe("the path of a finding", () => {
  const action = (applied: unknown, live: unknown, declared = applied) =>
    told("Action", "projects/web/pipelines/d/actions/A", {
      applied: { type: "BUILD", executeCommands: applied },
      live: { type: "BUILD", executeCommands: live },
      declared: { type: "BUILD", executeCommands: declared },
    }).map((line) => line.replace(/^changed \S+ /, ""));

  it("leads to the item of a list", () => {
    expect(action(["a", "b"], ["a", "c"])).toEqual(['executeCommands[1]: "b" "b" "c"']);
  });

  it("is the list when items came or went, or changed places", () => {
    expect(action(["a"], ["a", "b"])).toEqual(['executeCommands: ["a"] ["a"] ["a","b"]']);
    expect(action(["a", "b"], ["b", "a"])).toEqual(['executeCommands: ["a","b"] ["a","b"] ["b","a"]']);
  });

  it("leads into nested views", () => {
    expect(action({ x: { y: 1 } }, { x: { y: 2 } })).toEqual(["executeCommands.x.y: 1 1 2"]);
  });

  it("is the list where order has no meaning, and only when the items differ", () => {
    const group = (applied: string[], live: string[]) =>
      told("Group", "groups/QA", {
        applied: { members: applied },
        live: { members: live },
        declared: { members: applied },
      });
    expect(group(["a", "b"], ["b", "a"])).toEqual([]);
    expect(group(["a", "b"], ["a", "c"])).toEqual([
      'changed groups/QA members: ["a","b"] ["a","b"] ["a","c"]',
    ]);
  });
});

describe("whole objects", () => {
  it("are deleted when the state knows them, the file too, and the workspace not", () => {
    const was = { name: "Ops", workspace: "acme" };
    expect(told("Group", "groups/Ops", { applied: was, declared: was })).toEqual([
      'deleted groups/Ops : {"name":"Ops"} {"name":"Ops"} -',
    ]);
  });

  it("are no finding when they are gone from the file and from the workspace", () => {
    expect(told("Group", "groups/Ops", { applied: { name: "Ops" } })).toEqual([]);
  });

  it("are pending when they are declared and were never made, or are there and declared no longer", () => {
    expect(findings(events("Group", "groups/New", { declared: { name: "New" } }))).toMatchObject([
      { class: "pending", operation: "create", path: "", declared: { name: "New" } },
    ]);
    const old = { name: "Old" };
    expect(findings(events("Group", "groups/Old", { applied: old, live: old }))).toMatchObject([
      { class: "pending", operation: "delete", live: old },
    ]);
  });

  it("are added when a list shows them and nobody declared them; their name is the one they would have", () => {
    const found = {
      type: "Pipeline",
      section: "pipelines",
      key: "a/b",
      holder: "projects/web",
      id: "7",
      args: { name: "a/b" },
    };
    expect(findings([], { found: [{ ...found, htmlUrl: "https://x.example/7" }] })).toMatchObject([
      {
        class: "added",
        name: "projects/web/pipelines/a%2Fb",
        live: { name: "a/b" },
        link: "https://x.example/7",
      },
    ]);
  });

  it("are linked, or what they stand in is", () => {
    const web = events(
      "Project",
      "projects/web",
      { applied: {}, live: {}, declared: {} },
      { plan: "same", outputs: { htmlUrl: "https://x.example/web" } },
    );
    const variable = events("Variable", "projects/web/variables/A", { declared: { key: "A" } });
    expect(findings([...web, ...variable])).toMatchObject([
      { class: "pending", link: "https://x.example/web" },
    ]);
  });
});

describe("what follows from other changes", () => {
  it("is not told by itself: values that are known only after them", () => {
    const order = (live: number[]) => ({
      applied: { actions: [1, 2] },
      live: { actions: live },
      declared: { actions: [UNKNOWN, 2] },
    });
    expect(told("ActionOrder", "projects/web/pipelines/d/actionOrder", order([1, 2]))).toEqual([]);
    expect(told("ActionOrder", "projects/web/pipelines/d/actionOrder", order([2, 1]))).toEqual([
      "changed projects/web/pipelines/d/actionOrder actions: [1,2] [1,2] [2,1]",
    ]);
  });
});

describe("numbers", () => {
  it("are told with the names of the objects that they mean", () => {
    const actions = ["Build", "Test"].flatMap((name, index) => {
      const args = { name, type: "PING" };
      return events(
        "Action",
        `p/actions/${name}`,
        { applied: args, live: args, declared: args },
        { plan: "same", id: `acme/9/${index + 1}` },
      );
    });
    const order = events("ActionOrder", "p/actionOrder", {
      applied: { actions: [1, 2] },
      live: { actions: [2, 1] },
      declared: { actions: [1, 2] },
    });
    expect(findings([...actions, ...order])).toMatchObject([
      { path: "actions", labels: { "1": "Build", "2": "Test" } },
    ]);
  });
});

describe("secrets", () => {
  const sides = { applied: { value: SECRET }, live: { value: SECRET }, declared: { value: SECRET } };
  const prints = (applied: string, live: string, declared: string) => ({
    prints: { applied: { value: applied }, live: { value: live }, declared: { value: declared } },
  });

  it("are compared and told by fingerprints", () => {
    expect(told("Variable", "variables/A", sides, prints("hmac:1", "hmac:1", "hmac:1"))).toEqual([]);
    expect(
      findings(events("Variable", "variables/A", sides, prints("hmac:1", "hmac:2", "hmac:1"))),
    ).toMatchObject([{ class: "changed", path: "value", secret: true, declared: "hmac:1", live: "hmac:2" }]);
    expect(told("Variable", "variables/A", sides, prints("hmac:1", "hmac:1", "hmac:3"))).toEqual([
      'pending variables/A value: "hmac:3" "hmac:1" "hmac:1"',
    ]);
  });

  it("are told whole, never the part that differs", () => {
    const nested = { value: [{ name: "Authorization", value: SECRET }] };
    const found = findings(
      events(
        "Variable",
        "variables/A",
        { applied: nested, live: nested, declared: nested },
        prints("hmac:1", "hmac:2", "hmac:1"),
      ),
    );
    expect(found.map(({ path, live }) => [path, live])).toEqual([["value", "hmac:2"]]);
  });

  it("of new and deleted objects are fingerprints too, or nothing", () => {
    const created = events(
      "Variable",
      "variables/A",
      { declared: { key: "A", value: SECRET } },
      { prints: { declared: { value: "hmac:9" } } },
    );
    expect(findings(created)).toMatchObject([{ declared: { key: "A", value: "hmac:9" } }]);
    const blind = events("Variable", "variables/A", { declared: { key: "A", value: SECRET } });
    expect(findings(blind)).toMatchObject([{ declared: { value: "[secret]" } }]);
  });
});

describe("what could not be read", () => {
  const reason = "GET /workspaces/acme/projects/web/pipelines/7: 403 Access denied. Ask for it";
  const args = { name: "d", cron: "0 2 * * *" };

  it("is incomplete, with the scopes that were missing, and never a change", () => {
    const all = events(
      "Pipeline",
      "projects/web/pipelines/d",
      { applied: args, live: args, declared: args },
      { plan: "same", outputs: { unreadable: reason } },
    );
    expect(findings(all)).toEqual([]);
    expect(incomplete(all)).toEqual([
      {
        type: "Pipeline",
        name: "projects/web/pipelines/d",
        list: false,
        reason,
        scopes: ["WORKSPACE", "EXECUTION_INFO"],
      },
    ]);
  });

  it("may be a list", () => {
    const unlisted = [
      {
        type: "Branch",
        holder: "projects/web",
        reason: "GET /workspaces/acme/projects/web/repository/branches: 403 No.",
      },
    ];
    expect(incomplete([], { unlisted })).toEqual([
      {
        type: "Branch",
        name: "projects/web",
        list: true,
        reason: unlisted[0]?.reason,
        scopes: ["WORKSPACE", "REPOSITORY_READ"],
      },
    ]);
  });

  it("for another reason than a missing right names no scopes", () => {
    const broken = [{ type: "Group", reason: "GET /workspaces/acme/groups: 500 Server error. Try again" }];
    expect(incomplete([], { unlisted: broken })[0]).not.toHaveProperty("scopes");
  });
});
