/** Runs a fleet of two workspaces. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { emulatorForTests, type Ended, isolated, temporaryFolder, workspacectl } from "./support.js";

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
    const ended = await fleet("up", "--yes", "fleet.yaml");
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

  it("is reviewed and approved as a whole, and nothing else is applied", async () => {
    writeFileSync(join(folder, "workspace.yaml"), FILE.replace("Make", "Build"));
    const previewed = await fleet("preview", "--quiet", "--format", "json=preview.json", "--format", "text");
    expect(previewed).toMatchObject({ code: 0 });
    expect(previewed.stdout).toContain(
      'permissionSets/devs in all 2 workspaces  description  "Make" → "Build"',
    );
    const { fingerprint, groups } = JSON.parse(readFileSync(join(folder, "preview.json"), "utf8")) as {
      fingerprint: string;
      groups: { workspaces: string[] }[];
    };
    expect(groups.map(({ workspaces }) => workspaces)).toEqual([["us", "eu"]]);
    expect(previewed.stdout).toContain(`workspacectl fleet up --plan preview.json --approved ${fingerprint}`);
    const writes = () => [us, eu].map((one) => one?.journal.writes().length);
    const before = writes();
    const other = await fleet("up", "--yes", "--quiet", "--approved", `sha256:${"0".repeat(64)}`);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("not the approved plans")]);
    expect(writes()).toEqual(before);
    const one = await fleet(
      "up",
      "--yes",
      "--plan",
      "preview.json",
      "--approved",
      fingerprint,
      "--only",
      "us",
    );
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^us .* ok +1 updated/m)]);
    const [first = 0, second = 0] = before as number[];
    expect(writes()).toEqual([first + 1, second]);
    const rest = await fleet("preview", "--quiet", "--format", "json");
    const { fingerprint: left } = JSON.parse(rest.stdout) as { fingerprint: string };
    expect(await fleet("up", "--yes", "--approved", left)).toMatchObject({ code: 0 });
    expect(writes()).toEqual([first + 1, second + 1]);
  });

  it("does not call a refused plan ok", async () => {
    writeFileSync(join(folder, "workspace.yaml"), FILE.replace(/projects:[^]*/, ""));
    const { code, stdout } = await fleet("preview", "--quiet", "--only", "us", "--format", "markdown");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^## 🔴 Plan for 1 workspace: .*1 refused/);
    expect(stdout).toContain("us: ");
    writeFileSync(join(folder, "workspace.yaml"), FILE.replace("Make", "Build"));
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

  it("says once that there is no Pulumi", async () => {
    const nowhere = {
      ...env,
      PATH: "/usr/bin:/bin",
      PULUMI_BIN: undefined,
      WORKSPACECTL_CACHE: temporaryFolder(),
      WORKSPACECTL_PULUMI_RELEASES: "http://127.0.0.1:9/",
    };
    const { code, stdout, stderr } = await workspacectl(["fleet", "drift"], folder, nowhere);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.match(/No working Pulumi CLI was found/g)).toHaveLength(1);
  });
});
