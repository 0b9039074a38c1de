/** Tests that a stack whose state is lost is not taken for one that was never there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { findBackend } from "../../../automation/stack/backend.js";
import { createMissingStackError, findLostState } from "../../../automation/stack/missing-stack.js";
import { findProject } from "../../../automation/stack/project.js";
import { temporaryFolder } from "../../cli/support.js";

let folder: string;

beforeEach(() => void (folder = temporaryFolder()));

function target() {
  const file = join(folder, "workspace.yaml");
  const env = { PULUMI_HOME: join(folder, "home"), PULUMI_BACKEND_URL: `file://${folder}/state` };
  const project = findProject(file);
  const backend = findBackend(project, env);
  const cli = { command: "pulumi", cwd: folder, env: {} };
  return { name: "beta", why: `named in workspace.yaml`, isFree: true, project, backend, cli };
}

/** Writes a copy of a state with a number of objects, as Pulumi does at the end of a run. */
function keep(name: string, time: string, objects: number): void {
  const project = "workspace-automation";
  const resources = Array.from({ length: objects }, (_, index) => ({
    urn: `urn:pulumi:beta::${project}::pulumi-nodejs:dynamic:Resource$Group::groups/G${index}`,
    type: "pulumi-nodejs:dynamic:Resource",
    custom: true,
    id: String(index),
  }));
  const path = join(folder, "state/.pulumi", name.replace("PROJECT", project));
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, JSON.stringify({ checkpoint: { latest: { manifest: { time }, resources } } }));
}

const saidOf = async () =>
  (
    await createMissingStackError(target(), ["prod"], {
      file: "workspace.yaml",
      stack: "beta",
      connection: "px",
    })
  ).message;

it("is missing, and the latest copy and the command that restores it are named", async () => {
  keep("history/PROJECT/beta/beta-1.checkpoint.json", "2030-01-01T10:00:00Z", 7);
  keep("history/PROJECT/beta/beta-2.checkpoint.json", "2030-01-01T11:00:00Z", 16);
  expect(await saidOf()).toMatch(
    /^the state of stack beta \(named in workspace.yaml\) is missing in file:.*, but the latest of 2 copies of it, of 2030-01-01T11:00:00Z, has 16 objects; nothing was changed: "workspacectl stack repair --stack beta --connection px" restores it/,
  );
});

it("does not exist where there is no copy, or one of a stack that was emptied and removed", async () => {
  expect(await saidOf()).toContain("does not exist yet");
  keep("stacks/PROJECT/beta.json.bak", "2030-01-01T10:00:00Z", 0);
  expect(await findLostState(target())).toBeUndefined();
});
