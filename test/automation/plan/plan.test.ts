/** Tests the changes and steps of plans. */
import type { OpType } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { listChangesBetween } from "../../../automation/plan/property-changes.js";
import { report } from "../../../automation/report/plan-report.js";
import { formatProblems } from "../../../automation/stack/run-operations.js";
import { HIDDEN } from "../../../diff/values.js";
import { formatSummaryOf } from "../../../reports/plan/print-plan.js";
import { formatValue } from "../../../text/shown-change.js";
import { done, printed, type Properties, said, SECRET, told, UNKNOWN, urn } from "../events.js";

const changes = (old: Properties, young: Properties) =>
  listChangesBetween(old, young).map(({ path, before, after }) => ({ path, before, after }));

it("a resource that a program only read until now is created, whatever the engine calls that", () => {
  const web: [string, string] = ["Project", "web"];
  const { steps, objects } = told([
    done("create-replacement", web, { name: "web" }, { name: "web" }),
    done("replace", web, { name: "web" }, { name: "web" }),
    done("discard-replaced", web, { name: "web" }),
    done("discard", ["Group", "QA"], { name: "QA" }),
  ]);
  expect(steps.map(({ operation, name }) => [operation, name])).toEqual([["create", "web"]]);
  expect(objects).toMatchObject([{ operation: "create", name: "web", after: { name: "web" } }]);
  expect(objects[0]).not.toHaveProperty("before");
});

describe("what is deleted along with a replacement", () => {
  const qa: [string, string] = ["Group", "groups/QA"];
  const named = (name: string) => ({ name });
  const left = (op: OpType, id: string, fresh?: Properties) => {
    const shared = { type: "Group", urn: urn(...qa), parent: "", provider: "", outputs: {} };
    const old = { ...shared, id, delete: true, inputs: named("before") };
    const after = fresh && { ...shared, id: op === "refresh" ? id : "", inputs: fresh };
    return done(op, qa, undefined, undefined, { old, ...(after ? { new: after } : {}) });
  };
  const deleted = (id: string) => left("delete-replaced", id);
  const replacement = [left("create-replacement", "1", named("QB")), left("replace", "1", named("QB"))];

  it("is a part of it", () => {
    const { steps } = told([...replacement, deleted("1")]);
    expect(steps.map(({ operation, name }) => [operation, name])).toEqual([["replace", "groups/QA"]]);
  });

  it("is an object of its own if an earlier run has replaced it, and could not delete it", () => {
    const { steps, objects } = told([...replacement, deleted("1"), deleted("7")]);
    expect(steps.map(({ operation, name }) => [operation, name])).toEqual([
      ["replace", "groups/QA"],
      ["delete", "groups/QA (replaced, 7)"],
    ]);
    expect(objects.map(({ operation, inputs }) => [operation, inputs?.["name"]])).toEqual([
      ["replace", "before"],
      ["delete", "before"],
    ]);
    const same = [done("same", qa, named("QA"), named("QA")), deleted("acme/8")];
    expect(printed(same)).toContain("- group QA (replaced, 8)");
    const { observed, drift } = told([
      done("refresh", qa, named("QA"), named("QA")),
      left("refresh", "acme/8", named("before")),
      ...same,
    ]);
    expect([observed.map(({ name }) => name), drift]).toEqual([["groups/QA", "groups/QA (replaced, 8)"], []]);
  });
});

