/** Tests what a checked plan permits. */
import { describe, expect, it } from "vitest";
import { asSecret, UNKNOWN } from "../../../diff/values.js";
import {
  type PermittedOperation,
  PermittedOperations,
  type RequestedOperation,
} from "../../../provider/adapters/permitted-operations.js";
import { PlannedArguments } from "../../../provider/adapters/planned-arguments.js";

const URN = "urn:pulumi:dev::app::workspace-automation:index:Group::groups/QA";
const OTHER = `${URN}2`;
const creation = { kind: "create", type: "Group", urn: URN } as const;
const update = { kind: "update", type: "Group", urn: URN, id: "acme/7" } as const;
const deletion = { kind: "delete", type: "Group", urn: URN, id: "acme/7" } as const;

const refused = (operations: readonly PermittedOperation[], ...requested: RequestedOperation[]): string[] => {
  const permitted = new PermittedOperations(operations);
  return requested.map((one) => messageOf(() => permitted.require(one)));
};

function messageOf(work: () => void): string {
  try {
    work();
    return "";
  } catch (error) {
    expect(error).toMatchObject({ code: "not-in-plan" });
    return (error as Error).message;
  }
}

describe("a plan permits", () => {
  it("each of its operations once", () => {
    expect(
      refused([creation, { ...update, urn: OTHER }], creation, { ...update, urn: OTHER }, creation),
    ).toEqual([
      "",
      "",
      "the plan that was shown does not contain this step: to create Group groups/QA. The step was skipped: the workspace or the file has changed since the plan: run the command again, which creates a new plan",
    ]);
  });

  it.each<[what: string, requested: RequestedOperation]>([
    ["another object", { ...update, urn: OTHER }],
    ["another object of the name", { ...update, id: "acme/8" }],
    ["another kind of operation", { ...update, kind: "delete" }],
    ["another type", { ...update, type: "Project" }],
    ["an object without an id", { ...update, id: undefined as unknown as string }],
  ])("not %s", (_what, requested) => {
    expect(refused([update], requested)).toEqual([expect.stringContaining("does not contain this step")]);
  });

  it("nothing if it has no operation", () => {
    expect(refused([], creation)).toEqual([
      expect.stringMatching(/to create Group groups\/QA\. The step was skipped/),
    ]);
  });

  it("what a host asks for without the URN, as often as the plan has it", () => {
    const { urn: _, ...nameless } = creation;
    const { urn: __, ...known } = deletion;
    expect(
      refused([creation, { ...creation, urn: OTHER }, deletion], nameless, nameless, nameless, known),
    ).toEqual([
      "",
      "",
      "the plan that was shown does not contain this step: to create Group. The step was skipped: the workspace or the file has changed since the plan: run the command again, which creates a new plan",
      "",
    ]);
    expect(refused([deletion], { ...known, id: "acme/8" })[0]).toContain("to delete Group acme/8.");
  });

  it("the deletion of a replaced object after the creation of the new one, if that is the order of the plan", () => {
    const after = { ...deletion, afterCreation: true };
    expect(refused([creation, after], deletion, creation, deletion)).toEqual([
      expect.stringContaining("to delete Group groups/QA before its replacement was created"),
      "",
      "",
    ]);
    expect(refused([{ ...creation, urn: OTHER }, after], { ...creation, urn: OTHER }, deletion)[1]).not.toBe(
      "",
    );
    expect(refused([update, after], update, deletion)[1]).not.toBe("");
    expect(refused([deletion, creation], deletion, creation)).toEqual(["", ""]);
  });
});

