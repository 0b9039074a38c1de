/** Brings an existing workspace under code: export, import into a new stack, and preview. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { workspacectl } from "./support.js";

/** Values for the placeholders of the exported file, which only the users know. */
export const given = {
  WORKSPACE_VAR_DEPLOY_TOKEN: "deploy-token-in-clear",
  WORKSPACE_VAR_API_RELEASE_RESTART_THE_SERVICE_PASSWORD: "server-password-in-clear",
  WORKSPACE_VAR_WEB_NIGHTLY_CHECKS_CRON: "0 2 * * *",
};

/** Exports a workspace, imports it into a new stack, and previews. */
export async function takenUnderCode(emulator: Emulator, folder: string, env: NodeJS.ProcessEnv) {
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
