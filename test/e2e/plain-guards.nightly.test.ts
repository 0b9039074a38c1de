/** Tries what plain `pulumi up` and `pulumi destroy` of a program hold of each guard, without workspacectl. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type GuardCode, guardCodes } from "../../automation/policy/guards/types.js";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { plainPulumi } from "../automation/policy/guards/plain-pulumi.js";
import {
  clone,
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
const root = join(folder, "clone");
const emulator = await emulatorForTests({ echoMemberEmail: true });
const api = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token: emulator.token });
const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
clone(root);

/** Runs plain `pulumi up` on a file. */
async function up(text: string, token: string = emulator.token) {
  writeFileSync(join(root, "other.yaml"), text);
  emulator.journal.clear();
  const { code, stdout, stderr } = await pulumi(["up", "--yes", "--skip-preview"], root, {
    ...env,
    ...connected({ ...emulator, token }),
  });
  return { code, said: stdout + stderr, writes: emulator.journal.writes().length };
}

async function admins(): Promise<string[]> {
  const members = await api.members.list("acme").toArray();
  const whole = await Promise.all(members.map(({ id }) => api.members.get("acme", id)));
  return whole.filter(({ admin }) => admin).map(({ email }) => String(email));
}

const groups = async () => (await api.groups.list("acme").toArray()).map(({ name }) => name);
const pipelines = async () => (await api.pipelines.list("acme", "web").toArray()).map(({ name }) => name);
const variables = () => api.variables.list("acme", { projectName: "web" }).toArray();

const many = Array.from({ length: 12 }, (_, at) => `  group-${at}: {}\n`).join("");
const applied = `version: 1
workspace: acme
members:
  ann@example.com: { admin: true }
  bob@example.com: { admin: true }
groups:
${many}variables: { REGION: us-east }
projects:
  web:
    protect: false
    pipelines:
      old:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Build, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com }
`;
const lost = `version: 1
workspace: acme
owns: ["members/*", "variables/*", "projects/**"]
guards:
  protectedKinds: [Group]
  requiredAdmins: [ann@example.com]
  minimumAdmins: 3
members:
  ann@example.com: {}
  bob@example.com: { admin: true }
variables: { REGION: us-west }
projects: { web: { protect: false } }
`;
const held = `version: 1
workspace: acme
members:
  ann@example.com: { admin: true }
  bob@example.com: { admin: true }
groups: { QA: { protect: true } }
variables: { REGION: us-east }
projects: { web: { variables: { NODE_ENV: production } } }
`;

const notHeld = guardCodes.filter((code) => plainPulumi[code].startsWith("no"));
/** What happens although the guard refuses it. */
const effects: Partial<Record<GuardCode, () => Promise<unknown>>> = {
  "other-file": groups,
  "not-owned": groups,
  "protected-kind": groups,
  "max-deletes": groups,
  "max-delete-share": groups,
  "whole-section": groups,
  "unmanaged-contents": pipelines,
  "required-admins": async () => (await admins()).filter((email) => email.startsWith("ann")),
  "minimum-admins": async () => (await admins()).filter((email) => email.startsWith("ann")),
};

describe.sequential("plain pulumi", { timeout: 300_000 }, () => {
  let refused: string[] = [];

  beforeAll(async () => {
    expect(await pulumi(["stack", "init", "us"], root, env)).toMatchObject({ code: 0 });
    const file = ["config", "set", "workspace-automation:file", "other.yaml"];
    expect(await pulumi(file, root, env)).toMatchObject({ code: 0 });
    writeFileSync(join(root, "workspace.yaml"), applied);
    const ours = (...argv: string[]) => workspacectl([...argv, "--stack", "us"], root, env);
    expect(await ours("up", "--yes", "-f", "workspace.yaml")).toMatchObject({ code: 0 });
    const [pipeline] = await api.pipelines.list("acme", "web").toArray();
    const byHand = {
      name: "Audit",
      type: "PING",
      trigger_time: "ON_EVERY_EXECUTION",
      destination: "b.example.com",
    };
    await emulator.edit({
      method: "POST",
      path: `/workspaces/acme/projects/web/pipelines/${pipeline?.id}/actions`,
      body: byHand,
    });
    writeFileSync(join(root, "other.yaml"), lost);
    const preview = await ours("preview", "--json", "-f", "other.yaml");
    const { guards } = JSON.parse(preview.stdout) as { guards: { guard: string }[] };
    refused = guards.map(({ guard }) => guard);
    expect(await up(lost)).toMatchObject({ code: 0 });
  }, 300_000);

  it.each(notHeld)("does what workspacectl refuses by %s", async (code) => {
    expect(refused).toContain(code);
    expect(await effects[code]?.()).toEqual([]);
  });

  it("tries each guard that the table calls held", () => {
    // The tests of the provider try `perhaps-hidden`, and the service itself refuses `used-object`.
    const elsewhere = ["perhaps-hidden", "used-object"];
    const held = guardCodes.filter((code) => !notHeld.includes(code) && !elsewhere.includes(code));
    expect(held).toEqual(["project-deletion", "protected-object", "own-access"]);
  });

  it("deletes no object with protect: true (protected-object)", async () => {
    expect(await up(held)).toMatchObject({ code: 0 });
    const { code, said } = await up(held.replace("groups: { QA: { protect: true } }\n", ""));
    expect(code).not.toBe(0);
    expect(said).toContain("groups/QA");
    expect(await groups()).toEqual(["QA"]);
  });

  it("deletes nothing in a project that the program does not mention (project-deletion)", async () => {
    const { code, said, writes } = await up(held.replace(/projects: .*\n/, ""));
    expect(code).not.toBe(0);
    expect(said).toContain('in project "web" is not deleted');
    expect(writes).toBe(0);
  });

  it("keeps the caller's membership and administrator right (own-access, minimum-admins)", async () => {
    const token = await emulator.createToken({ user: "ann@example.com" });
    const demoted = await up(held.replace("ann@example.com: { admin: true }", "ann@example.com: {}"), token);
    expect(demoted.said).toContain("nobody can remove their own administrator right");
    const removed = await up(held.replace("  ann@example.com: { admin: true }\n", ""), token);
    expect(removed).toMatchObject({ code: 0, writes: 0 });
    expect(await admins()).toContain("ann@example.com");
  });

  it("destroys no protected project, and nothing in it, also with --skip-preview (project-deletion)", async () => {
    emulator.journal.clear();
    const destroyed = await pulumi(["destroy", "--yes"], root, env);
    expect({ code: destroyed.code === 0, writes: emulator.journal.writes() }).toEqual({
      code: false,
      writes: [],
    });
    const skipping = await pulumi(["destroy", "--yes", "--skip-preview"], root, env);
    expect(skipping.code).not.toBe(0);
    expect(await variables()).toHaveLength(1);
    expect((await api.projects.list("acme").toArray()).map(({ name }) => name)).toEqual(["web"]);
  });
});