describe("changes of properties", () => {
  it("are reported for the innermost value that differs", () => {
    const before = { commands: ["a", "b"], fields: { x: 1, y: 2 }, name: "same" };
    const after = { commands: ["a", "c"], fields: { x: 1, y: 3 }, name: "same" };
    expect(changes(before, after)).toEqual([
      { path: "commands[1]", before: "b", after: "c" },
      { path: "fields.y", before: 2, after: 3 },
    ]);
  });

  it("have the whole list if its length differs", () => {
    expect(changes({ list: ["a"] }, { list: ["a", "b"] })).toEqual([
      { path: "list", before: ["a"], after: ["a", "b"] },
    ]);
  });

  it("treat absent and null as equal", () => {
    expect(changes({ description: null }, {})).toEqual([]);
  });

  it("never show a secret, at any depth, and mark values that are known only later", () => {
    expect(formatValue(SECRET)).toBe("[secret]");
    expect(formatValue({ deep: [SECRET] })).toBe("[secret]");
    expect(formatValue(UNKNOWN)).toBe("(known later)");
    expect(formatValue([UNKNOWN])).toBe("[(known later)]");
  });

  it("are whole values in JSON, with marks for what is secret or not known", () => {
    const [long, other] = ["x".repeat(5000), `${"x".repeat(4999)}y`];
    const update = done("update", ["Group", "groups/QA"], { description: long }, { description: other });
    const secret = done("update", ["Variable", "variables/A"], { value: SECRET }, { value: SECRET });
    const created = done("create", ["Group", "groups/New"], undefined, { name: UNKNOWN, size: 3 });
    const mark = { $secret: true };
    expect(report(told([update, secret, created]))).toMatchObject({
      steps: [
        {
          before: null,
          after: { name: { $unknown: true }, size: 3 },
          changes: [
            { path: "name", before: null, after: { $unknown: true } },
            { path: "size", pathParts: ["size"], before: null, after: 3 },
          ],
        },
        {
          before: { description: long },
          after: { description: other },
          changes: [{ path: "description", before: long, after: other }],
        },
        { after: { value: mark }, changes: [{ path: "value", before: mark, after: mark }] },
      ],
    });
  });

  it("have the number of another object in JSON, and its name for people", () => {
    const events = [
      done("same", ["PermissionSet", "permissionSets/dev"], { name: "dev" }, { name: "dev" }, {}),
      done("update", ["ProjectMember", "projects/web/members/1"], { permissionSet: 4 }, { permissionSet: 1 }),
    ];
    expect(report(told(events))).toMatchObject({ steps: [{ changes: [{ before: 4, after: 1 }] }] });
    expect(printed(events)).toContain('"dev (1)"');
  });
});

describe("a plan", () => {
  it("has a line per object, sorted by name, with the changed properties of updates", () => {
    const text = printed([
      done(
        "update",
        ["Group", "groups/QA"],
        { name: "QA", description: "Testers" },
        { name: "QA", description: "Quality" },
      ),
      done("create", ["Variable", "variables/A"], undefined, { key: "A", value: SECRET }),
      done("delete", ["Group", "groups/Old"], { name: "Old" }),
      done("same", ["Project", "projects/web"], { name: "web" }, { name: "web" }),
    ]);
    expect(text).toMatchInlineSnapshot(`
      "- group Old
      ~ group QA
          description  "Testers" → "Quality"
      + variable A
      "
    `);
  });

  it("names the objects that others refer to by number, in any order of the events", () => {
    const text = printed([
      done(
        "update",
        ["ActionOrder", "projects/web/pipelines/deploy/actionOrder"],
        { pipeline: 7, actions: [1] },
        { pipeline: 7, actions: [1, UNKNOWN] },
      ),
      done(
        "same",
        ["Action", "projects/web/pipelines/deploy/actions/Build"],
        { name: "Build" },
        { name: "Build" },
      ),
    ]);
    expect(text).toContain('actions  ["Build (1)"] → ["Build (1)",(known later)]');
  });

  it("shows the arguments of new objects with --details, as YAML", () => {
    const text = printed(
      [done("create", ["Variable", "variables/A"], undefined, { key: "A", value: SECRET })],
      true,
    );
    expect(text).toMatchInlineSnapshot(`
      "+ variable A
          key: A
          value: [secret]
      "
    `);
  });

  it("shows a replacement once, with its reason", () => {
    const member = ["WorkspaceMember", "members/ann"] as [string, string];
    const text = printed([
      done("delete-replaced", member, { email: "a@x.y" }),
      done("replace", member, { email: "a@x.y" }, { email: "b@x.y" }, { keys: ["email"] }),
      done("create-replacement", member, { email: "a@x.y" }, { email: "b@x.y" }),
    ]);
    expect(text).toMatchInlineSnapshot(`
      "± member ann
          email  "a@x.y" → "b@x.y"  forces the replacement
      "
    `);
  });

  it("shows a rename with the former name", () => {
    const event = done("update", ["Group", "groups/Quality"], { name: "QA" }, { name: "Quality" });
    const old = event.resOutputsEvent?.metadata.old;
    if (old) old.urn = urn("Group", "groups/QA");
    expect(printed([event])).toContain("~ group Quality  (was QA)");
  });

  it("shows only that a secret changes, not its value", () => {
    const text = printed([done("update", ["Variable", "variables/A"], { value: SECRET }, { value: SECRET })]);
    expect(text).toContain("value  [secret, changed]");
  });

  it("counts operations in its summary", () => {
    const events = [
      done("create", ["Group", "groups/A"], undefined, {}),
      done("same", ["Group", "groups/B"], {}, {}),
    ];
    expect(formatSummaryOf(told(events), "plan")).toBe("1 to create, 0 to update, 0 to delete, 1 unchanged");
    expect(formatSummaryOf(told([]), "done")).toBe("0 created, 0 updated, 0 deleted, 0 unchanged");
  });

  it("counts an object that is released separately from deletions", () => {
    const event = done("delete", ["Group", "groups/A"], {});
    const old = event.resOutputsEvent?.metadata.old;
    if (old) old.retainOnDelete = true;
    expect(formatSummaryOf(told([event]), "plan")).toBe(
      "0 to create, 0 to update, 0 to delete, 1 to release (not deleted), 0 unchanged",
    );
  });
});

