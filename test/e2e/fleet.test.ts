/** Runs a fleet of two workspaces. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { emulatorForTests, isolated, temporaryFolder, workspacectl, type Ended } from "./support.js";

/** One file for two workspaces at two addresses, with separate states and one passphrase. */
const FILE = `version: 1
workspace: acme
permissionSets:
  devs: { description: Make, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY }
members:
  ann@example.com: { admin: false }
projects:
  web: { protect: false, members: { ann@example.com: devs } }
`;
const FLEET = `version: 1
defaults:
  backend: ./state
  environment: { PULUMI_CONFIG_PASSPHRASE: BOTH_PULUMI_CONFIG_PASSPHRASE }
workspaces:
  us:
    environment: { WORKSPACE_AUTOMATION_BASE_URL: US_WORKSPACE_AUTOMATION_BASE_URL, WORKSPACE_AUTOMATION_TOKEN: US_WORKSPACE_AUTOMATION_TOKEN }
  eu:
    stack: production
    overlays: [region.eu.yaml]
    environment: { WORKSPACE_AUTOMATION_BASE_URL: EU_WORKSPACE_AUTOMATION_BASE_URL, WORKSPACE_AUTOMATION_TOKEN: EU_WORKSPACE_AUTOMATION_TOKEN }
`;

let [us, eu]: Emulator[] = [];
let folder: string;
let env: NodeJS.ProcessEnv;
const fleet = (...argv: string[]): Promise<Ended> => workspacectl(["fleet", ...argv], folder, env);

interface Summary {
  exitCode: number;
  workspaces: {
    name: string;
    result: string;
    exitCode: number;
    summary: string;
    report?: { access?: object[] };
  }[];
}
const summed = ({ stdout }: Ended) => JSON.parse(stdout) as Summary;

beforeAll(async () => {
  folder = temporaryFolder();
  [us, eu] = [await emulatorForTests(), await emulatorForTests()];
  writeFileSync(join(folder, "workspace.yaml"), FILE);
  writeFileSync(join(folder, "region.eu.yaml"), "version: 1\ngroups: { EU: { description: Europe } }\n");
  writeFileSync(join(folder, "fleet.yaml"), FLEET);
  const { PULUMI_CONFIG_PASSPHRASE: _, ...rest } = isolated(folder);
  env = {
    ...rest,
    BOTH_PULUMI_CONFIG_PASSPHRASE: "of both",
    US_WORKSPACE_AUTOMATION_BASE_URL: us.baseUrl,
    US_WORKSPACE_AUTOMATION_TOKEN: us.token,
    EU_WORKSPACE_AUTOMATION_BASE_URL: eu.baseUrl,
    EU_WORKSPACE_AUTOMATION_TOKEN: eu.token,
  };
});

describe("a fleet of two workspaces", () => {
  it("is applied in one run, each at its own address, with the state at the configured location", async () => {
    const ended = await fleet("up", "--yes", "fleet.yaml", "--", "--create-stack");
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/^us +acme +us +ok +4 created +\d+\.\d s$/m);
    expect(ended.stdout).toMatch(/^eu +acme +production +ok +5 created +\d+\.\d s$/m);
    expect(ended.stdout).toContain("2 workspaces: all ok");
    expect(ended.stderr).toMatch(/^us \| Access: {2}/m);
    expect(ended.stderr).toMatch(
      /^eu \| (?:Access:)? +ann@example.com gains read\/write access to the repository and run-only access to the pipelines of web \(the project is new\)$/m,
    );
    expect([us?.journal.writes().length, eu?.journal.writes().length]).toEqual([4, 5]);
    expect(readdirSync(join(folder, "state", ".pulumi", "stacks", "workspace-automation")).sort()).toEqual(
      expect.arrayContaining(["production.json", "us.json"]),
    );
  });

  it("is previewed with its access impact", async () => {
    writeFileSync(
      join(folder, "workspace.yaml"),
      FILE.replace("READ_WRITE", "READ_ONLY").replace("admin: false", "admin: true"),
    );
    const { workspaces, exitCode } = summed(
      await fleet("preview", "--only", "u*", "--format", "json", "--quiet"),
    );
    expect({ exitCode, names: workspaces.map(({ name }) => name) }).toEqual({ exitCode: 0, names: ["us"] });
    expect(workspaces[0]).toMatchObject({
      summary: "2 to update",
      report: {
        access: [
          { kind: "administrator", person: "ann@example.com" },
          {
            kind: "loses",
            person: "ann@example.com",
            project: "web",
            area: "repository",
            level: "READ_WRITE",
            other: "READ_ONLY",
          },
          { kind: "loses", permissionSet: "devs", level: "READ_WRITE" },
        ],
      },
    });
    writeFileSync(join(folder, "workspace.yaml"), FILE);
  });

  it("reports drift of one and an error of the other, and exits with the worse code", async () => {
    const { body } = await eu!.edit({ method: "GET", path: "/workspaces/acme/groups" });
    const [group] = (body as { groups: { id: number }[] }).groups;
    const path = `/workspaces/acme/groups/${group?.id}`;
    const { status } = await eu!.edit({ method: "PATCH", path, body: { description: "By hand" } });
    expect(status).toBe(200);
    const both = summed(await fleet("drift", "--format", "json", "--parallel", "1"));
    expect(both).toMatchObject({
      exitCode: 7,
      workspaces: [
        { name: "us", result: "ok", exitCode: 0 },
        { name: "eu", result: "drift", exitCode: 7, summary: expect.stringContaining("1 changed") as string },
      ],
    });
    env["US_WORKSPACE_AUTOMATION_TOKEN"] = "wrong";
    const ended = await fleet("drift", "--quiet");
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("2 workspaces: 1 error, 1 drift");
    expect(ended.stdout + ended.stderr).not.toContain(String(env["EU_WORKSPACE_AUTOMATION_TOKEN"]));
  });
});