describe("the arguments of an operation", () => {
  const planned = {
    name: "QA",
    token: asSecret("t1"),
    members: ["a", UNKNOWN],
    nested: { id: UNKNOWN, key: "k" },
    note: null,
  };
  const actual = { name: "QA", token: asSecret("t1"), members: ["a", "b"], nested: { id: 7, key: "k" } };

  function require(
    after: Record<string, unknown>,
    before: Record<string, unknown> = { description: "x" },
  ): string {
    const args = new PlannedArguments();
    args.note("before", creation, { description: "x" });
    args.note("after", creation, { name: "of an earlier preview" });
    args.note("after", creation, planned);
    const permitted = new PermittedOperations([update], args);
    return messageOf(() => permitted.require({ ...update, before, after }));
  }

  it("are those of the plan, with any value for what was not known", () => {
    expect(require(actual)).toBe("");
    expect(
      require({ ...actual, token: "t1", nested: { key: "k", id: "8" }, __provider: "text", note: undefined }),
    ).toBe("");
  });

  it.each<[name: string, change: Record<string, unknown>]>([
    ["name", { name: "QB" }],
    ["name", { name: undefined }],
    ["token", { token: asSecret("t2") }],
    ["members", { members: ["b", "b"] }],
    ["members", { members: ["a"] }],
    ["members", { members: ["a", "b", "c"] }],
    ["members", { members: { 0: "a", 1: "b" } }],
    ["nested", { nested: { id: 7, key: "other" } }],
    ["nested", { nested: { id: 7, key: "k", more: 1 } }],
    ["nested", { nested: { id: 7 } }],
    ["nested", { nested: "text" }],
    ["nested", { nested: [7, "k"] }],
    ["note", { note: "new" }],
    ["more", { more: true }],
    ["name, more", { name: 1, more: true }],
  ])("differ in %s: %o", (name, change) => {
    expect(require({ ...actual, ...change })).toContain(
      `to update Group groups/QA with another ${name} than planned. The`,
    );
  });

  it("differ if they would replace another value than the plan says, which is named once", () => {
    expect(require(actual, { description: "y" })).toContain("with another description than planned. The");
    expect(require(actual, {})).toContain("with another description than planned. The");
    expect(require({ ...actual, description: 1 }, { description: 2 })).toContain(
      "with another description than planned. The",
    );
  });

  it("are free where the preview has seen none, and stay permitted after a refusal", () => {
    const args = new PlannedArguments();
    args.note("after", { ...creation, urn: OTHER }, { name: "QA" });
    const permitted = new PermittedOperations([creation, { ...creation, urn: OTHER }], args);
    expect(messageOf(() => permitted.require({ ...creation, after: { name: "any" } }))).toBe("");
    const other = { ...creation, urn: OTHER };
    expect(messageOf(() => permitted.require({ ...other, after: { name: "QB" } }))).not.toBe("");
    expect(messageOf(() => permitted.require({ ...other, after: { name: "QA" } }))).toBe("");
  });

  it("are those of any new object of the type where a host passes no URN, and those of an id", () => {
    const lines: string[] = [];
    const args = new PlannedArguments(undefined, (line) => lines.push(line));
    args.note("after", { type: "Group" }, { name: "QA", description: "x" });
    args.note("after", { type: "Group" }, { name: "Ops" });
    args.note("after", { type: "Group", id: "acme/7" }, { name: "earlier" });
    args.note("after", { type: "Group", id: "acme/7" }, { name: "Old" });
    args.note("after", { type: "Project" }, { name: "web" });
    // The provider of a program gets them as lines.
    const copy = PlannedArguments.read([args.firstLine, ...lines].join("\n"));
    for (const planned of [args, copy]) {
      const permitted = new PermittedOperations([creation, { ...creation, urn: OTHER }, update], planned);
      const create = (after: Record<string, unknown>) =>
        messageOf(() => permitted.require({ kind: "create", type: "Group", after }));
      const change = (name: string) =>
        messageOf(() => permitted.require({ kind: "update", type: "Group", id: "acme/7", after: { name } }));
      expect([create({ name: "QA" }), create({ name: "web", description: "x" })]).toEqual([
        expect.stringContaining("to create Group with another description than planned."),
        expect.stringContaining("to create Group with another name than planned."),
      ]);
      expect([create({ name: "Ops" }), create({ name: "QA", description: "x" })]).toEqual(["", ""]);
      expect(change("Ops")).toContain("to update Group acme/7 with another name than planned.");
      expect(change("earlier")).toContain("with another name than planned.");
      expect(change("Old")).toBe("");
    }
    expect(lines.join()).not.toContain("QA");
    // Without the key, nothing can be compared with them.
    const keyless = PlannedArguments.read([new PlannedArguments().firstLine, ...lines].join("\n"));
    expect(keyless.listDiffering("after", { type: "Project" }, { name: "web" })).toEqual(["name"]);
  });

  it("are no plaintext in memory", () => {
    const args = new PlannedArguments();
    args.note("after", creation, { token: asSecret("very-secret") });
    expect(JSON.stringify([...(args as unknown as { digests: Map<string, unknown> }).digests])).not.toContain(
      "very",
    );
  });
});

