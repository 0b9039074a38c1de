/** Tests that everything missing in the target workspace is reported before anything is written. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseMapping, readMapping } from "../../../automation/compare/mapping-file.js";
import { refuseExisting } from "../../../cli/commands/replicate/run-replicate.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { apply } from "../../cli/commands/export/apply.js";
import { type Pair, pair, SHOP } from "../../cli/commands/replicate/support.js";
import { run } from "../../cli/support.js";

/** Checks that neither files nor objects were written. */
function expectUntouched({ folder, writes }: Pair, ...files: string[]): void {
  expect(readdirSync(folder).sort()).toEqual(files.sort());
  expect(writes()).toEqual([]);
}

const MANY = `${SHOP.replace("groups:", "  read-only: { external: true }\ngroups:").replace(
  "variables:\n  REGION: us-east",
  'variables:\n  REGION: "${env:REGION_EU}"\n  TOKEN: { value: "${config:deployToken}", encrypted: true }',
)}          - name: Ask
            type: AGENT
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: [ask]
            integrationIdentifier: agent-us
  legacy:
    external: true
    pipelines:
      nightly: { external: true, variables: { A: b } }
`;

describe("an object missing in the target workspace", () => {
  it("is reported with all others, with location and remedy, and nothing is written", async () => {
    const two = await pair({
      integrations: [
        ["chat-eu", "CHAT"],
        ["git-eu", "GIT_HOST"],
      ],
    });
    two.write("workspace.yaml", MANY);
    const { code, stdout, stderr } = await two.replicate("--yes");
    expect(code).toBe(1);
    expect(stdout).toBe("");
    const told = stderr.replaceAll(`${two.folder}/`, "").replaceAll(two.eu.baseUrl, "ADDRESS");
    expect(told).toMatchInlineSnapshot(`
      "error: 6 things are missing in eu (acme-eu at ADDRESS); nothing was written
        integration "chat-main": eu has none with that name
            workspace.yaml:36:26 projects/web/pipelines/deploy/actions/Tell
            -> map it to another one, or connect it in eu (user profile, integrations)
        integration with the identifier "agent-us": the service does not list identifiers, so it is not known whether eu has it
            workspace.yaml:44:36 projects/web/pipelines/deploy/actions/Ask
            -> map it to its identifier there, which may be the same
        external permission set "read-only": eu has none with that name
            workspace.yaml:10:3 permissionSets/read-only
            -> create it in eu, declare it without "external", or remove it in workspace.eu.yaml
        external project "legacy": eu has none with that name
            workspace.yaml:45:3 projects/legacy
            -> create it in eu, declare it without "external", or remove it in workspace.eu.yaml
        placeholder: WORKSPACE_VAR_REGION_EU is not set
            workspace.yaml:14:12
            -> set this environment variable before you run the command, or add --allow-env REGION_EU to use REGION_EU itself
        configuration deployToken: not set for stack eu
            workspace.yaml:15:19
            -> workspacectl config set deployToken VALUE --stack eu (for a secret: --secret, and no value), next to a Pulumi.yaml
      Add to replicate-mapping.yaml:

      version: 1
      integrations:
        chat-main: chat-eu # the only CHAT there
      integrationIdentifiers:
        agent-us: # its identifier in eu
      "
    `);
    expectUntouched(two, "workspace.yaml");
  });

  it("comes with a mapping that is valid after pasting", async () => {
    const two = await pair();
    two.write("workspace.yaml", SHOP);
    const { stderr } = await two.replicate();
    two.write("replicate-mapping.yaml", stderr.split("Add to replicate-mapping.yaml:\n")[1] ?? "");
    expect(readMapping(undefined, two.folder).integrations.get("chat-main")).toBe("chat-eu");
    expect(two.read("replicate-mapping.yaml")).toContain("chat-main: chat-eu # the only CHAT there");
  });

  it("is reported on lines of its own without control characters, whatever its name", async () => {
    const two = await pair({ integrations: [["chat\u001b[2J\nversion: 2", "CHAT"]] });
    two.write("workspace.yaml", SHOP);
    const { stderr } = await two.replicate();
    expect(stderr).not.toContain("\u001b");
    const pasted = stderr.split("Add to replicate-mapping.yaml:\n")[1] ?? "";
    const { integrations } = parseMapping("m.yaml", pasted);
    expect([...integrations]).toEqual([["chat-main", "chat\u001b[2J\nversion: 2"]]);
  });

  it("may be ambiguous, which the suggested numbers resolve", async () => {
    const two = await pair({
      integrations: [
        ["chat-main", "CHAT"],
        ["chat-main", "CHAT"],
      ],
    });
    two.write("workspace.yaml", SHOP);
    const { stderr } = await two.replicate();
    expect(stderr).toMatch(/integration "chat-main": eu has 2 named "chat-main"/);
    expect(stderr).toMatch(/or map it to a number: \d+ \(CHAT\), \d+ \(CHAT\)/);
    expectUntouched(two, "workspace.yaml");
  });

  it("may be the target of a mapping, which is reported with its location", async () => {
    const two = await pair();
    two.write("workspace.yaml", SHOP);
    two.write("replicate-mapping.yaml", "version: 1\nintegrations:\n  chat-main: chat-asia\n");
    const { stderr } = await two.replicate();
    expect(stderr).toContain('replicate-mapping.yaml:3:3 maps it to "chat-asia", which does not exist in eu');
    expect(stderr).toContain("-> there is chat-eu: correct the mapping");
  });

  it("is not reported if the workspace or the stack configuration contains it", async () => {
    const permission_sets = [
      {
        name: "read-only",
        description: "May look",
        repository_access_level: "READ_ONLY",
        pipeline_access_level: "READ_ONLY",
      },
    ];
    const two = await pair({ integrations: [["chat-main", "CHAT"]], eu: { permission_sets } });
    two.write("workspace.yaml", MANY.slice(0, MANY.indexOf("          - name: Ask")));
    two.write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    two.write("Pulumi.eu.yaml", "config:\n  shop:deployToken: { secure: opaque }\n");
    const { stderr } = await two.replicate();
    expect(stderr).toMatch(/^error: 1 thing is missing/);
    expect(stderr).toContain("REGION_EU is not set");
  });

  it("is reported if integrations cannot be read", async () => {
    const two = await pair();
    two.write("workspace.yaml", SHOP);
    two.eu.faults.add({ kind: "status", method: "GET", path: "/user/integrations", status: 403 });
    const { code, stderr } = await two.replicate();
    expect(code).toBe(1);
    expect(stderr).toContain("integrations: those of eu cannot be read");
    expectUntouched(two, "workspace.yaml");
  });

  it("may be a reference by number, which is valid only in the source workspace", async () => {
    const two = await pair({ integrations: [["chat-main", "CHAT"]] });
    two.write("workspace.yaml", SHOP.replace("permissionSet: release-engineers", "permissionSet: 7"));
    const { stderr } = await two.replicate();
    expect(stderr).toContain("permissionSet 7: an id of us");
    expect(stderr).toContain("projects/web/members/ann@example.com");
  });

  it("may be a member number from an import, which is valid only in the source workspace", async () => {
    const two = await pair({ integrations: [["chat-main", "CHAT"]] });
    two.write("workspace.yaml", `version: 1\nmembers: { cleo@example.com: { member: 4 } }\n`);
    const { code, stderr } = await two.replicate();
    expect(code).toBe(1);
    expect(stderr).toContain("member 4: an id of us");
    expect(stderr).toContain("remove it: a stack that contains the member no longer needs it");
    expectUntouched(two, "workspace.yaml");
  });
});

