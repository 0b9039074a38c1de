/** Tests what is printed of verdicts, and what the error of a refused plan says. */
import { describe, expect, it } from "vitest";
import {
  createGuardError,
  formatObjects,
  formatRefusal,
} from "../../../../automation/policy/guards/refusals.js";
import type { Verdict } from "../../../../automation/policy/guards/types.js";
import { printLoosened, printVerdicts } from "../../../../reports/plan/print-verdicts.js";
import { testIo } from "../../../cli/support.js";

const refused: Verdict = {
  guard: "max-deletes",
  message: "2 objects would be deleted, and at most 1 may be",
  objects: ["groups/a", "groups/b"],
  remedy: "--max-deletes 2",
  ignored: false,
};
const ignored: Verdict = { ...refused, guard: "own-access", message: "mine", objects: [], ignored: true };

function printed(print: (io: ReturnType<typeof testIo>["io"]) => void): string {
  const { io, written } = testIo();
  print(io);
  return written().stdout;
}

describe("verdicts", () => {
  it("are printed with their objects, and with a remedy where they refuse", () => {
    expect(printed((io) => printVerdicts([refused, ignored], io))).toMatchInlineSnapshot(`
      "
        refused max-deletes: 2 objects would be deleted, and at most 1 may be
                groups/a, groups/b
                To allow it: --max-deletes 2
        ignored own-access: mine
      "
    `);
    expect(printed((io) => printVerdicts([], io))).toBe("");
  });

  it("say whose setting refuses", () => {
    const by = (more: Partial<Verdict>) => formatRefusal({ ...ignored, ...more });
    expect(by({})).toBe("own-access: mine");
    expect(by({ file: "w.yaml" })).toBe("own-access: mine (guards of w.yaml)");
    expect(by({ policy: "p.yaml", file: "w.yaml" })).toBe("own-access: mine (policy p.yaml)");
  });

  it("name the outermost objects, and at most eight", () => {
    const names = [..."abcdefgh"].map((name) => `groups/${name}`);
    expect(formatObjects([...names.slice(0, 7), "projects/web", "projects/web/variables/A"])).toBe(
      `${names.slice(0, 7).join(", ")}, projects/web (1 in it)`,
    );
    expect(formatObjects([...names, "groups/i", "groups/j"])).toBe(`${names.join(", ")}, and 2 more`);
  });
});

describe("the error of a refused plan", () => {
  it("has the reason and the remedy of each verdict that refuses", () => {
    const one = createGuardError([ignored, refused]);
    expect(one.message).toBe(
      "refused, nothing was changed: max-deletes: 2 objects would be deleted, and at most 1 may be. To allow it: --max-deletes 2",
    );
    const two = createGuardError([
      refused,
      { ...refused, guard: "max-delete-share", remedy: "--max-delete-share 40" },
    ]);
    expect(two.message.split("\n")).toEqual([
      "refused, nothing was changed: 2 guards:",
      "  max-deletes: 2 objects would be deleted, and at most 1 may be. To allow it: --max-deletes 2",
      "  max-delete-share: 2 objects would be deleted, and at most 1 may be. To allow it: --max-delete-share 40",
    ]);
  });
});

describe("the error of a refused destroy", () => {
  it("ends with the options for all of it, if these are enough", () => {
    const allowed = { ...refused, remedy: '--max-deletes 2, or --allow-delete "groups/*"' };
    const whole = 'To delete everything that the stack manages: --include-protected --allow-delete "**"';
    expect(createGuardError([allowed, allowed], true).message).toContain(whole);
    expect(createGuardError([allowed], true).remedy).toBe('--include-protected --allow-delete "**"');
    expect(
      createGuardError([allowed, { ...refused, remedy: "--max-delete-share 40" }], true).message,
    ).not.toContain(whole);
    expect(createGuardError([allowed]).message).not.toContain(whole);
  });
});

describe("loosened guards", () => {
  it("are printed with their settings before and now", () => {
    const loosened = [
      { setting: "maxDeletes", before: 5, now: 11 },
      { setting: "allowDelete", before: [], now: ["groups/*", "variables/a"] },
      { setting: "requiredAdmins", before: ["ann@example.com"], now: null },
      { setting: "protect", before: true, now: false, objects: ["groups/a"] },
      { setting: "protect", before: true, now: false, objects: ["groups/a", "groups/b"] },
      { setting: "retain", before: true, now: false, objects: ["groups/a"] },
      { setting: "retain", before: false, now: true, objects: ["groups/a", "groups/b"] },
      { setting: "ignoreChanges", before: [], now: ["name", "description"], objects: ["groups/a"] },
      { setting: "replaceProject", before: null, now: "allow", objects: ["projects/web"] },
    ];
    expect(printed((io) => printLoosened(loosened, io))).toMatchInlineSnapshot(`
      "Guards that are looser than at the last up:
        maxDeletes: 5 → 11
        allowDelete: (none) → groups/*, variables/a
        requiredAdmins: ann@example.com → (none)
        protect: groups/a is no longer protected
        protect: groups/a, groups/b are no longer protected
        retain: groups/a is from now on deleted instead of released, if removed from the file
        retain: groups/a, groups/b are from now on released instead of deleted, if removed from the file
        ignoreChanges: groups/a: (none) → name, description
        replaceProject: projects/web: (none) → allow
      "
    `);
    expect(printed((io) => printLoosened([], io))).toBe("");
  });
});
