/** From a live workspace to code, on the real engine: export, import under a new stack, a preview with nothing to do. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { readDeclarations } from "../../workspace-file/load/index.js";
import { apply } from "../cli/commands/export/apply.js";
import { notCopied } from "../cli/commands/export/generated/exceptions.js";
import { exported } from "../cli/commands/export/generated/exported.js";
import { make, seed } from "../cli/commands/export/generated/make.js";
import { differences, withoutHead } from "../cli/commands/export/generated/round-trip.js";
import { largeWorkspace } from "../cli/commands/export/generated/run.js";
import { shownIn } from "../cli/commands/export/generated/shown.js";
import {
  connected,
  emulatorForTests,
  isolated,
  quickstart,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

/** What the exported file asks for: nobody but its users knows these. */
const given = {
  DEPLOY_TOKEN: "deploy-token-in-clear",
  API_RELEASE_RESTART_THE_SERVICE_PASSWORD: "server-password-in-clear",
  WEB_NIGHTLY_CHECKS_START_DATE: "2026-01-31T02:00:00Z",
  WEB_NIGHTLY_CHECKS_DELAY: "1440",
};

/** Exports, imports under a new stack, and looks at what the next preview would do. */
async function takenUnderCode(emulator: Emulator, folder: string, env: NodeJS.ProcessEnv) {
  emulator.journal.clear();
  const file = join(folder, "exported", "workspace.yaml");
  const exported = await workspacectl(["export", "-w", "acme", "-o", file], folder, env);
  const filled = { ...env, ...given };
  const imported = await workspacectl(
    ["import", "--create-stack", "-f", file, "--stack", "taken"],
    folder,
    filled,
  );
  const preview = await workspacectl(["preview", "-f", file, "--stack", "taken"], folder, filled);
  return { exported, text: readFileSync(file, "utf8"), imported, preview, writes: emulator.journal.writes() };
}

/** Another value, something new, and something gone. */
async function changedByHand(emulator: Emulator): Promise<void> {
  const path = "/workspaces/acme";
  const listed = async (list: string) => {
    const { body } = await emulator.edit({ method: "GET", path: `${path}/${list}` });
    return (body as Record<string, { id: number; key?: string; name?: string }[]>)[list] ?? [];
  };
  const region = (await listed("variables")).find(({ key }) => key === "REGION");
  const onCall = (await listed("groups")).find(({ name }) => name === "On call");
  const changed = { key: "REGION", value: "eu-west" };
  await emulator.edit({ method: "PATCH", path: `${path}/variables/${region?.id}`, body: changed });
  await emulator.edit({ method: "DELETE", path: `${path}/groups/${onCall?.id}` });
  await emulator.edit({ method: "POST", path: `${path}/groups`, body: { name: "Sales" } });
}

describe("an existing workspace comes under code, and nothing is written to it", () => {
  it("one that another stack made", { timeout: 300_000 }, async () => {
    const folder = temporaryFolder();
    const emulator = await emulatorForTests({ echoMemberEmail: true });
    const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
    const made = await workspacectl(
      ["up", "--create-stack", "-f", quickstart(join(folder, "first")), "--yes"],
      folder,
      env,
    );
    expect(made).toMatchObject({ code: 0 });

    const { exported, text, imported, preview, writes } = await takenUnderCode(emulator, folder, env);
    expect(exported).toMatchObject({ code: 0, stdout: "" });
    expect(text).not.toContain("in-clear");
    expect(text).toContain("${env:DEPLOY_TOKEN}");
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toContain("The next preview is empty");
    expect(preview).toMatchObject({ code: 0 });
    expect(preview.stdout).toContain("No changes");
    expect(writes).toEqual([]);

    // Somebody goes on by hand: the file and the stack follow.
    const file = join(folder, "exported", "workspace.yaml");
    writeFileSync(file, text.replace(/^groups:/m, "# Who is who\ngroups:"));
    await changedByHand(emulator);
    emulator.journal.clear();
    const filled = { ...env, ...given };
    const again = await workspacectl(["export", "-w", "acme", "-o", file], folder, filled);
    expect(again).toMatchObject({ code: 0, stdout: file });
    expect(again.stderr).toContain("1 changed, 1 added, 1 taken out");
    expect(readFileSync(file, "utf8")).toContain("# Who is who\ngroups:");
    const stack = ["-f", file, "--stack", "taken"];
    expect(await workspacectl(["refresh", ...stack], folder, filled)).toMatchObject({ code: 0 });
    const followed = await workspacectl(["import", "--create-stack", ...stack], folder, filled);
    expect(followed).toMatchObject({ code: 0 });
    const last = await workspacectl(["preview", ...stack], folder, filled);
    expect(last.stdout).toContain("No changes");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("one made by hand, where the service hides e-mail addresses", { timeout: 300_000 }, async () => {
    const folder = temporaryFolder();
    const emulator = await emulatorForTests();
    const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
    await apply(
      emulator,
      readDeclarations(quickstart(join(folder, "first")), { env: given, mock: true }).declarations,
    );

    const { exported, text, imported, preview, writes } = await takenUnderCode(emulator, folder, env);
    expect(exported).toMatchObject({ code: 10 });
    expect(exported.stderr).toContain("the service does not show its email");
    expect(text).not.toMatch(/^members:/m);
    expect(imported.stdout).toContain("The next preview is empty");
    expect(preview.stdout).toContain("No changes");
    expect(writes).toEqual([]);
  });

  it("any other, with much of every kind and odd names in it; and made again elsewhere, it exports the same", async () => {
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
    // No name steers the terminal of who reads it.
    for (const { stdout, stderr } of [imported, preview, up])
      expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(withoutHead((await exported(second, manner)).text)).toBe(withoutHead(text));
    const excused = notCopied(before, emulator.settings);
    const copied = before.filter((object) => excused(object) === undefined);
    expect(differences(copied, await shownIn(second)).filter((line) => !line.includes('"Branch"'))).toEqual(
      [],
    );
  }, 400_000);
});
