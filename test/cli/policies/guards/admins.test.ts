import { describe, expect, it } from "vitest";
import { judge, member, object, refusing } from "./plan.js";

const ann = (operation: "same" | "update" | "delete" | "release", after = false) =>
  member(operation, "ann@example.com", true, after, 7);
const bob = member("same", "bob@example.com", true, true, 8);

describe("the number of administrators", () => {
  const settings = { minimumAdmins: 2 };

  it("may not fall below the minimum, by a deletion or an update", () => {
    for (const plan of [
      [ann("delete"), bob],
      [ann("update"), bob],
    ])
      expect(judge(plan, { settings })).toMatchObject([
        {
          guard: "minimum-admins",
          message:
            "ann@example.com would no longer be an administrator, and 1 would remain where at least 2 are required",
        },
      ]);
  });

  it("includes administrators that the file does not declare, and new ones", () => {
    expect(refusing([ann("delete"), bob], { settings, otherAdmins: 1 })).toEqual([]);
    expect(
      refusing([ann("delete"), bob, member("create", "cleo@example.com", false, true)], { settings }),
    ).toEqual([]);
  });

  it("is not checked for a plan that removes no administrator", () => {
    expect(refusing([ann("same", true)], { settings })).toEqual([]);
    expect(refusing([ann("release"), bob], { settings })).toEqual([]);
  });
});

describe("required administrators", () => {
  const settings = { requiredAdmins: ["ann@example.com"] };

  it("must remain administrators", () => {
    expect(refusing([ann("delete"), bob], { settings })).toEqual(["required-admins"]);
    expect(refusing([ann("update"), bob], { settings })).toEqual(["required-admins"]);
    expect(refusing([member("create", "ann@example.com", false, false)], { settings })).toEqual([
      "required-admins",
    ]);
  });

  it("may be released, or be absent from the file", () => {
    expect(refusing([ann("release"), bob], { settings })).toEqual([]);
    expect(refusing([bob], { settings })).toEqual([]);
  });
});

describe("one's own access", () => {
  const inProject = object("delete", "ProjectMember", "projects/web/members/ann@example.com", {
    memberId: 7,
  });

  it("cannot be removed by the caller", () => {
    expect(refusing([ann("update"), bob], { callerId: 7 })).toEqual(["own-access"]);
    expect(refusing([ann("delete"), bob], { callerId: 7 })).toEqual(["own-access"]);
    expect(refusing([inProject], { callerId: 7 })).toEqual(["own-access"]);
  });

  it("can be removed by another caller, or if the file allows it", () => {
    expect(refusing([ann("update"), inProject, bob], { callerId: 8 })).toEqual([]);
    expect(refusing([ann("update"), bob], { callerId: 7, settings: { ownAccess: false } })).toEqual([]);
  });

  it("is protected even if the user of the token is not known", () => {
    const [verdict] = judge([inProject, bob], { callerIsHidden: true });
    expect(verdict).toMatchObject({
      guard: "own-access",
      remedy: expect.stringContaining("USER_INFO") as string,
    });
    expect(refusing([bob], { callerIsHidden: true })).toEqual([]);
  });

  it("does not depend on groups", () => {
    const inGroup = object("delete", "GroupMember", "groups/QA/members/ann@example.com", { memberId: 7 });
    expect(refusing([inGroup], { callerId: 7 })).toEqual([]);
  });
});
