/**
 * Tests the way from a live workspace to code on the real engine: export, import into a new stack, and a preview
 * without changes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
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

/** Changes a value, adds an object and deletes another. */
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

describe("import of an existing workspace without a write", () => {
  it("works for that of another stack, and follows later manual changes", { timeout: 300_000 }, async () => {
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

    // After more manual changes, the file and the stack can follow.
    const file = join(folder, "exported", "workspace.yaml");
    writeFileSync(file, text.replace(/^groups:/m, "# Who is who\ngroups:"));
    await changedByHand(emulator);
    emulator.journal.clear();
    const filled = { ...env, ...given };
    const again = await workspacectl(["export", "-w", "acme", "-o", file], folder, filled);
    expect(again).toMatchObject({ code: 0, stdout: file });
    expect(again.stderr).toMatch(
      /1 changed, 1 added, 1 removed\n {2}changed: .+\n {2}added: .+\n {2}removed: .+\n/,
    );
    expect(readFileSync(file, "utf8")).toContain("# Who is who\ngroups:");
    const stack = ["-f", file, "--stack", "taken"];
    expect(await workspacectl(["refresh", ...stack], folder, filled)).toMatchObject({ code: 0 });
    const followed = await workspacectl(["import", "--create-stack", ...stack], folder, filled);
    expect(followed).toMatchObject({ code: 0 });
    const last = await workspacectl(["preview", ...stack], folder, filled);
    expect(last.stdout).toContain("No changes");
    expect(emulator.journal.writes()).toEqual([]);
  });
});
