/** Tests that nothing a file or an option says allows what a policy refuses, and that a change of settings that allows more is found. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlannedObject } from "../../../../automation/plan/planned-objects.js";
import { evaluateGuards, guards } from "../../../../automation/policy/guards/judge.js";
import { listLooserSettings } from "../../../../automation/policy/guards/record.js";
import type { Allowances, Judged } from "../../../../automation/policy/guards/types.js";
import { guardSettings } from "../../../../workspace-file/document/guard-settings.js";
import type { GuardSettings } from "../../../../workspace-file/index.js";
import { many, member, object } from "./plan.js";

const emails = ["ann@example.com", "Bob@example.com", "eve@example.com"];
const patterns = ["**", "groups/*", "groups/a", "projects/**", "projects/web/variables/*", "variables/b"];

const settings: fc.Arbitrary<GuardSettings> = fc
  .record(
    {
      maxDeletes: fc.nat(12),
      maxDeleteShare: fc.nat(100),
      allowDelete: fc.subarray(patterns),
      protectedKinds: fc.subarray(["Group", "Project", "Variable", "WorkspaceMember"]),
      projectDeletion: fc.constantFrom("named" as const, "allow" as const),
      sectionDeletion: fc.constantFrom("named" as const, "allow" as const),
      unmanagedContents: fc.constantFrom("named" as const, "allow" as const),
      minimumAdmins: fc.integer({ min: 1, max: 3 }),
      requiredAdmins: fc.subarray(emails),
      ownAccess: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((all) => guardSettings.parse(all));

const operation = fc.constantFrom("same", "create", "update", "replace", "delete", "release");
const names = [
  "groups/a",
  "groups/b",
  "projects/web",
  "projects/web/variables/x",
  "variables/a",
  "variables/b",
];
const typeOf = (name: string) =>
  name.includes("variables") ? "Variable" : name.startsWith("groups") ? "Group" : "Project";

const plan: fc.Arbitrary<PlannedObject[]> = fc
  .record({
    named: fc.array(fc.tuple(fc.constantFrom(...names), operation), { maxLength: 6 }),
    people: fc.array(fc.tuple(fc.constantFrom(...emails), operation, fc.boolean(), fc.boolean()), {
      maxLength: 3,
    }),
    gone: fc.nat(14),
    others: fc.nat(30),
  })
  .map(({ named, people, gone, others }) => [
    ...named.map(([name, of]) => object(of, typeOf(name), name)),
    ...people.map(([email, of, before, after], id) => member(of, email, before, after, id)),
    ...many("delete", gone, "Variable", "variables"),
    ...many("same", others, "PermissionSet", "permissionSets"),
  ]);

const allowances: fc.Arbitrary<Allowances> = fc.record(
  {
    maxDeletes: fc.nat(50),
    maxDeleteShare: fc.nat(100),
    allowDelete: fc.subarray(patterns),
    deleteProject: fc.subarray(["web"]),
    includeProtected: fc.boolean(),
    ignoreGuard: fc.subarray(guards.map(({ code }) => code)),
  },
  { requiredKeys: [] },
);

const facts = { callerId: 0, otherAdmins: 1, path: "workspace.yaml" };

/** Returns what the policies of a run refuse, by guard. */
function refusedByPolicy(judged: Judged, policy: GuardSettings): string[] {
  return evaluateGuards(judged, [{ path: "policy.yaml", guards: policy }])
    .filter((one) => one.policy !== undefined && !one.ignored)
    .map(({ guard, objects }) => `${guard}: ${objects.join()}`);
}

function refusedBy(judged: Judged): string[] {
  return evaluateGuards(judged).map(({ guard }) => guard);
}

