/** Tests that each guard has a code and a description, which objects it names, where its setting is written, and what it advises under a policy. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PlannedObject } from "../../../../automation/plan/planned-objects.js";
import { evaluateGuards, guards } from "../../../../automation/policy/guards/judge.js";
import { guardCodes, type Judged } from "../../../../automation/policy/guards/types.js";
import { judge, many, member, object } from "./plan.js";

const verdictOf = (guard: string, objects: readonly PlannedObject[], more: Partial<Judged> = {}) =>
  judge(objects, { path: "workspace.yaml", ...more }).find((verdict) => verdict.guard === guard);

/** The verdict of a policy with the settings. */
const underPolicy = (guard: string, objects: readonly PlannedObject[], guards: Judged["settings"]) =>
  evaluateGuards({ objects, settings: {}, allowances: {}, callerId: 1 }, [
    { path: "policy.yaml", guards },
  ]).find((verdict) => verdict.guard === guard && verdict.policy !== undefined);

it("each guard has a code, and each code has a guard", () => {
  expect(guards.map(({ code }) => code).toSorted()).toEqual([...guardCodes].toSorted());
});

it("each guard is described in docs/guards.md", () => {
  const page = readFileSync("docs/guards.md", "utf8");
  for (const { code } of guards) expect(page).toContain(`\`${code}\``);
});

