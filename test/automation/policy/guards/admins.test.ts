/** Tests automation/policy/guards/rules/access.ts. */
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

  it("is explained by those who lose the right, and by no other member", () => {
    const dan = member("create", "dan@example.com", false, false);
    const eve = member("update", "eve@example.com", false, false);
    const [verdict, ...others] = judge([ann("update"), bob, dan, eve], { settings });
    expect(others).toEqual([]);
    expect(verdict?.objects).toEqual(["members/ann@example.com"]);
    expect(verdict?.message).toMatch(/^ann@example.com would/);
  });

  it("counts a released member as what they are", () => {
    const released = (admin: boolean) => member("release", "dan@example.com", admin, admin);
    expect(refusing([ann("delete"), bob, released(true)], { settings })).toEqual([]);
    expect(refusing([ann("delete"), bob, released(false)], { settings })).toEqual(["minimum-admins"]);
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

  it("must keep their address", () => {
    const moved = object(
      "update",
      "WorkspaceMember",
      "members/ann@example.com",
      { email: "ann@example.com", admin: true },
      { email: "eve@example.com", admin: true },
    );
    expect(judge([moved, bob], { settings })).toMatchObject([
      { guard: "required-admins", message: "ann@example.com must stay an administrator, and would not" },
    ]);
  });

  it("are named by their key if their address is not known", () => {
    const unknown = object("update", "WorkspaceMember", "ann@example.com", {}, { email: 7, admin: false });
    expect(refusing([unknown, bob], { settings })).toEqual(["required-admins"]);
  });

  it("may be released, or be absent from the file", () => {
    expect(refusing([member("release", "ann@example.com", false, false)], { settings })).toEqual([]);
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

  it("is not lost by who was no administrator before", () => {
    const update = member("update", "ann@example.com", false, false, 7);
    expect(refusing([update, bob], { callerId: 7 })).toEqual([]);
  });

  it("to a project that is replaced is lost, since nothing else is said of it", () => {
    const project = object("replace", "Project", "projects/web");
    expect(refusing([project, inProject], { callerId: 7 })).toContain("own-access");
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
