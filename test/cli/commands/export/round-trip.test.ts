/** Tests that the export of any workspace declares it again, as far as the service shows it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { runMain } from "../../../../cli/program.js";
import { isSameValue } from "../../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../../emulator/index.js";
import { getArgsSchema } from "../../../../provider/index.js";
import { unescapeKey } from "../../../../resources/definition/logical-name.js";
import type { WorkspaceDocument } from "../../../../schema/workspace-document.js";
import { escapePlaceholders } from "../../../../workspace-file/index.js";
import { readDeclarations, Ref, type ResourceDeclaration } from "../../../../workspace-file/load/load.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import { arbitraryDocument } from "../../../workspace-file/arbitrary-document.js";
import { testIo } from "../../support.js";
import { apply } from "./apply.js";

/** Escapes texts for a workspace file: a `${` that would start a placeholder becomes `$${`. */
function escaped<T>(value: T): T {
  if (typeof value === "string") return escapePlaceholders(value) as T;
  if (Array.isArray(value)) return value.map(escaped) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escaped(inner)])) as T;
}

/** Excludes transient objects, which are exported only on request. */
const left = (text: string) =>
  readDeclarations("-", { mock: true, stdin: () => text }).declarations.filter(
    ({ definition: { document, type } }) => document?.transient !== true && type !== "RepositoryFile",
  );

/** Returns the arguments that the service shows, so that both sides can be compared. */
function shown(
  { definition, args }: ResourceDeclaration,
  hidden: ReadonlySet<string>,
): Record<string, unknown> {
  const shape = getArgsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>;
  const usual = (name: string) => shape[name]?.meta()?.["default"];
  const entries = Object.entries(args).filter(
    ([name, value]) => !hidden.has(name) && value !== usual(name) && !isSameValue(value, null),
  );
  return Object.fromEntries(entries);
}

function hiddenOf({ definition, args }: ResourceDeclaration): string[] {
  return [...definition.clientOnly, ...definition.writeOnly(args), ...definition.masked(args), "workspace"];
}

function differences(
  declared: readonly ResourceDeclaration[],
  exported: readonly ResourceDeclaration[],
): string[] {
  const known = new Map(exported.map((one) => [one.name, one]));
  const missing = declared.filter(({ name }) => !known.has(name)).map(({ name }) => `${name} is missing`);
  const names = new Set(declared.map(({ name }) => name));
  const added = exported.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} is new`);
  const changed = declared.flatMap((one) => {
    const other = known.get(one.name);
    if (other === undefined) return [];
    const hidden = new Set([...hiddenOf(one), ...hiddenOf(other)]);
    const [before, after] = [shown(one, hidden), shown(other, hidden)];
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((arg) => !isGiven(after[arg]) && !isSameValue(plain(before[arg]), plain(after[arg])))
      .map((arg) => `${one.name}.${arg}: ${JSON.stringify([plain(before[arg]), plain(after[arg])])}`);
  });
  return [...missing, ...added, ...changed];
}

/** Checks for a likely secret that has become a placeholder. */
const isGiven = (value: unknown): boolean => JSON.stringify(value)?.includes("mock-") ?? false;

/** Replaces references by names and removes null values at any depth. */
function plain(value: unknown): unknown {
  if (value instanceof Ref) return unescapeKey(value.name.slice(value.name.lastIndexOf("/") + 1));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, plain(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== null));
}

async function exported({ baseUrl, token, workspace }: Emulator) {
  const { io, written } = testIo({
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_DOMAIN: workspace,
  });
  const code = await runMain(["export"], io);
  return { code, ...written() };
}

describe("the export of any workspace", () => {
  const document = arbitraryDocument().map((given) => {
    const { connection: _none, ...rest } = escaped(given) as unknown as Record<string, unknown>;
    return { ...rest, workspace: "acme" } as unknown as WorkspaceDocument;
  });

  it.each([{ embeddedActions: "full" }, { embeddedActions: "summary", listedActions: "summary" }] as const)(
    "declares the original objects, and writes nothing: %o",
    async (settings) => {
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(document, async (given) => {
          const emulator = await startEmulator({ echoMemberEmail: true, rateLimit: 1_000_000, ...settings });
          try {
            const declared = left(documentText(given));
            // The service rejects some names and values that a file cannot know of.
            const made = await apply(emulator, declared).catch(() => undefined);
            fc.pre(made !== undefined);
            emulator.journal.clear();
            const { stdout, stderr } = await exported(emulator);
            expect(stderr).not.toContain("Not in the file");
            expect(differences(declared, left(stdout))).toEqual([]);
            expect(emulator.journal.writes()).toEqual([]);
            compared += 1;
          } finally {
            await emulator.close();
          }
        }),
        { numRuns: 12, seed: 5, endOnFailure: true },
      );
      expect(compared).toBeGreaterThanOrEqual(12);
    },
  );
});
