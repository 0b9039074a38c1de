/**
 * Checks that any workspace file is either loaded or refused with locations; `npm run fuzz -- loader` runs
 * longer.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readDeclarations, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { documentText } from "../../workspace-file/write/write.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { arbitraryDocument } from "./arbitrary-document.js";
import { brokenFiles } from "./broken-support.js";

const parameters = { numRuns: 100, seed: 3 };

function survives(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { place, message } of error.problems) {
      expect(Math.min(place.line, place.column)).toBeGreaterThanOrEqual(1);
      expect(message).not.toBe("");
    }
  }
}

const readText = (text: string) => survives(() => readDeclarations("-", { env: {}, stdin: () => text }));

describe("the loader survives texts", () => {
  afterAll(() => expect(Object.keys(Object.prototype)).toEqual([]));

  it("with random changes", () => {
    const texts = brokenFiles()
      .filter(({ file }) => file.endsWith(".yaml"))
      .map(({ file }) => readFileSync(file, "utf8"));
    const change = fc.record({
      at: fc.nat({ max: 2000 }),
      gone: fc.nat({ max: 20 }),
      put: fc.oneof(
        fc.string({ maxLength: 4, unit: "binary" }),
        fc.constantFrom(
          "\n",
          "  ",
          "- ",
          ": ",
          "[",
          "{",
          "]",
          "}",
          "&a ",
          "*a",
          "<<: *a",
          "? ",
          "|\n",
          '"',
          "'",
          "#",
        ),
        fc.constantFrom(
          "${env:",
          "${param:x}",
          "$remove: true",
          "template: a",
          "__proto__: ",
          "constructor: ",
        ),
      ),
    });
    const mutated = fc
      .tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 6 }))
      .map(([text, changes]) =>
        changes.reduce((t, { at, gone, put }) => {
          const from = at % (t.length + 1);
          return t.slice(0, from) + put + t.slice(from + gone);
        }, text),
      );
    fc.assert(fc.property(mutated, readText), { ...parameters, numRuns: 300 });
  });

  it("of random values", () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom("version", "projects", "groups", "__proto__", "toString"),
    );
    const value = fc.object({ key, maxDepth: 4, withBigInt: false });
    fc.assert(
      fc.property(value, (given) => readText(stringify({ version: 1, ...given }))),
      parameters,
    );
  });

  it("of a valid document with parts of others inserted", () => {
    const document = arbitraryDocument();
    fc.assert(
      fc.property(document, document, fc.nat(), fc.nat(), (one, other, from, to) => {
        const [lines, further] = [documentText(one).split("\n"), documentText(other).split("\n")];
        const at = from % lines.length;
        readText([...lines.slice(0, at), ...further.slice(to % further.length)].join("\n"));
      }),
      { ...parameters, numRuns: 40 },
    );
  });

  it("of a random overlay", () => {
    const folder = temporaryFolder();
    const word = fc.constantFrom(
      "$remove",
      "$replace",
      "$add",
      "$after",
      "$before",
      "members",
      "groups",
      "QA",
      "x",
    );
    const over = fc.object({ key: word, maxDepth: 4 });
    fc.assert(
      fc.property(arbitraryDocument(), over, (base, patch) => {
        fileIn(folder, "workspace.eu.yaml", stringify(patch));
        const file = fileIn(folder, "workspace.yaml", documentText(base));
        survives(() => readDeclarations(file, { env: {}, stack: "eu" }));
      }),
      { ...parameters, numRuns: 40 },
    );
  });
});