describe("a guard names the objects", () => {
  it("that are too many", () => {
    const plan = [...many("same", 60), ...many("delete", 11, "Variable", "variables")];
    expect(verdictOf("max-deletes", plan, { settings: { maxDeletes: 10 } })).toMatchObject({
      message: "11 objects would be deleted, and at most 10 may be",
      objects: plan.slice(60).map(({ name }) => name),
      file: "workspace.yaml",
    });
    const option = { settings: { maxDeletes: 10 }, allowances: { maxDeletes: 9 } };
    expect(verdictOf("max-deletes", plan, option)).not.toHaveProperty("file");
    expect(verdictOf("max-deletes", plan, { allowances: { maxDeletes: 11 } })).toBeUndefined();
    const policy = (maxDeletes: number) => underPolicy("max-deletes", plan, { maxDeletes })?.remedy;
    expect(policy(10)).toBe("delete at most 10 at a time; no option overrides a policy");
    expect(policy(0)).toBe("delete nothing; no option overrides a policy");
  });

  it("that others own", () => {
    const plan = [
      object("delete", "Group", "groups/web-a"),
      object("delete", "Project", "projects/web"),
      object("replace", "Group", "groups/other"),
      object("same", "Group", "groups/free"),
    ];
    expect(verdictOf("not-owned", plan, { owns: ["groups/web-*/**", "projects/web"] })).toMatchObject({
      objects: ["groups/other", "projects/web"],
    });
    const reason = (...owns: string[]) => verdictOf("not-owned", plan, { owns })?.message;
    expect(reason("groups/web-*/**", "projects/web/**")).toBe(
      "this file does not own groups/other, and would delete it",
    );
    expect(reason("groups/**", "projects/web")).toBe(
      "projects/web would be deleted with what others may own in it",
    );
    expect(reason("projects/web")).toBe(
      "this file does not own groups/web-a, groups/other, and would delete it; " +
        "projects/web would be deleted with what others may own in it",
    );
    expect(verdictOf("not-owned", plan, { owns: ["groups/**", "projects/**"] })).toBeUndefined();
    expect(verdictOf("not-owned", plan)).toBeUndefined();
  });

  it("of protected kinds, and those that are protected", () => {
    const plan = [
      object("delete", "Group", "groups/QA"),
      object("delete", "Variable", "variables/A"),
      { ...object("delete", "PermissionSet", "permissionSets/dev"), protected: true },
      object("same", "Group", "groups/Ops"),
    ];
    const kinds = verdictOf("protected-kind", plan, {
      settings: { protectedKinds: ["Group", "PermissionSet"] },
    });
    expect(kinds?.objects).toEqual(["groups/QA", "permissionSets/dev"]);
    expect(kinds?.message).toContain("Group, PermissionSet");
    expect(verdictOf("protected-kind", plan)).toBeUndefined();
    const one = verdictOf("protected-object", plan);
    expect(one).toMatchObject({
      message: expect.stringContaining("permissionSets/dev") as string,
      objects: ["permissionSets/dev"],
    });
    expect(verdictOf("protected-object", plan, { allowances: { includeProtected: true } })).toBeUndefined();
  });

  it("that nobody declares", () => {
    const content = (name: string) => ({ type: "Variable", name, within: "projects/web" });
    const contents = [content("projects/web/variables/A"), content("projects/web/variables/B")];
    const plan = [object("delete", "Project", "projects/web"), object("same", "Group", "groups/QA")];
    const found = (more: Partial<Judged>) =>
      verdictOf("unmanaged-contents", plan, { contents, ...more })?.objects;
    expect(found({})).toEqual(contents.map(({ name }) => name));
    expect(found({ allowances: { allowDelete: ["**/variables/A"] } })).toEqual(["projects/web/variables/B"]);
    expect(found({ settings: { unmanagedContents: "allow" } })).toBeUndefined();
    expect(found({ contents: [] })).toBeUndefined();
    expect(verdictOf("unmanaged-contents", plan, { contents })).toMatchObject({
      message: "2 objects that no file declares would be deleted with projects/web",
      remedyInFile: 'guards: { allowDelete: ["projects/web/variables/A", "projects/web/variables/B"] }',
    });
    const scattered = [..."abcd"].map((name) => content(`projects/${name}/variables/A`));
    expect(verdictOf("unmanaged-contents", plan, { contents: scattered })).toMatchObject({
      remedyInFile: "guards: { unmanagedContents: allow }",
    });
    // A program has no file that could set a guard.
    const ofProgram = verdictOf("unmanaged-contents", plan, { contents, isProgram: true });
    expect(ofProgram).not.toHaveProperty("remedyInFile");
  });

  it("by which somebody loses rights", () => {
    const plan = [
      member("update", "ann@example.com", true, false),
      member("same", "bob@example.com", true, true, 2),
      object("delete", "Group", "groups/QA", { memberId: 1 }),
    ];
    const admins = { settings: { requiredAdmins: ["ANN@example.com", "bob@example.com"] } };
    expect(verdictOf("required-admins", plan, admins)?.objects).toEqual(["members/ann@example.com"]);
    expect(underPolicy("required-admins", plan, admins.settings)?.remedy).toBe(
      "declare admin: true; no option overrides a policy",
    );
    expect(verdictOf("own-access", plan, { callerId: 1 })?.objects).toEqual(["members/ann@example.com"]);
    expect(verdictOf("own-access", plan, { callerId: 2 })).toBeUndefined();
    expect(verdictOf("own-access", plan)).toBeUndefined();
    expect(verdictOf("own-access", plan, { callerIsHidden: true })?.objects).toEqual([
      "members/ann@example.com",
    ]);
    expect(underPolicy("own-access", plan, { ownAccess: true })?.remedy).toBe(
      "ask another administrator to do it; no option overrides a policy",
    );
    const released = [member("release", "ann@example.com", true, false)];
    expect(verdictOf("required-admins", released, admins)).toBeUndefined();
    // Another guard covers those of a deleted project.
    const inProject = [
      object("delete", "Project", "projects/web"),
      object("delete", "ProjectMember", "projects/web/members/a", { memberId: 1 }),
    ];
    expect(verdictOf("own-access", inProject, { callerId: 1 })).toBeUndefined();
    expect(verdictOf("own-access", inProject.slice(1), { callerId: 1 })).toBeDefined();
  });

  it("of another file, if it would delete more than half", () => {
    const files = { file: "b.yaml", appliedFrom: "a.yaml" };
    const of = (kept: number, gone: number) =>
      verdictOf("other-file", [...many("same", kept), ...many("delete", gone, "Variable", "v")], files);
    expect(of(2, 2)).toBeUndefined();
    expect(of(1, 2)?.objects).toEqual(["v/v-0", "v/v-1"]);
  });
});

