/** Plays workflows that use the action of examples/ci/github by its address and a commit, as those who do not copy it do. Needs a build. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { missingAct, play, type Played } from "./act.js";
import {
  addTool,
  examples,
  expectNoSecret,
  git,
  type HostileWorld,
  makeHostileWorld,
} from "./hostile-world.js";

const skip = await missingAct();
const reason = skip === undefined ? "" : ` (skipped: ${skip})`;

/** A commit is 40 digits; GitHub refuses a shorter one. */
const published = `acme-tools/workspace-automation@${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const action = published.replace("@", "/examples/ci/github/actions/workspacectl@");

const drift = /```yaml\n([^`]*?uses: OWNER\/REPOSITORY\/[^`]*?)```/
  .exec(readFileSync(join(examples, "github/README.md"), "utf8"))?.[1]
  ?.replaceAll("OWNER/REPOSITORY/examples/ci/github/actions/workspacectl@COMMIT", action)
  .replace("stack: eu", "stack: us");

const secrets = {
  WORKSPACE_AUTOMATION_BASE_URL: "${{ vars.WORKSPACE_AUTOMATION_BASE_URL }}",
  WORKSPACE_AUTOMATION_TOKEN: "${{ secrets.WORKSPACE_AUTOMATION_TOKEN }}",
  PULUMI_BACKEND_URL: "${{ vars.PULUMI_BACKEND_URL }}",
  PULUMI_CONFIG_PASSPHRASE: "${{ secrets.PULUMI_CONFIG_PASSPHRASE }}",
};
const approved = "${{ steps.preview.outputs.fingerprint }}";
const plan = "${{ runner.temp }}/plan.json";
/** Plans, and applies the plan that was approved. */
const up = stringify({
  on: "push",
  jobs: {
    up: {
      "runs-on": "ubuntu-latest",
      steps: [
        {
          uses: "actions/checkout@d23441a48e516b6c34aea4fa41551a30e30af803",
          with: { path: "trusted", "persist-credentials": false },
        },
        { uses: action },
        { id: "preview", uses: action, with: { command: "preview", stack: "us", plan }, env: secrets },
        { run: "echo result=${{ steps.preview.outputs.result }}" },
        { uses: action, with: { command: "up", stack: "us", plan, approved }, env: secrets },
      ],
    },
  },
});

let world: HostileWorld;
beforeAll(async () => {
  if (skip !== undefined) return;
  world = await makeHostileWorld(addTool);
  cpSync(examples, join(world.folder, "published/examples/ci"), { recursive: true });
}, 900_000);

/** Plays a workflow in a repository that has no copy of the action. */
async function job(workflow: string | undefined, trigger: string): Promise<Played> {
  const { folder, main, emulator, backend, origin, write } = world;
  write("main/.github/workflows/job.yml", workflow ?? "");
  write("event.json", "{}");
  const played = await play("job.yml", {
    ...{ repository: main, trigger, event: join(folder, "event.json") },
    secrets: {
      WORKSPACE_AUTOMATION_TOKEN: world.secrets.token,
      PULUMI_CONFIG_PASSPHRASE: world.secrets.passphrase,
    },
    variables: { WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl, PULUMI_BACKEND_URL: backend },
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      ORIGIN: origin,
      EVENT_REF: "main",
    },
    published: { [published]: join(folder, "published") },
  });
  expectNoSecret(world, [played.log], []);
  return played;
}

describe
  .skipIf(skip !== undefined)
  .sequential(`the action by its commit${reason}`, { timeout: 900_000 }, () => {
    it("finds no drift, with the workflow of the README", async () => {
      const { code, log } = await job(drift, "workflow_dispatch");
      expect([code, log]).toEqual([0, expect.stringContaining("1 object as declared")]);
    });

    it("applies the plan that its preview wrote", async () => {
      const { main, origin, emulator } = world;
      const text = readFileSync(join(main, "workspace.yaml"), "utf8");
      writeFileSync(join(main, "workspace.yaml"), text.replace("Testers", "Changed"));
      await git(main, "commit", "--quiet", "--message", "Change", "--", "workspace.yaml");
      await git(main, "push", "--quiet", origin, "main");
      const before = emulator.journal.writes().length;
      const { code, log } = await job(up, "push");
      expect([code, log]).toEqual([0, expect.stringContaining("Done: 0 created, 1 updated")]);
      expect(log).toContain("result=changes");
      expect(emulator.journal.writes().length - before).toBe(1);
    });

    it("fails the job when there is drift", async () => {
      const { body } = await world.emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
      const { groups } = body as { readonly groups: readonly { readonly id: number }[] };
      const path = `/workspaces/acme/groups/${groups[0]!.id}`;
      await world.emulator.edit({ method: "PATCH", path, body: { description: "Changed by hand" } });
      const { code, log } = await job(drift, "workflow_dispatch");
      expect([code, log]).toEqual([1, expect.stringContaining("Drift: 1 changed")]);
    });
  });
