/** Tests what a checked plan permits. */
import { describe, expect, it } from "vitest";
import { asSecret, UNKNOWN } from "../../../diff/values.js";
import {
  PermittedOperations,
  PlannedArguments,
  type PermittedOperation,
  type RequestedOperation,
} from "../../../provider/adapters/permitted-operations.js";

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
      "the plan does not contain this: to create Group groups/QA. It was not sent: run the command again, which plans from what there is now",
    ]);
  });

  it.each<[what: string, requested: RequestedOperation]>([
    ["another object", { ...update, urn: OTHER }],
    ["another object of the name", { ...update, id: "acme/8" }],
    ["another kind of operation", { ...update, kind: "delete" }],
    ["another type", { ...update, type: "Project" }],
    ["an object without an id", { ...update, id: undefined as unknown as string }],
  ])("not %s", (_what, requested) => {
    expect(refused([update], requested)).toEqual([expect.stringContaining("does not contain this")]);
  });

  it("nothing if it has no operation", () => {
    expect(refused([], creation)).toEqual([
      expect.stringMatching(/to create Group groups\/QA\. It was not sent/),
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
      "the plan does not contain this: to create Group. It was not sent: run the command again, which plans from what there is now",
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
    args.note("before", URN, { description: "x" });
    args.note("after", URN, { name: "of an earlier preview" });
    args.note("after", URN, planned);
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
    expect(require({ ...actual, ...change })).toContain(`to update Group groups/QA with another ${name}. It`);
  });

  it("differ if they would replace another value than the plan says, which is named once", () => {
    expect(require(actual, { description: "y" })).toContain("with another description. It");
    expect(require(actual, {})).toContain("with another description. It");
    expect(require({ ...actual, description: 1 }, { description: 2 })).toContain(
      "with another description. It",
    );
  });

  it("are free where the preview has seen none, and stay permitted after a refusal", () => {
    const args = new PlannedArguments();
    args.note("after", OTHER, { name: "QA" });
    const permitted = new PermittedOperations([creation, { ...creation, urn: OTHER }], args);
    expect(messageOf(() => permitted.require({ ...creation, after: { name: "any" } }))).toBe("");
    const other = { ...creation, urn: OTHER };
    expect(messageOf(() => permitted.require({ ...other, after: { name: "QB" } }))).not.toBe("");
    expect(messageOf(() => permitted.require({ ...other, after: { name: "QA" } }))).toBe("");
  });

  it("are no plaintext in memory", () => {
    const args = new PlannedArguments();
    args.note("after", URN, { token: asSecret("very-secret") });
    expect(JSON.stringify([...(args as unknown as { digests: Map<string, unknown> }).digests])).not.toContain(
      "very",
    );
  });
});