describe("a verdict", () => {
  const whole = { sectionDeletion: "allow" as const };
  const plan = [...many("same", 60), ...many("delete", 3, "Variable", "variables")];

  it("of a policy hides that of the file about the same objects", () => {
    const both = (file: number) =>
      evaluateGuards(
        {
          objects: plan,
          settings: { maxDeletes: file },
          allowances: { allowDelete: file === 1 ? ["variables/variables-0"] : [] },
        },
        [{ path: "policy.yaml", guards: { maxDeletes: 2 } }],
      )
        .filter(({ guard }) => guard === "max-deletes")
        .map(({ policy }) => policy);
    expect(both(2)).toEqual(["policy.yaml"]);
    expect(both(1)).toEqual(["policy.yaml"]);
    expect(both(9)).toEqual(["policy.yaml"]);
  });

  it("of a policy does not hide that of the file about more objects", () => {
    const policy = { path: "policy.yaml", guards: { maxDeletes: 1, allowDelete: ["variables/variables-0"] } };
    const judged = { objects: plan, settings: { maxDeletes: 1, ...whole }, allowances: {} };
    expect(evaluateGuards(judged, [policy]).map(({ objects }) => objects.length)).toEqual([2, 3]);
  });

  it("is the file's alone if the policy says nothing of the guard, or allows it", () => {
    const judged = { objects: plan, settings: { maxDeletes: 1, ...whole }, allowances: {} };
    for (const guards of [{}, { ownAccess: true }, { maxDeletes: 3 }]) {
      const verdicts = evaluateGuards(judged, [{ path: "policy.yaml", guards }]);
      expect(verdicts.map(({ guard, policy }) => [guard, policy])).toEqual([["max-deletes", undefined]]);
    }
  });

  it("of a policy cannot be ignored", () => {
    const allowances = { ignoreGuard: ["max-deletes"] };
    const judged = { objects: plan, settings: {}, allowances };
    const [verdict] = evaluateGuards(judged, [{ path: "policy.yaml", guards: { maxDeletes: 1 } }]);
    expect(verdict).toMatchObject({ ignored: false, policy: "policy.yaml" });
  });

  it("of a policy gives the usual remedy if that overrides nothing", () => {
    const objects = [object("delete", "ProjectMember", "projects/web/members/a", { memberId: 1 })];
    const judged = { objects, settings: {}, allowances: {}, callerIsHidden: true };
    const [verdict] = evaluateGuards(judged, [{ path: "policy.yaml", guards: { ownAccess: true } }]);
    expect(verdict).toMatchObject({
      policy: "policy.yaml",
      remedy: "use a token that may read its user (scope USER_INFO)",
    });
  });

  it("of a policy about a share says how many may be deleted at a time", () => {
    const advice = (kept: number, gone: number, maxDeleteShare: number) =>
      underPolicy(
        "max-delete-share",
        [...many("same", kept), ...many("delete", gone, "Variable", "variables")],
        { maxDeleteShare },
      )?.remedy;
    expect(advice(80, 20, 10)).toMatch(/^delete at most 10 at a time;/);
    expect(advice(10, 10, 5)).toMatch(/^delete at most 3 at a time;/);
  });

  it("names no file if none is known", () => {
    const [verdict] = judge(plan, { settings: { maxDeletes: 1 } });
    expect(verdict).not.toHaveProperty("file");
  });

  it("names the file only for the setting that it gives", () => {
    const eleven = [...many("same", 60), ...many("delete", 11, "Variable", "variables")];
    expect(verdictOf("max-deletes", eleven, { settings: { maxDeleteShare: 90 } })).not.toHaveProperty("file");
    const settings = { maxDeletes: 10 };
    const allowances = { maxDeletes: undefined };
    expect(verdictOf("max-deletes", eleven, { settings, allowances })).toHaveProperty("file");
    const owned = verdictOf("not-owned", [object("delete", "Group", "groups/QA")], { owns: [] });
    expect(owned).not.toHaveProperty("file");
  });

  it("may be ignored by its code", () => {
    const ignored = (guard: string) =>
      verdictOf("max-deletes", plan, { settings: { maxDeletes: 1 }, allowances: { ignoreGuard: [guard] } })
        ?.ignored;
    expect([ignored("max-deletes"), ignored("own-access")]).toEqual([true, false]);
  });
});
