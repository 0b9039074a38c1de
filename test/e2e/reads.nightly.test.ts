/** Tests `get` of the classes and the functions with both engines under plain Pulumi. */
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { InstalledProject } from "./installed-project.js";

const program = resolve(import.meta.dirname, "programs/reads.js");

describe.each(["dynamic", "plugin"])(
  "a program that reads, with the engine %s",
  { timeout: 300_000 },
  (engine) => {
    let [emulator, project]: [Emulator, InstalledProject] = [undefined!, undefined!];

    beforeAll(async () => {
      const pipeline = {
        name: "deploy",
        trigger_mode: "MANUAL",
        ref_name: "main",
        actions: [{ name: "Ping", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "host" }],
      };
      emulator = await startEmulator({
        seed: {
          users: [{ email: "owner@example.com" }],
          workspaces: [
            { domain: "acme", projects: [{ name: "shop", pipelines: [pipeline] }] },
            { domain: "acme-eu", projects: [{ name: "in-eu" }] },
          ],
        },
      });
      project = await InstalledProject.create(emulator, program);
      await project.pulumi("config", "set", "workspace-automation:engine", engine);
      const folder = "./node_modules/pulumi-workspace-automation/plugin";
      appendFileSync(
        join(project.folder, "Pulumi.yaml"),
        `plugins:\n  providers:\n    - { name: workspace-automation, path: ${folder} }\n`,
      );
      const id = async (path: string, part: string) => {
        const { body } = await emulator.edit({ method: "GET", path });
        return String((body as Record<string, { id: number }[]>)[part]?.[0]?.id);
      };
      const pipelines = "/workspaces/acme/projects/shop/pipelines";
      const number = await id(pipelines, "pipelines");
      await project.pulumi("config", "set", "pipeline", number);
      await project.pulumi("config", "set", "action", await id(`${pipelines}/${number}/actions`, "actions"));
      emulator.journal.clear();
    }, 120_000);
    afterAll(async () => {
      project.remove();
      await emulator.close();
    });

    it("knows in a preview what exists, and reads what it creates only afterwards", async () => {
      expect(await project.pulumi("preview")).toMatch(/4 to create/);
      expect(emulator.journal.writes()).toEqual([]);
      await project.pulumi("up", "--yes", "--skip-preview");
      expect(JSON.parse(await project.pulumi("stack", "output", "--json"))).toEqual({
        created: "web",
        names: ["in-eu"],
        destination: "host",
      });
      await project.pulumi("preview", "--expect-no-changes");
    });

    it("neither changes nor deletes what it only reads", async () => {
      await project.pulumi("refresh", "--yes", "--expect-no-changes");
      emulator.journal.clear();
      await project.pulumi("state", "unprotect", "--all", "--yes");
      await project.pulumiWith({ WORKSPACE_AUTOMATION_DELETE_PROJECTS: "web" }, "destroy", "--yes");
      expect(emulator.journal.writes().map(({ method, path }) => `${method} ${path}`)).toEqual(
        expect.not.arrayContaining([expect.stringMatching(/pipelines\/\d+$/)]),
      );
      const { body } = await emulator.edit({
        method: "GET",
        path: "/workspaces/acme/projects/shop/pipelines",
      });
      expect(body).toMatchObject({ pipelines: [{ name: "deploy" }] });
    });
  },
);