describe("existing objects", () => {
  it("are reported before the plan is applied", () => {
    const taken = [{ name: "groups/QA" }, { name: "projects/web" }];
    expect(() => refuseExisting(taken, "eu")).toThrow(
      /^2 objects already exist in eu, .*:\n {2}groups\/QA\n {2}projects\/web\n {2}-> --adopt/,
    );
    expect(() => refuseExisting([], "eu")).not.toThrow();
  });
});

describe("a missing workspace file", () => {
  it("is exported from the source workspace, which is not changed", async () => {
    const two = await pair({ settings: { echoMemberEmail: true } });
    const { declarations } = readDeclarations("-", { env: {}, stdin: () => SHOP });
    await apply(two.us, declarations);
    two.us.journal.clear();
    const { code, stderr } = await two.replicate();
    expect(code).toBe(1);
    expect(stderr).toContain("There is no");
    expect(stderr).toContain('integration "chat-main": eu has none with that name');
    expect(existsSync(join(two.folder, "workspace.yaml"))).toBe(false);
    expectUntouched(two);
  });
});

describe("the two connections", () => {
  it("must be different, with different workspaces", async () => {
    const two = await pair();
    two.write("workspace.yaml", SHOP);
    const words = (from: string, to: string) => [
      "replicate",
      "--from",
      from,
      "--to",
      to,
      "-f",
      join(two.folder, "workspace.yaml"),
    ];
    expect((await run(words("us", "us"), two.env)).stderr).toContain('--from and --to are both "us"');
    const env = {
      ...two.env,
      WORKSPACE_AUTOMATION_EU_BASE_URL: two.us.baseUrl,
      WORKSPACE_AUTOMATION_EU_TOKEN: two.us.token,
    };
    expect((await run(words("us", "eu"), env)).stderr).toContain("us and eu are the same workspace, acme");
    expect((await run(words("us", "asia"), two.env)).stderr).toContain("WORKSPACE_AUTOMATION_ASIA_BASE_URL");
    expectUntouched(two, "workspace.yaml");
  });

  it("use their own tokens, which are never printed", async () => {
    const two = await pair();
    two.write("workspace.yaml", SHOP);
    const { stdout, stderr } = await run(
      ["--debug", "replicate", "--from", "us", "--to", "eu", "-f", join(two.folder, "workspace.yaml")],
      two.env,
    );
    // Each list takes a second request, which proves its end.
    expect(stderr.match(/debug: GET \/user\/integrations 200/g)).toHaveLength(4);
    expect(stdout + stderr).not.toContain("in-clear");
  });
});
