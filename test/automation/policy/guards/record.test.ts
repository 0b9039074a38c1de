/** Tests what the state of a stack records of its guards, and what a plan loosens. */
import { describe, expect, it } from "vitest";
import {
  chooseRecord,
  collectGuardsInForce,
  isRecorded,
  listLoosened,
  listLooserSettings,
  parseRecordedGuards,
  serializeGuards,
} from "../../../../automation/policy/guards/record.js";
import type { Policy } from "../../../../automation/policy/policy-file/cel-rules.js";
import { type Fields, findDefinition } from "../../../../provider/index.js";
import type { LoadedFile } from "../../../../workspace-file/load/load.js";
import { object } from "./plan.js";

const policy = (ofFleet: boolean, maxDeletes: number) =>
  ({ path: "p.yaml", ofFleet, guards: { maxDeletes } }) as unknown as Policy;

/** A file with one entry. */
const declared = (type: string, name: string, args: Fields, ignoreChanges: string[] = []) => ({
  declarations: [
    { name, args, ignoreChanges, definition: findDefinition(type) },
  ] as unknown as LoadedFile["declarations"],
});

describe("the record of the guards", () => {
  it("has those of the file and of the fleet, and none from outside", () => {
    const file = { maxDeletes: 3 };
    expect(collectGuardsInForce(file, [policy(false, 1)], undefined)).toEqual({ file, entries: {} });
    expect(collectGuardsInForce(file, [policy(false, 1), policy(true, 2)], undefined)).toEqual({
      file,
      fleet: { maxDeletes: 2 },
      entries: {},
    });
  });

  it("is read as it was written, without settings of later releases", () => {
    const guards = {
      file: { maxDeletes: 3 },
      fleet: { ownAccess: true },
      entries: { "Group groups/a": { ignoreChanges: ["description"] } },
    };
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

  it("of an earlier release does not say what was watched, and is left as it is while all is watched", () => {
    const { entries: _, ...earlier } = collectGuardsInForce({ maxDeletes: 3 }, [], undefined);
    const outputs = serializeGuards(earlier);
    expect(isRecorded(collectGuardsInForce({ maxDeletes: 3 }, [], undefined), outputs)).toBe(true);
    const ignoring = collectGuardsInForce(
      { maxDeletes: 3 },
      [],
      declared("Group", "groups/a", {}, ["description"]),
    );
    expect(isRecorded(ignoring, outputs)).toBe(false);
    expect(
      listLoosened(ignoring, parseRecordedGuards(outputs), [object("same", "Group", "groups/a")]),
    ).toEqual([]);
  });
});

describe("a stricter record", () => {
  const strict = { file: { maxDeletes: 3 }, fleet: { maxDeletes: 2 }, entries: {} };
  const loose = {
    file: { maxDeletes: 9 },
    entries: { "Group groups/a": { ignoreChanges: ["description"] } },
  };
  const whole = { isPart: false, isOfFleet: true, policies: [] };

  it("is replaced by a whole run, of the fleet if the fleet has a policy", () => {
    expect(chooseRecord(loose, strict, whole)).toEqual(loose);
    expect(chooseRecord(loose, undefined, { ...whole, isPart: true })).toBe(loose);
  });

  it("stays after a run of some objects, so that the next run reports again what is looser", () => {
    const { fleet, file, entries } = chooseRecord(loose, strict, { ...whole, isPart: true });
    expect({ file, fleet }).toEqual({ file: strict.file, fleet: strict.fleet });
    expect(entries).toEqual(loose.entries);
    const watched = { ...strict, entries: { "Group groups/a": { ignoreChanges: ["name"] } } };
    expect(chooseRecord(loose, watched, { ...whole, isPart: true }).entries).toEqual(watched.entries);
    const stricter = { ...strict, file: { maxDeletes: 1 } };
    expect(chooseRecord(stricter, strict, { ...whole, isPart: true })).toEqual(stricter);
  });

  it("of the fleet stays after a run outside of it, which knows no policy of the fleet", () => {
    expect(chooseRecord(loose, strict, { ...whole, isOfFleet: false })).toEqual({
      ...loose,
      fleet: strict.fleet,
    });
  });

  it("of the fleet is not loosened while the caller gives the same, and stays for a run that does not", () => {
    const given = [policy(false, 2)];
    const setting = { setting: "maxDeletes", before: 2, now: null };
    expect(listLoosened({ file: {} }, { file: {}, fleet: strict.fleet }, [], given)).toEqual([]);
    expect(listLoosened({ file: {} }, { file: {}, fleet: strict.fleet }, [], [policy(false, 5)])).toEqual([
      { ...setting, now: 5 },
    ]);
    expect(chooseRecord(loose, strict, { ...whole, policies: given }).fleet).toEqual(strict.fleet);
  });

  it("of the fleet has what its policies refuse together", () => {
    const team = {
      path: "t.yaml",
      ofFleet: true,
      guards: { requiredAdmins: ["bob@example.com"], maxDeletes: 9 },
    };
    const admins = { path: "a.yaml", ofFleet: true, guards: { requiredAdmins: ["ann@example.com"] } };
    const all = [policy(true, 2), team, admins] as unknown as Policy[];
    expect(collectGuardsInForce({}, all, undefined).fleet).toEqual({
      maxDeletes: 2,
      requiredAdmins: ["bob@example.com", "ann@example.com"],
    });
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

describe("an entry of an object that exists loosens", () => {
  const record = (...paths: string[]) =>
    collectGuardsInForce({}, [], declared("Group", "groups/a", {}, paths));
  const group = object("same", "Group", "groups/a");

  it("the watch over further properties", () => {
    expect(listLoosened(record("name", "description"), record("name"), [group])).toEqual([
      { setting: "ignoreChanges", before: ["name"], now: ["description", "name"], objects: ["groups/a"] },
    ]);
    expect(listLoosened(record("name"), record("name", "description"), [group])).toEqual([]);
    const fresh = object("create", "Group", "groups/a");
    expect(listLoosened(record("name"), record(), [fresh])).toEqual([]);
  });

  it("its end, in either direction", () => {
    const begins = { ...group, retention: "begins" as const };
    const ends = { ...object("update", "Group", "groups/b"), retention: "ends" as const };
    expect(listLoosened(record(), record(), [begins, ends])).toEqual([
      { setting: "retain", before: true, now: false, objects: ["groups/b"] },
      { setting: "retain", before: false, now: true, objects: ["groups/a"] },
    ]);
  });

  it.each([
    ["Project", "replaceProject", "allow"],
    ["Pipeline", "cronUpdates", "replace"],
  ])("the refusal of a replacement: %s, %s", (type, setting, value) => {
    const permitting = collectGuardsInForce({}, [], declared(type, "x", { [setting]: value }));
    const without = collectGuardsInForce({}, [], declared(type, "x", {}));
    const same = object("same", type, "x");
    expect(listLoosened(permitting, without, [same])).toEqual([
      { setting, before: null, now: value, objects: ["x"] },
    ]);
    expect(listLoosened(permitting, permitting, [same])).toEqual([]);
    expect(listLoosened(without, permitting, [same])).toEqual([]);
    expect(listLoosened(permitting, without, [object("create", type, "x")])).toEqual([]);
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
});
