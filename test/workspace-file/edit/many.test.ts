/** Tests hundreds of edits at once: those that are possible are made, in spite of the others. */
import { describe, expect, it } from "vitest";
import type { Edit } from "../../../workspace-file/edit/edit.js";
import { Edited, set } from "./support.js";

const numbers = Array.from({ length: 120 }, (_, number) => number);
const variables = numbers
  .map((number) => `  V${number}: ${number % 10 === 3 ? `"\${env:V${number}}"` : `old # ${number}`}`)
  .join("\n");

describe("many edits at once", () => {
  it("are made even if some of them are refused, each with its reason", () => {
    const files = new Edited();
    files.write({ "workspace.yaml": `variables:\n${variables}\n` });
    const edits = numbers.map((number) => set(`variables/V${number}`, "value", "new"));
    const { made, refused, files: changed } = files.edit(edits, { mock: true });
    expect(made).toHaveLength(108);
    expect(refused.map(({ code }) => code)).toEqual(new Array(12).fill("conflict"));
    const [{ after } = { after: "" }] = changed;
    expect(after).toContain("  V0: new # 0\n  V1: new # 1\n");
    expect(after).toContain('  V13: "${env:V13}"\n');
    expect(after).not.toContain("old");
  });

  it("may depend on each other: an edit adds a section, and others add entries to it or reorder them", () => {
    const files = new Edited();
    files.write({
      "workspace.yaml":
        "projects:\n  web:\n    pipelines:\n      deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main }\n",
    });
    const name = "projects/web/pipelines/deploy";
    const action = { type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" };
    const edits: Edit[] = [
      ...numbers.map((n): Edit => ({ add: { name: `variables/V${n}`, entry: { value: "x" } } })),
      ...["a", "b", "c"].map((key): Edit => ({ add: { name: `${name}/actions/${key}`, entry: action } })),
      { order: { name, section: "actions", keys: ["c", "a", "b"] } },
      { set: { name: "variables/V7", path: ["value"], value: "y" } },
    ];
    const { made, refused, files: changed } = files.edit(edits);
    expect(refused).toEqual([]);
    expect(made).toHaveLength(edits.length);
    const [{ after } = { after: "" }] = changed;
    expect(after).toContain('  V7: { value: "y" }\n  V8: { value: x }\n');
    expect([...after.matchAll(/name: (\w)/g)].map(([, key]) => key)).toEqual(["c", "a", "b"]);
  });

  it("are made without the one that would make the file invalid", () => {
    const files = new Edited();
    files.write({ "workspace.yaml": `groups:\n${numbers.map((n) => `  G${n}: {}`).join("\n")}\n` });
    const edits = numbers.map((n) => set(`groups/G${n}`, "description", n === 77 ? 5 : "new"));
    const { made, refused } = files.edit(edits);
    expect(made).toHaveLength(119);
    expect(refused).toMatchObject([{ code: "invalid", edit: { set: { name: "groups/G77" } } }]);
  });

  it("are refused where they contradict earlier ones: a second addition, a change of what was removed", () => {
    const files = new Edited();
    files.write({ "workspace.yaml": "groups:\n  QA: {}\n  Dev: {}\n" });
    expect(
      files.diff([
        { add: { name: "groups/Ops", entry: { description: "first" } } },
        { add: { name: "groups/Ops", entry: { description: "second" } } },
        { remove: { name: "groups/QA" } },
        set("groups/QA", "description", "Testers"),
      ]),
    ).toEqual([
      "workspace.yaml -  QA: {}",
      "workspace.yaml +  Ops: { description: first }",
      "exists: groups/Ops is already declared, in workspace.yaml:4",
      "not-there: groups/QA is not in the workspace file",
    ]);
  });

  it("may replace an entry: it is removed, then added", () => {
    const files = new Edited();
    files.write({ "workspace.yaml": "version: 1\ngroups:\n  QA: { description: Testers }\n  Dev: {}\n" });
    const { files: changed, refused } = files.edit([
      { remove: { name: "groups/QA" } },
      { add: { name: "groups/QA", entry: { description: "Quality" } } },
    ]);
    expect(refused).toEqual([]);
    expect(changed[0]?.after).toBe("version: 1\ngroups:\n  Dev: {}\n  QA: { description: Quality }\n");
  });
});
