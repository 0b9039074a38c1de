/** Tests `owners` on files alone, and the overlaps that it and `fleet` refuse. test/e2e/owners.nightly.test.ts reads a workspace. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import { startEmulator } from "../../../emulator/index.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const env = { WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "none.json") };
const file = (name: string, text: string) => fileIn(folder, name, `version: 1\nworkspace: acme\n${text}`);
const owners = (...argv: string[]) => run(["owners", ...argv, "--offline"], env);

const web = file(
  "web.yaml",
  `owns: ["projects/web/**"]
groups: { QA: { external: true }, Ops: { external: true } }
projects: { web: { name: web-shop, variables: { A: a } } }
`,
);
const platform = file("platform.yaml", `owns: ["groups/Q*/**"]\ngroups: { QA: {} }\n`);

describe("owners", () => {
  it("lists what each file owns, and what the files refer to and nobody owns", async () => {
    const { code, stdout } = await owners(web, platform);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Workspace acme

${web}
  projects/web/**  2 objects  ${web}:3
${platform}
  groups/Q*/**     1 object  ${platform}:3

Of what the files refer to, nobody owns: 1 object
  Group  groups/Ops
`,
    });
  });

  it("prints the same as JSON", async () => {
    const { stdout } = await owners(web, platform, "--json");
    const report = JSON.parse(stdout) as { files: { objects: object[] }[]; unowned: object[]; live: boolean };
    expect(report).toMatchObject({ version: 1, workspace: "acme", live: false });
    expect(report.files[0]?.objects).toContainEqual({
      type: "Variable",
      name: "projects/web-shop/variables/A",
      declared: true,
      pattern: "projects/web/**",
    });
    expect(report.unowned).toEqual([{ type: "Group", name: "groups/Ops" }]);
  });

  it("says without a connection that the workspace was not read", async () => {
    const { code, stderr } = await run(["owners", web], env);
    expect(code).toBe(0);
    expect(stderr).toContain("The workspace is not read, as with --offline: no base address");
    expect(await run(["owners", web, "-c", "eu"], env)).toMatchObject({ code: 1 });
  });

  it("refuses patterns that overlap, with both places", async () => {
    const wide = file("wide.yaml", `owns:\n  - groups/**\n  - projects/*/members/*\n`);
    const { code, stderr } = await owners(web, wide);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${wide}:5:5: "projects/*/members/*" overlaps with "projects/web/**" in ${web}:3, and both match names such as ` +
        "projects/web/members/x: an object has one owner, so narrow one of them",
    );
    expect(stderr).not.toContain('"groups/**" overlaps');
  });

  it("refuses a declaration of what another file owns, by the name in the service", async () => {
    const other = file("other.yaml", `projects:\n  shop: { name: web-shop, variables: { B: b } }\n`);
    const { code, stderr } = await owners(web, other);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${other}:4:3: projects/web-shop has another owner: ${web}:5 owns it ("projects/web/**"). Write external: true here, or ` +
        "remove it from one of the files",
    );
    const again = file("again.yaml", `projects: { web-shop: {} }\n`);
    expect((await owners(other, again)).stderr).toContain(`${other}:4 declares it`);
  });

  it("refuses files of different workspaces", async () => {
    const beta = fileIn(folder, "beta.yaml", "version: 1\nworkspace: beta\n");
    const { code, stderr } = await owners(web, beta);
    expect(code).toBe(1);
    expect(stderr).toContain(`${web} says "workspace: acme", and ${beta} says "workspace: beta"`);
  });
});

describe("owners of a workspace whose service hides who people are", () => {
  it("says once that it cannot compare a person and their memberships", async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    const client = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token: emulator.token });
    onTestFinished(() => client.close());
    const { id } = await client.members.create(emulator.workspace, { email: "bob@example.com" });
    const group = await client.groups.create(emulator.workspace, { name: "QA" });
    await client.groupMembers.create(emulator.workspace, group.id, { id });
    const people = file(
      "people.yaml",
      `owns: ["groups/**"]
members: { bob@example.com: { external: true } }
groups: { QA: { members: [bob@example.com] } }
`,
    );
    const connected = {
      ...env,
      WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: emulator.token,
    };
    const { code, stdout } = await run(["owners", people], connected);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Workspace acme at ${emulator.baseUrl}

${people}
  groups/**  2 objects  ${people}:3

Nobody owns: nothing

Not compared: 2 objects of people whom the service does not identify
`,
    });
  });
});

describe("fleet", () => {
  it("refuses to run files that own the same objects of one workspace", async () => {
    const all = file("all.yaml", `owns: ["**"]\n`);
    const fleet = (more: string) =>
      writeFileSync(
        join(folder, "fleet.yaml"),
        `version: 1\nworkspaces:\n  web: { file: web.yaml }\n  all: { file: all.yaml${more} }\n`,
      );
    fleet("");
    const refused = await run(["fleet", "preview", join(folder, "fleet.yaml"), "--only", "none"], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${all}:3:8: "**" overlaps with "projects/web/**" in ${web}:3`);
    fleet(", connection: eu");
    const other = await run(["fleet", "preview", join(folder, "fleet.yaml"), "--only", "none"], env);
    expect(other.stderr).toContain("there is no workspace none in the fleet file");
  });
});
