/** Tests that any workspace equals the file that created it, and that a single change is a single finding. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompareReport } from "../../../../automation/compare/compare-report.js";
import { type Emulator, startEmulator } from "../../../../emulator/index.js";
import type { WorkspaceDocument } from "../../../../schema/workspace-document.js";
import { readDeclarations, type ResourceDeclaration } from "../../../../workspace-file/load/load.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import { arbitraryDocument } from "../../../workspace-file/arbitrary-document.js";
import { personAt } from "../../service-support.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { apply } from "../export/apply.js";
import { escaped } from "../export/escaped.js";
import { changesOf } from "./changes.js";

/** Excludes transient objects, which are compared only on request, and repository files, which cannot be listed. */
const declarationsOf = (text: string): readonly ResourceDeclaration[] =>
  readDeclarations("-", { mock: true, stdin: () => text }).declarations.filter(
    ({ definition: { document, type } }) => document?.transient !== true && type !== "RepositoryFile",
  );

const folder = temporaryFolder();
const runs = Number(process.env["COMPARE_RUNS"] ?? 8);
const seed = Number(process.env["COMPARE_SEED"] ?? 5);

async function differences(text: string, emulator: Emulator): Promise<{ code: number; told: string[][] }> {
  const file = fileIn(folder, "workspace.yaml", text);
  const { code, stdout } = await personAt(emulator).types(["compare", file, "connection:", "--json"]);
  const { findings, incomplete } = JSON.parse(stdout) as CompareReport;
  expect(incomplete).toEqual([]);
  const told = findings.filter((one) => one.class !== "unverifiable");
  return { code, told: told.map(({ class: of, name, path }) => [of, name, path]) };
}

function isValid(text: string): boolean {
  try {
    return declarationsOf(text).length > 0;
  } catch {
    return false;
  }
}

describe("the comparison of any workspace", () => {
  const document = arbitraryDocument().map((given) => {
    const { connection: _none, ...rest } = escaped(given) as unknown as Record<string, unknown>;
    return { ...rest, workspace: "acme" } as unknown as WorkspaceDocument;
  });

  it.each([{ embeddedActions: "full" }, { embeddedActions: "summary", listedActions: "summary" }] as const)(
    "finds no difference from its own file, and exactly one after a single change: %o",
    async (settings) => {
      const seen = { same: 0, changed: 0 };
      await fc.assert(
        fc.asyncProperty(
          document,
          fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
          async (given, picks) => {
            const emulator = await startEmulator({
              echoMemberEmail: true,
              rateLimit: 1_000_000,
              ...settings,
            });
            try {
              const text = documentText(given);
              const declared = declarationsOf(text);
              // The service rejects some names and values that a file cannot know of.
              const made = await apply(emulator, declared).catch(() => undefined);
              fc.pre(made !== undefined);
              emulator.journal.clear();
              expect(await differences(text, emulator)).toEqual({ code: 0, told: [] });
              seen.same += 1;

              const changes = changesOf(given, declared);
              const other = picks
                .map((pick) => changes[pick % changes.length]?.())
                .find((change) => change !== undefined && isValid(documentText(change.document)));
              if (other !== undefined) {
                const { code, told } = await differences(documentText(other.document), emulator);
                expect({ code, told }).toEqual({ code: 7, told: [other.finding] });
                seen.changed += 1;
              }
              expect(emulator.journal.writes()).toEqual([]);
            } finally {
              await emulator.close();
            }
          },
        ),
        { numRuns: runs, seed, endOnFailure: true },
      );
      expect(seen.same).toBeGreaterThanOrEqual(runs);
      expect(seen.changed).toBeGreaterThanOrEqual(runs / 2);
    },
  );
});
