import { describe, expect, it } from "vitest";
import { judge, member, object, refusing } from "./plan.js";

const ann = (operation: "same" | "update" | "delete" | "release", after = false) =>
  member(operation, "ann@example.com", true, after, 7);
const bob = member("same", "bob@example.com", true, true, 8);

describe("the number of administrators", () => {
  const settings = { minimumAdmins: 2 };

  it("may not fall below the minimum, by a deletion or a declaration", () => {
    for (const plan of [
      [ann("delete"), bob],
      [ann("update"), bob],
    ])
      expect(judge(plan, { settings })).toMatchObject([
        {
          guard: "minimum-admins",
          message:
            "ann@example.com would be an administrator no longer, and 1 would be left where at least 2 are wanted",
        },
      ]);
  });

  it("counts administrators that the file does not declare, and new ones", () => {
    expect(refusing([ann("delete"), bob], { settings, otherAdmins: 1 })).toEqual([]);
    expect(
      refusing([ann("delete"), bob, member("create", "cleo@example.com", false, true)], { settings }),
    ).toEqual([]);
  });

  it("does not matter to a plan that takes nobody away", () => {
    expect(refusing([ann("same", true)], { settings })).toEqual([]);
    expect(refusing([ann("release"), bob], { settings })).toEqual([]);
  });
});

describe("required administrators", () => {
  const settings = { requiredAdmins: ["ann@example.com"] };

  it("stay administrators", () => {
    expect(refusing([ann("delete"), bob], { settings })).toEqual(["required-admins"]);
    expect(refusing([ann("update"), bob], { settings })).toEqual(["required-admins"]);
    expect(refusing([member("create", "ann@example.com", false, false)], { settings })).toEqual([
      "required-admins",
    ]);
  });

  it("may be released, or not be declared at all", () => {
    expect(refusing([ann("release"), bob], { settings })).toEqual([]);
    expect(refusing([bob], { settings })).toEqual([]);
  });
});

describe("one's own access", () => {
  const inProject = object("delete", "ProjectMember", "projects/web/members/ann@example.com", {
    memberId: 7,
  });

  it("is not taken away by the one who has it", () => {
    expect(refusing([ann("update"), bob], { callerId: 7 })).toEqual(["own-access"]);
    expect(refusing([ann("delete"), bob], { callerId: 7 })).toEqual(["own-access"]);
    expect(refusing([inProject], { callerId: 7 })).toEqual(["own-access"]);
  });

  it("may be taken away by somebody else, or where the file allows it", () => {
    expect(refusing([ann("update"), inProject, bob], { callerId: 8 })).toEqual([]);
    expect(refusing([ann("update"), bob], { callerId: 7, settings: { ownAccess: false } })).toEqual([]);
  });

  it("is not put at risk where nobody can tell whose the token is", () => {
    const [verdict] = judge([inProject, bob], { callerIsHidden: true });
    expect(verdict).toMatchObject({
      guard: "own-access",
      remedy: expect.stringContaining("USER_INFO") as string,
    });
    expect(refusing([bob], { callerIsHidden: true })).toEqual([]);
  });

  it("has nothing to do with groups", () => {
    const inGroup = object("delete", "GroupMember", "groups/QA/members/ann@example.com", { memberId: 7 });
    expect(refusing([inGroup], { callerId: 7 })).toEqual([]);
  });
});