describe("a creation", () => {
  const adopting = { ...creation, adopts: { id: "acme/7", sends: ["description"] } };
  const alone = { ...creation, urn: OTHER, adopts: null };

  function take(operations: readonly PermittedOperation[], { urn }: { readonly urn?: string }) {
    const planned = new PermittedOperations(operations).require({ kind: "create", type: "Group", urn });
    return {
      adopt: (id: string, ...sends: string[]) => messageOf(() => planned.requireAdoption(id, sends)),
      create: () => messageOf(() => planned.requireCreation()),
    };
  }

  it("adopts the object that the plan has found, and changes what it has shown", () => {
    const { adopt, create } = take([adopting, alone], adopting);
    expect([adopt("acme/7"), adopt("acme/7", "description")]).toEqual(["", ""]);
    expect(adopt("acme/7", "description", "name")).toContain(
      "to adopt Group acme/7 with another name than planned.",
    );
    expect(adopt("acme/8")).toContain("to adopt Group acme/8, which the plan did not find.");
    expect(create()).toContain("to create Group groups/QA instead of adopting acme/7.");
  });

  it("adopts nothing where the plan has found nothing", () => {
    const { adopt, create } = take([adopting, alone], alone);
    expect([adopt("acme/7"), create()]).toEqual([expect.stringContaining("which the plan did not find"), ""]);
  });

  it("is free where the plan cannot know what exists", () => {
    const { adopt, create } = take([creation, alone], creation);
    expect([adopt("acme/9", "name"), create()]).toEqual(["", ""]);
  });

  it("is that of any object of the type where a host passes no URN", () => {
    const { adopt, create } = take([adopting, alone], {});
    expect([adopt("acme/7", "description"), create()]).toEqual(["", ""]);
    expect(adopt("acme/7", "name")).toContain("with another name than planned.");
    expect(adopt("acme/8")).toContain("which the plan did not find");
    // It may be the one of which the plan does not know what it adopts.
    expect(take([adopting, { ...creation, urn: OTHER }], {}).adopt("acme/7", "name")).toBe("");
    expect(take([adopting, { ...alone, type: "Project" }], {}).create()).toContain("instead of adopting");
  });
});

it("a run removes from the lists of others only what the plan has found there", () => {
  const permitted = new PermittedOperations([], undefined, [
    { list: "groups/7/members", identity: 3 },
    { list: "groups/7/members", identity: 5 },
  ]);
  const remove = (list: string, identity: number) =>
    messageOf(() => permitted.requireRemoval(list, identity, "ann@example.com"));
  expect(remove("groups/7/members", 3)).toBe("");
  expect([remove("groups/8/members", 3), remove("groups/7/members", 4)]).toEqual([
    expect.stringContaining(
      "to remove ann@example.com from groups/8/members, which the plan did not find there",
    ),
    expect.stringContaining("from groups/7/members"),
  ]);
});
