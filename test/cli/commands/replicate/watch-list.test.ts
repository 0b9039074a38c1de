/** Tests that a watch list selects exactly its kinds for any file, and that a second run changes nothing. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyWatchList } from "../../../../automation/replicate/limit-kinds.js";
import { ReplicationTarget } from "../../../../automation/replicate/target-document.js";
import { definitions } from "../../../../provider/index.js";
import { WorkspaceFileError } from "../../../../workspace-file/load/load.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import { arbitraryDocument } from "../../../workspace-file/arbitrary-document.js";
import { fileIn, temporaryFolder } from "../../support.js";

const kinds = definitions.filter(({ document, ephemeral }) => document && !ephemeral).map(({ type }) => type);
/** Types that the loader creates for others. */
const derived = definitions.filter(({ document }) => !document).map(({ type }) => type);
const folder = temporaryFolder();

describe("a watch list for any document", () => {
  it("includes its kinds, excludes others, and is complete after one run", () => {
    let judged = 0;
    fc.assert(
      fc.property(arbitraryDocument(), fc.subarray(kinds, { minLength: 1 }), (document, list) => {
        const wanted = new Set(list);
        const file = fileIn(folder, "workspace.yaml", documentText(document));
        rmSync(join(folder, "workspace.eu.yaml"), { force: true });
        const target = new ReplicationTarget({ file, stack: "eu" }, undefined, {});
        const { declarations: before, problems } = target.base().declared;
        // Excludes texts that read as a placeholder.
        fc.pre(problems.length === 0);
        applyWatchList(target, wanted);
        try {
          target.requireValid();
        } catch (error) {
          // The output of an excluded object is not available.
          if (!(error instanceof WorkspaceFileError)) throw error;
          expect(error.problems.map(({ code }) => code)).toEqual(error.problems.map(() => "unknown-name"));
          return;
        }
        judged += 1;
        const after = target.now().declared.declarations;
        const types = new Set(after.map(({ definition }) => definition.type));
        expect([...types].filter((type) => !wanted.has(type) && !derived.includes(type))).toEqual([]);
        const names = new Set(after.map(({ name }) => name));
        const lost = before.filter(({ definition, name }) => wanted.has(definition.type) && !names.has(name));
        // Objects inside a list item are excluded with it, since an item cannot be external.
        expect(lost.filter(({ name }) => !/\/actions\//.test(name) || wanted.has("Action"))).toEqual([]);
        const first = target.after;
        fileIn(folder, "workspace.eu.yaml", first);
        const again = new ReplicationTarget({ file, stack: "eu" }, undefined, {});
        applyWatchList(again, wanted);
        expect(again.after).toBe(first);
      }),
      { numRuns: 40, seed: 11 },
    );
    expect(judged).toBeGreaterThan(25);
  });
});