describe("a policy", () => {
  it("refuses with any file and any options what it refuses alone", () => {
    fc.assert(
      fc.property(settings, settings, plan, allowances, (policy, file, objects, options) => {
        const alone = refusedByPolicy({ ...facts, objects, settings: {}, allowances: {} }, policy);
        const together = refusedByPolicy({ ...facts, objects, settings: file, allowances: options }, policy);
        expect(together).toEqual(alone);
      }),
      { numRuns: 200 },
    );
  });

  it("never hides what the file refuses, unless it refuses the same objects", () => {
    fc.assert(
      fc.property(settings, settings, plan, (policy, file, objects) => {
        const judged = { ...facts, objects, settings: file, allowances: {} };
        const verdicts = evaluateGuards(judged, [{ path: "policy.yaml", guards: policy }]);
        for (const { guard, objects: names } of evaluateGuards(judged)) {
          const named = verdicts.filter((one) => one.guard === guard).flatMap((one) => one.objects);
          expect(named).toEqual(expect.arrayContaining([...names]));
        }
      }),
    );
  });

  it("is satisfied by the names that it asks for, and by no name that a saved plan contains", () => {
    const objects = [
      ...many("same", 40, "Variable", "variables"),
      object("delete", "Project", "projects/web"),
    ];
    const policy = { projectDeletion: "named" as const };
    const judged: Judged = { ...facts, objects, settings: {}, allowances: { deleteProject: ["web"] } };
    expect(refusedByPolicy(judged, policy)).toEqual(["project-deletion: projects/web"]);
    expect(refusedByPolicy({ ...judged, named: { deleteProject: ["web"] } }, policy)).toEqual([]);
  });

  it("says that it refuses, how to go on, and that no option helps", () => {
    const objects = [...many("same", 40, "Variable", "variables"), ...many("delete", 12)];
    const settings = { maxDeletes: 11, sectionDeletion: "allow" as const };
    const policies = [{ path: "/etc/policy.yaml", guards: { maxDeletes: 5 } }];
    const [refused, ...more] = evaluateGuards(
      { ...facts, objects, settings, allowances: { maxDeletes: 99, maxDeleteShare: 99 } },
      policies,
    );
    expect(more).toEqual([]);
    expect(refused).toMatchObject({
      guard: "max-deletes",
      message: "12 objects would be deleted, and at most 5 may be",
      remedy: "delete at most 5 at a time; no option overrides a policy",
      policy: "/etc/policy.yaml",
    });
  });

  it("leaves a refusal of the file as the file's, and one of the usual settings as nobody's", () => {
    const objects = [...many("same", 40, "Variable", "variables"), ...many("delete", 12)];
    const refused = (settings: GuardSettings, allowances: Allowances = {}) =>
      evaluateGuards({ ...facts, objects, settings, allowances }).find(
        ({ guard }) => guard === "max-deletes",
      );
    expect(refused({ maxDeletes: 11 })).toMatchObject({ file: "workspace.yaml" });
    expect(refused({})).not.toHaveProperty("file");
    expect(refused({ maxDeletes: 11 }, { maxDeletes: 3 })).not.toHaveProperty("file");
  });

  it("can set every guard that a file can set", () => {
    const set = guards.flatMap(({ setting }) => setting ?? []);
    expect([...set, "allowDelete"].toSorted()).toEqual(Object.keys(guardSettings.shape).toSorted());
  });
});

const keys = fc.subarray(Object.keys(guardSettings.shape) as (keyof GuardSettings)[], {
  minLength: 1,
  maxLength: 2,
});

describe("a change of settings", () => {
  it("in which nothing is looser refuses whatever was refused", () => {
    fc.assert(
      fc.property(settings, settings, keys, plan, (before, other, changed, objects) => {
        const now = { ...before, ...Object.fromEntries(changed.map((key) => [key, other[key]])) };
        fc.pre(listLooserSettings(before, now).length === 0);
        const judged = (of: GuardSettings) => refusedBy({ ...facts, objects, settings: of, allowances: {} });
        expect(judged(now)).toEqual(expect.arrayContaining(judged(before)));
      }),
      { numRuns: 200 },
    );
  });

  it("to the same settings is none", () => {
    fc.assert(
      fc.property(settings, (same) => {
        expect(listLooserSettings(same, structuredClone(same))).toEqual([]);
      }),
    );
  });

  const looser: readonly [GuardSettings, GuardSettings, string][] = [
    [{ maxDeletes: 5 }, {}, "maxDeletes"],
    [{}, { maxDeletes: 11 }, "maxDeletes"],
    [{}, { maxDeleteShare: 21 }, "maxDeleteShare"],
    [{}, { allowDelete: ["**"] }, "allowDelete"],
    [{ allowDelete: ["groups/*"] }, { allowDelete: ["groups/*", "variables/a"] }, "allowDelete"],
    [{ protectedKinds: ["Group", "Project"] }, { protectedKinds: ["Group"] }, "protectedKinds"],
    [{}, { projectDeletion: "allow" }, "projectDeletion"],
    [{}, { sectionDeletion: "allow" }, "sectionDeletion"],
    [{}, { unmanagedContents: "allow" }, "unmanagedContents"],
    [{ minimumAdmins: 2 }, { minimumAdmins: 1 }, "minimumAdmins"],
    [{ requiredAdmins: ["ann@example.com"] }, { requiredAdmins: ["bob@example.com"] }, "requiredAdmins"],
    [{}, { ownAccess: false }, "ownAccess"],
  ];

  it.each(looser)("%j → %j loosens one", (before, now, setting) => {
    expect(listLooserSettings(before, now).map((one) => one.setting)).toEqual([setting]);
  });

  const stricter: readonly [GuardSettings, GuardSettings][] = [
    [{}, { maxDeletes: 10, maxDeleteShare: 20, ownAccess: true, projectDeletion: "named" }],
    [{ maxDeletes: 5 }, { maxDeletes: 4 }],
    [{ allowDelete: ["groups/*"] }, { allowDelete: ["groups/QA"] }],
    [{ requiredAdmins: ["ann@example.com"] }, { requiredAdmins: ["ANN@example.com", "bob@example.com"] }],
  ];

  it.each(stricter)("%j → %j loosens nothing", (before, now) => {
    expect(listLooserSettings(before, now)).toEqual([]);
  });
});
