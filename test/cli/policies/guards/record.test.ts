/** Tests what the state of a stack records of its guards, and what a plan loosens. */
import { describe, expect, it } from "vitest";
import {
  collectGuardsInForce,
  isRecorded,
  listLoosened,
  listLooserSettings,
  parseRecordedGuards,
  serializeGuards,
} from "../../../../cli/policies/guards/record.js";
import type { Policy } from "../../../../cli/policies/policy-file/cel-rules.js";
import { object } from "./plan.js";

const policy = (ofFleet: boolean, maxDeletes: number) =>
  ({ path: "p.yaml", ofFleet, guards: { maxDeletes } }) as unknown as Policy;

describe("the record of the guards", () => {
  it("has those of the file and of the fleet, and none from outside", () => {
    const file = { maxDeletes: 3 };
    expect(collectGuardsInForce(file, [policy(false, 1)])).toEqual({ file });
    expect(collectGuardsInForce(file, [policy(false, 1), policy(true, 2)])).toEqual({
      file,
      fleet: { maxDeletes: 2 },
    });
  });

  it("is read as it was written, without settings of later releases", () => {
    const guards = { file: { maxDeletes: 3 }, fleet: { ownAccess: true } };
    const outputs = serializeGuards(guards);
    expect(parseRecordedGuards(outputs)).toEqual(guards);
    expect(isRecorded(guards, outputs)).toBe(true);
    expect(isRecorded({ file: guards.file }, outputs)).toBe(false);
    const [name = ""] = Object.keys(outputs);
    expect(parseRecordedGuards({ [name]: { file: { maxDeletes: 3, later: true } } })).toEqual({
      file: { maxDeletes: 3 },
    });
    expect(parseRecordedGuards({})).toBeUndefined();
  });
});

describe("a plan loosens", () => {
  it("settings of the file and of the fleet", () => {
    const before = { file: { maxDeletes: 3 }, fleet: { maxDeletes: 2 } };
    expect(listLoosened({ file: { maxDeletes: 4 }, fleet: { maxDeletes: 2 } }, before, [])).toEqual([
      { setting: "maxDeletes", before: 3, now: 4 },
    ]);
    // Without a policy, nothing is refused; without a setting in the file, the usual value is in force.
    expect(listLoosened({ file: {} }, before, [])).toEqual([
      { setting: "maxDeletes", before: 3, now: 10 },
      { setting: "maxDeletes", before: 2, now: null },
    ]);
    expect(listLoosened({ file: { maxDeletes: 3 }, fleet: {} }, { file: { maxDeletes: 3 } }, [])).toEqual([]);
  });

  it("the protection of objects, even without a record", () => {
    const held = object("same", "Group", "groups/a");
    const loses = { ...object("update", "Group", "groups/b"), losesProtection: true };
    expect(listLoosened({ file: { maxDeletes: 99 } }, undefined, [held, loses])).toEqual([
      { setting: "protect", before: true, now: false, objects: ["groups/b"] },
    ]);
    expect(listLoosened({ file: {} }, undefined, [held])).toEqual([]);
  });
});

describe("without usual values, settings are looser", () => {
  it.each([
    [{ maxDeletes: 99 }, {}, ["maxDeletes"]],
    [{}, { maxDeletes: 99 }, []],
    [{ allowDelete: ["groups/*"] }, {}, ["allowDelete"]],
    [{ allowDelete: ["**"] }, { allowDelete: ["groups/*"] }, []],
    [{ ownAccess: true }, {}, ["ownAccess"]],
    [{ minimumAdmins: 1 }, {}, ["minimumAdmins"]],
  ])("%j → %j: %j", (before, now, settings) => {
    expect(listLooserSettings(before, now, "none").map(({ setting }) => setting)).toEqual(settings);
  });

  it("only where a pattern allows more, as far as that is easy to say", () => {
    const looser = (before: string[], now: string[]) =>
      listLooserSettings({ allowDelete: before }, { allowDelete: now }).length > 0;
    expect(looser(["**"], ["groups/*", "projects/**"])).toBe(false);
    expect(looser(["groups/*"], ["groups/a*"])).toBe(true);
    expect(looser(["groups/*"], ["groups/?"])).toBe(true);
    expect(looser(["groups/*"], ["groups/a"])).toBe(false);
    expect(looser(["groups/a"], ["groups/b"])).toBe(true);
  });

  it("where quiet hours are on fewer days, in whatever order these are written", () => {
    const days = ["MON", "TUE"] as const;
    const quiet = (...of: readonly ("MON" | "TUE")[]) => ({
      quietHours: [{ days: [...of], timeZone: "UTC" }],
    });
    expect(listLooserSettings(quiet(...days), quiet("TUE", "MON"))).toEqual([]);
    expect(listLooserSettings(quiet(...days), quiet("TUE"))).toHaveLength(1);
    expect(
      listLooserSettings(
        { quietHours: [{ from: "18:00" }] },
        { quietHours: [{ from: "18:00", timeZone: "UTC" }] },
      ),
    ).toEqual([]);
  });
});
