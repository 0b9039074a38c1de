/**
 * Tests workspaces without a stack on the real engine: export, import into a new stack, and a preview without changes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { apply } from "../cli/commands/export/apply.js";
import { notCopied } from "../cli/commands/export/generated/exceptions.js";
import { exported } from "../cli/commands/export/generated/exported.js";
import { make, seed } from "../cli/commands/export/generated/make.js";
import { differences, withoutHead } from "../cli/commands/export/generated/round-trip.js";
import { largeWorkspace } from "../cli/commands/export/generated/run.js";
import { shownIn } from "../cli/commands/export/generated/shown.js";
import { tellsAllStories } from "../stories.js";
import { given, takenUnderCode } from "./imported.js";
import {
  connected,
  emulatorForTests,
  isolated,
  quickstart,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

describe("import of an existing workspace without a write", () => {
  it("works for a manual one if the service hides addresses", { timeout: 600_000 }, async () => {
    const folder = temporaryFolder();
    const emulator = await emulatorForTests();
    const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
    await apply(
      emulator,
      readDeclarations(quickstart(join(folder, "first")), { env: given, mock: true }).declarations,
    );

    const { exported, text, imported, preview, writes } = await takenUnderCode(emulator, folder, env);
    expect(exported).toMatchObject({ code: 10 });
    expect(exported.stderr).toContain("the service does not return its email");
    expect(text).not.toMatch(/^members:/m);
    expect(imported.stdout).toContain("The next preview is empty");
    expect(preview.stdout).toContain("No changes");
    expect(writes).toEqual([]);
  });

  it.runIf(tellsAllStories)(
    "works for one with many objects and odd names, whose copy has the same export",
    async () => {
      const settings = { seed, echoMemberEmail: true, rateLimit: 100_000 };
      const emulator = await emulatorForTests(settings);
      const { count, refused } = await make(emulator, largeWorkspace());
      expect(count).toBeGreaterThan(150);
      expect(refused).toBe(0);
      const manner = { split: false, branches: false };
      const before = await shownIn(emulator);
      const { text, env: filled, declarations } = await exported(emulator, manner);
      const folder = temporaryFolder();
      const file = join(folder, "workspace.yaml");
      writeFileSync(file, text);
      const at = (one: Emulator) => isolated(folder, { ...connected(one), ...stateIn(folder), ...filled });

      emulator.journal.clear();
      const imported = await workspacectl(
        ["import", "--create-stack", "-f", file, "--stack", "taken"],
        folder,
        at(emulator),
      );
      expect(imported.stderr).not.toContain("would change");
      expect(imported).toMatchObject({ code: 0 });
      expect(imported.stdout).toContain(`Imported: ${declarations.length} objects`);
      expect(imported.stdout).toContain("The next preview is empty");
      const preview = await workspacectl(["preview", "-f", file, "--stack", "taken"], folder, at(emulator));
      expect(preview.stdout).toContain("No changes");
      expect(emulator.journal.writes()).toEqual([]);

      const second = await emulatorForTests(settings);
      const up = await workspacectl(
        ["up", "--create-stack", "-f", file, "--stack", "copy", "--yes"],
        folder,
        at(second),
      );
      expect(up).toMatchObject({ code: 0 });
      // Names must not control the terminal.
      for (const { stdout, stderr } of [imported, preview, up])
        expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
      expect(withoutHead((await exported(second, manner)).text)).toBe(withoutHead(text));
      const excused = notCopied(before, emulator.settings);
      const copied = before.filter((object) => excused(object) === undefined);
      expect(differences(copied, await shownIn(second)).filter((line) => !line.includes('"Branch"'))).toEqual(
        [],
      );
    },
    400_000,
  );
});
