/** Tells how one comment shows what the change of a template does to 300 workspaces, on the real engine. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

/** The last two of them differ from the others. WORKSPACES=10 is enough to try something. */
const SIZE = Number(process.env["WORKSPACES"] ?? 300);
const teams = Array.from({ length: SIZE }, (_, index) => `team-${String(index).padStart(3, "0")}`);
const [one, other] = teams.slice(-2) as [string, string];
/** These two also include the template. A guard refuses the plan of the first, and the token cannot read the second. */
const refused = "legacy";
const unreadable = "lost";
const names = [...teams, refused, unreadable];
const owner = "owner@example.com";

const pipeline = (name: string, trigger: string) =>
  `${name}: { ${trigger}, refType: BRANCH, refName: main, actions: [{ name: Check, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [make check] }] }`;
const template = (level: string, ...pipelines: readonly string[]) => `version: 1
members:
  ann@example.com: { admin: true }
  bob@example.com: {}
permissionSets:
  platform-ro: { description: Platform, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: ${level} }
projects:
  platform:
    members: { bob@example.com: platform-ro }
    pipelines:
      ${pipelines.join("\n      ")}
`;
const fleetFile = (entries = "") => `version: 1
defaults: { backend: ./state, allowPaths: [templates] }
workspaces:
  from: "teams/*.yaml"
${entries}`;
const workspace = (name: string, more = "") => `version: 1
workspace: ${name}
include: [../templates/base.yaml]
${more}`;

const emulator = await emulatorForTests({
  seed: { users: [{ email: owner }], workspaces: names.map((domain) => ({ domain, owner })) },
  rateLimit: 1_000_000,
});
const folder = temporaryFolder();
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const fleet = (...argv: string[]) =>
  workspacectl(["fleet", ...argv, "--quiet"], folder, isolated(folder, connected(emulator)));

beforeAll(async () => {
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  for (const name of ["teams", "templates", "overlays", "state"]) mkdirSync(join(folder, name));
  for (const name of names) write(`teams/${name}.yaml`, workspace(name));
  write(`teams/${refused}.yaml`, workspace(refused, "projects: { shop: {} }\n"));
  write("fleet.yaml", fleetFile());
  write("templates/base.yaml", template("READ_ONLY", pipeline("old", "triggerMode: ON_EVERY_PUSH")));
  const first = await fleet("up", "--yes");
  expect([first.code, first.stdout, first.stderr]).toEqual([0, expect.any(String), ""]);

  write(
    "templates/base.yaml",
    template("READ_WRITE", pipeline("nightly", `triggerMode: SCHEDULED, cron: "0 2 * * *"`)),
  );
  write(`teams/${refused}.yaml`, workspace(refused));
  write(
    "overlays/runs.yaml",
    "version: 1\npermissionSets: { platform-ro: { pipelineAccessLevel: RUN_ONLY } }\n",
  );
  write(
    "fleet.yaml",
    fleetFile([one, other].map((name) => `  ${name}: { overlays: [overlays/runs.yaml] }\n`).join("")),
  );
  emulator.faults.add({
    ...{ kind: "status", status: 403, message: "Access denied.", count: 1000 },
    path: new RegExp(`/workspaces/${unreadable}(/|$)`),
  });
}, 3_600_000);

describe.sequential("the change of a template of many workspaces", { timeout: 3_600_000 }, () => {
  it("is reviewed in one comment, with all that matters in full", async () => {
    const began = Date.now();
    const { code } = await fleet(
      ...["preview", "--format", "markdown=preview.md", "--format", "json=preview.json"],
    );
    expect(code).toBe(1);
    const text = read("preview.md");
    process.stderr.write(
      `${names.length} workspaces: ${text.length} characters, ${(Date.now() - began) / 1000} s\n`,
    );
    expect(text.length).toBeLessThan(65_536);
    const usual = `${names.length - 3} workspaces (not ${unreadable}, ${one}, ${other})`;
    const found = `${names.length - 1} workspaces (not ${unreadable})`;
    const access = "gains read/write access to the pipelines of platform (had read-only;";
    for (const part of [
      `permission set \`permissionSets/platform-ro\` in **${usual}**\n\n~~~diff\n- pipelineAccessLevel: "READ_ONLY"\n+ pipelineAccessLevel: "READ_WRITE"`,
      `permission set \`permissionSets/platform-ro\` in **${one}, ${other}, differs**\n\n~~~diff\n- pipelineAccessLevel: "READ_ONLY"\n+ pipelineAccessLevel: "RUN_ONLY"`,
      `pipeline \`projects/platform/pipelines/old\` in **${found}** is deleted, with ${names.length - 1} actions in all of them`,
      `**Access**\n\n- ${refused}: everyone else who is a member loses access to shop (the project is deleted)\n- ${usual}: bob@&#8203;example.com ${access}`,
      `- ${one}, ${other}: bob@&#8203;example.com ${access.replace("read/write", "run-only")}`,
      `**Starts**\n\n- ${found}: platform/nightly daily at 02:00`,
      `**Stops**\n\n- ${found}: platform/old, which runs on every push to branch main`,
      `❌ ${refused}: project-deletion: project shop would be deleted`,
      `; 1 error, 1 refused, ${names.length - 2} ok`,
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/lost.*Access denied/);
  });

  it("is applied as approved", async () => {
    const some = ["--only", `${one.slice(0, -1)}*`];
    const review = await fleet("preview", ...some, "--format", "json=some.json");
    expect(review).toMatchObject({ code: 0 });
    const { fingerprint } = JSON.parse(read("some.json")) as { fingerprint: string };
    const up = await fleet("up", "--yes", ...some, "--plan", "some.json", "--approved", fingerprint);
    expect(up).toMatchObject({ code: 0 });
    expect(await fleet("drift", ...some)).toMatchObject({ code: 0 });
  });
});
