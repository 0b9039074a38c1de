/** Tests automation/drift/drift-findings.ts. */
import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../../diff/values.js";
import { SecretValue } from "../../../text/json-value.js";
import { events, findings, incomplete, words } from "../../cli/commands/drift/support.js";
import { SECRET, UNKNOWN } from "../events.js";

const told = (...all: Parameters<typeof events>) => findings(events(...all)).map(words);

describe("one property of one object", () => {
  it("is not a finding if file, state and workspace agree", () => {
    const same = { name: "QA", description: "Testers" };
    expect(
      told("Group", "groups/QA", { applied: same, live: same, declared: same }, { plan: "same" }),
    ).toEqual([]);
  });

  it("is changed if the workspace differs from the applied state", () => {
    const sides = {
      applied: { description: "Testers" },
      live: { description: "Hobby club" },
      declared: { description: "Testers" },
    };
    expect(told("Group", "groups/QA", sides)).toEqual([
      'changed groups/QA description: "Testers" "Testers" "Hobby club"',
    ]);
  });

  it("is pending if only the file differs from the applied state", () => {
    const sides = {
      applied: { description: "a" },
      live: { description: "a" },
      declared: { description: "b" },
    };
    expect(findings(events("Group", "groups/QA", sides))).toMatchObject([
      { class: "pending", path: "description", operation: "update", declared: "b", live: "a" },
    ]);
  });

  it("is changed, with a note, if file and workspace were changed to different values", () => {
    const sides = {
      applied: { description: "a" },
      live: { description: "b" },
      declared: { description: "c" },
    };
    expect(findings(events("Group", "groups/QA", sides))).toMatchObject([
      { class: "changed", declared: "c", applied: "a", live: "b", note: "the file was changed too" },
    ]);
  });

  it("is not a finding if the workspace was changed to the value in the file", () => {
    const sides = {
      applied: { description: "a" },
      live: { description: "b" },
      declared: { description: "b" },
    };
    expect(told("Group", "groups/QA", sides)).toEqual([]);
  });

  it("is pending if it was removed from the file", () => {
    const gone = { applied: { description: "a" }, live: { description: "a" }, declared: {} };
    expect(told("Group", "groups/QA", gone)).toEqual(['pending groups/QA description: - "a" "a"']);
  });

  it("treats empty values as equal, unless one is newly declared", () => {
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

  it("ends at the item of a list", () => {
    expect(action(["a", "b"], ["a", "c"])).toEqual(['executeCommands[1]: "b" "b" "c"']);
  });

  it("ends at the list if items were added, removed or reordered", () => {
    expect(action(["a"], ["a", "b"])).toEqual(['executeCommands: ["a"] ["a"] ["a","b"]']);
    expect(action(["a", "b"], ["b", "a"])).toEqual(['executeCommands: ["a","b"] ["a","b"] ["b","a"]']);
  });

  it("includes nested properties", () => {
    expect(action({ x: { y: 1 } }, { x: { y: 2 } })).toEqual(["executeCommands.x.y: 1 1 2"]);
  });

  it("ends at the list if its order has no meaning, and only if the items differ", () => {
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
  it("are deleted if the state and the file contain them, but not the workspace", () => {
    const was = { name: "Ops", workspace: "acme" };
    expect(told("Group", "groups/Ops", { applied: was, declared: was })).toEqual([
      'deleted groups/Ops : {"name":"Ops"} {"name":"Ops"} -',
    ]);
  });

  it("are not a finding if neither the file nor the workspace contains them", () => {
    expect(told("Group", "groups/Ops", { applied: { name: "Ops" } })).toEqual([]);
  });

  it("are pending if they are declared but not created, or exist but are no longer declared", () => {
    expect(findings(events("Group", "groups/New", { declared: { name: "New" } }))).toMatchObject([
      { class: "pending", operation: "create", path: "", declared: { name: "New" } },
    ]);
    const old = { name: "Old" };
    expect(findings(events("Group", "groups/Old", { applied: old, live: old }))).toMatchObject([
      { class: "pending", operation: "delete", live: old },
    ]);
  });

  it("are added if they are unmanaged, under the name that they would have in the file", () => {
    const found = {
      type: "Pipeline",
      section: "pipelines",
      key: "a/b",
      parent: "projects/web",
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

  it("have ids of their own if several unmanaged ones have one name, of which the first has that of the name", () => {
    const named = (id: string) => ({
      type: "PermissionSet",
      section: "permissionSets",
      key: "QA",
      id,
      args: {},
    });
    const [only] = findings([], { found: [named("7")] });
    const all = findings([], { found: [named("7"), named("8"), named("9")] });
    expect(all.map(({ name }) => name)).toEqual(Array(3).fill("permissionSets/QA"));
    expect(all[0]?.id).toBe(only?.id);
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    expect(findings([], { found: [named("7"), named("9")] })[1]?.id).toBe(all[2]?.id);
  });

  it("have a link of their own, or that of the object that contains them", () => {
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

describe("consequences of other changes", () => {
  it("are not reported if a value is known only after the change", () => {
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

describe("numbers of objects", () => {
  it("are shown with the names of the objects", () => {
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

const secret = (fingerprint: string) => new SecretValue(fingerprint);

describe("secrets", () => {
  const sides = { applied: { value: SECRET }, live: { value: SECRET }, declared: { value: SECRET } };
  const prints = (applied: string, live: string, declared: string) => ({
    prints: { applied: { value: applied }, live: { value: live }, declared: { value: declared } },
  });

  it("are compared and reported by fingerprints", () => {
    expect(told("Variable", "variables/A", sides, prints("hmac:1", "hmac:1", "hmac:1"))).toEqual([]);
    expect(
      findings(events("Variable", "variables/A", sides, prints("hmac:1", "hmac:2", "hmac:1"))),
    ).toMatchObject([
      { class: "changed", path: "value", secret: true, declared: secret("hmac:1"), live: secret("hmac:2") },
    ]);
    expect(told("Variable", "variables/A", sides, prints("hmac:1", "hmac:1", "hmac:3"))).toEqual([
      'pending variables/A value: "hmac:3" "hmac:1" "hmac:1"',
    ]);
  });

  it("are reported as a whole property, not as the part that differs", () => {
    const nested = { value: [{ name: "Authorization", value: SECRET }] };
    const found = findings(
      events(
        "Variable",
        "variables/A",
        { applied: nested, live: nested, declared: nested },
        prints("hmac:1", "hmac:2", "hmac:1"),
      ),
    );
    expect(found.map(({ path, live }) => [path, live])).toEqual([["value", secret("hmac:2")]]);
  });

  it("of new and deleted objects are fingerprints, or masked without one", () => {
    const created = events(
      "Variable",
      "variables/A",
      { declared: { key: "A", value: SECRET } },
      { prints: { declared: { value: "hmac:9" } } },
    );
    expect(findings(created)).toMatchObject([{ declared: { key: "A", value: secret("hmac:9") } }]);
    const blind = events("Variable", "variables/A", { declared: { key: "A", value: SECRET } });
    expect(findings(blind)).toMatchObject([{ declared: { value: HIDDEN } }]);
  });
});

describe("an object that could not be read", () => {
  const reason = "GET /workspaces/acme/projects/web/pipelines/7: 403 Access denied. Ask for it";
  const args = { name: "d", cron: "0 2 * * *" };

  it("is incomplete, with the missing scopes, and never a change", () => {
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
        parent: "projects/web",
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

  it("has no missing scopes if another error is the reason", () => {
    const broken = [{ type: "Group", reason: "GET /workspaces/acme/groups: 500 Server error. Try again" }];
    expect(incomplete([], { unlisted: broken })[0]).not.toHaveProperty("scopes");
  });
});