describe("drift", () => {
  it("lists objects that a refresh found changed or deleted", () => {
    const events = [
      done("update", ["Group", "groups/QA"], { description: "Testers" }, { description: "Hobby club" }),
      done("delete", ["Group", "groups/Gone"], { description: "x" }),
      done("same", ["Group", "groups/Same"], { description: "x" }, { description: "x" }),
    ];
    expect(printed(events, false, true)).toMatchInlineSnapshot(`
      "! group Gone  deleted outside
      ! group QA  changed outside
          description  "Testers" → "Hobby club"
      "
    `);
  });

  it("says of a secret only that the engine names it", () => {
    const secret = { key: "KEY", encrypted: true, value: SECRET };
    const read = done("refresh", ["Variable", "variables/KEY"], secret, secret);
    Object.assign(read.resOutputsEvent?.metadata ?? {}, { diffs: ["value"] });
    const { drift } = told([read, done("update", ["Variable", "variables/KEY"], secret, secret)]);
    expect(drift).toMatchObject([{ name: "variables/KEY", changes: [{ path: "value", after: HIDDEN }] }]);
  });

  it("contains every change of a separate refresh", () => {
    const events = [done("update", ["Group", "groups/QA"], { description: "a" }, { description: "b" })];
    const { drift, steps } = told(events, true);
    expect(steps).toEqual([]);
    expect(drift).toMatchObject([
      { name: "groups/QA", changes: [{ path: "description", before: "a", after: "b" }] },
    ]);
  });
});

describe("messages of the engine", () => {
  it("are reported once, with the name of the object, without uninformative lines", () => {
    const { problems } = told([
      said("error", "group already exists\n", urn("Group", "groups/QA")),
      said("error", "Preview failed: group already exists\n", urn("Group", "groups/QA")),
      said("error", "update failed\n"),
    ]);
    expect(formatProblems(problems)).toBe("groups/QA: group already exists");
  });

  it("are reported once for all objects that share them", () => {
    const names = Array.from({ length: 22 }, (_, n) => String.fromCharCode(97 + n));
    const events = names
      .toReversed()
      .map((name) =>
        said("error", `wrong workspace (object acme/${name}). Choose another`, urn("Group", name)),
      );
    const first = names.slice(0, 20).join(", ");
    expect(formatProblems(told(events).problems)).toBe(
      `${first} and 2 more: wrong workspace. Choose another`,
    );
    const two = told([said("error", "one\nmore of it", urn("Group", "a")), said("error", "two")]).problems;
    expect(formatProblems(two)).toBe("2 problems:\n  a: one\n  more of it\n  two");
  });

  it("of severity debug are dropped because they contain plain secrets", () => {
    const event = said("warning", "RegisterResource RPC finished: value=hunter2");
    // The engine sends this severity, although the type of the SDK does not contain it.
    Object.assign(event.diagnosticEvent ?? {}, { severity: "debug" });
    expect(told([event])).toMatchObject({ problems: [], notes: [] });
  });

  it("of a language host without Pulumi's SDK are an error", () => {
    const line = "It looks like the Pulumi SDK has not been installed. Have you run npm install?";
    const { problems, notes } = told([said("info#err", `error: ${line}\n`)]);
    expect({ problems, notes }).toEqual({ problems: [{ message: line }], notes: [] });
  });

  it("other than errors become notes without duplicates", () => {
    const line = "rate limit reached: 3 requests wait 60 s\n";
    expect(told([said("info#err", line), said("info#err", line)]).notes).toEqual([line.trim()]);
    const found = (plugin: string) => said("warning", `using ${plugin} from $PATH at /opt/bin/${plugin}`);
    const notes = told([found("pulumi-resource-pulumi-nodejs"), found("pulumi-resource-random")]).notes;
    expect(notes).toEqual(["using pulumi-resource-random from $PATH at /opt/bin/pulumi-resource-random"]);
  });
});
