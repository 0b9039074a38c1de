/** Tests cli/commands/fleet/fleet-file.ts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeTemporaryFolder } from "../../../../automation/temporary-folders.js";
import { type FleetEntry, fleetSchema, parseFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { listChildArguments } from "../../../../cli/commands/fleet/workspace-command.js";

const problemsIn = (text: string) => {
  try {
    parseFleet("/ops/fleet.yaml", text);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n").filter((line) => line.startsWith("/ops/"));
  }
};

describe("a fleet file", () => {
  it("lists workspaces with defaults, and paths relative to the file", () => {
    const text = `version: 1
defaults: { file: workspace.yaml, backend: ./state, environment: { PULUMI_CONFIG_PASSPHRASE: ACME_PULUMI_CONFIG_PASSPHRASE } }
workspaces:
  us: { connection: us }
  eu: { connection: eu, stack: production, overlays: [eu.yaml], environment: { WORKSPACE_VAR_TOKEN: WORKSPACE_VAR_EU_TOKEN } }
  lab: { file: /ops/lab/workspace.yaml, backend: "s3://acme-state?region=eu-west-1" }
  near: { backend: file://other }
`;
    const { entries } = parseFleet("/ops/fleet.yaml", text);
    expect(entries.map((entry) => ({ ...entry, backend: entry.backend?.whole }))).toMatchObject([
      {
        name: "us",
        file: "/ops/workspace.yaml",
        stack: "us",
        connection: "us",
        backend: "file:///ops/state",
      },
      {
        stack: "production",
        overlays: ["/ops/eu.yaml"],
        environment: {
          PULUMI_CONFIG_PASSPHRASE: "ACME_PULUMI_CONFIG_PASSPHRASE",
          WORKSPACE_VAR_TOKEN: "WORKSPACE_VAR_EU_TOKEN",
        },
      },
      { file: "/ops/lab/workspace.yaml", backend: "s3://acme-state?region=eu-west-1" },
      { backend: "file:///ops/other" },
    ]);
  });

  it("accepts an empty entry, and derives its settings from the name", () => {
    expect(parseFleet("/ops/fleet.yaml", "version: 1\nworkspaces:\n  dev:\n").entries).toMatchObject([
      { name: "dev", stack: "dev", file: "/ops/workspace.yaml", backend: undefined },
    ]);
  });

  it("reports all its errors with locations", () => {
    const text = `version: 1
workspaces:
  us: { stak: us, overlays: eu.yaml }
  eu: { environment: { TOKEN: "not a name" } }
`;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      [
        "/ops/fleet.yaml:3:9: unknown property "stak". Did you mean "stack"?",
        "/ops/fleet.yaml:3:29: workspaces.us.overlays: must be a list",
        "/ops/fleet.yaml:4:31: workspaces.eu.environment.TOKEN: must be the name of an environment variable",
      ]
    `);
    expect(problemsIn("workspaces: [us]\n")).toHaveLength(2);
    expect(problemsIn("version: 1\nworkspaces: {\n")[0]).toContain("/ops/fleet.yaml:");
  });

  it("rejects two entries with the same state", () => {
    const text = "version: 1\nworkspaces:\n  us: { stack: dev }\n  eu: { stack: dev }\n";
    expect(problemsIn(text)).toEqual([
      '/ops/fleet.yaml:4:3: eu is the same stack of the same file as us: write another "stack:" for one of the two',
    ]);
  });

  it("gives a workspace no variable that the caller did not set for it", () => {
    const text = `version: 1
defaults: { environment: { WORKSPACE_AUTOMATION_ALLOW_ENV: EU_WORKSPACE_AUTOMATION_ALLOW_ENV } }
workspaces:
  us: { environment: { WORKSPACE_VAR_NOTE: CI_JOB_TOKEN } }
  eu:
    environment:
      WORKSPACE_AUTOMATION_BASE_URL: CI_COMMIT_TITLE
      NODE_OPTIONS: CI_COMMIT_TITLE
`;
    expect(problemsIn(text)).toMatchInlineSnapshot(`
      [
        "/ops/fleet.yaml:2:60: WORKSPACE_AUTOMATION_ALLOW_ENV decides what the command may do, so only its caller may set it, and no file: remove the line, and add --allow-env to the command",
        "/ops/fleet.yaml:4:44: WORKSPACE_VAR_NOTE may not get its value from CI_JOB_TOKEN: store the value in an environment variable whose own name begins with WORKSPACE_VAR_, such as WORKSPACE_VAR_NOTE, and write that name instead of CI_JOB_TOKEN",
        "/ops/fleet.yaml:7:38: WORKSPACE_AUTOMATION_BASE_URL may not get its value from CI_COMMIT_TITLE: store the value in an environment variable whose own name contains WORKSPACE_AUTOMATION_BASE_URL, such as EU_WORKSPACE_AUTOMATION_BASE_URL, and write that name instead of CI_COMMIT_TITLE",
        "/ops/fleet.yaml:8:21: NODE_OPTIONS is not a setting of the connection or the state, and only such are allowed here: for a value of the workspace file, set WORKSPACE_VAR_NODE_OPTIONS",
      ]
    `);
  });

  it("adds a policy of its own checkout, and none from elsewhere", () => {
    const fleet = (policy: string) => `version: 1\npolicy: ${policy}\nworkspaces: { us: {} }\n`;
    expect(parseFleet("/ops/fleet.yaml", fleet("policies/all.yaml")).policy).toBe("/ops/policies/all.yaml");
    expect(parseFleet("/ops/fleet.yaml", "version: 1\nworkspaces: { us: {} }\n").policy).toBeUndefined();
    for (const policy of ["/etc/policy.yaml", "../policy.yaml"])
      expect(problemsIn(fleet(policy))).toEqual([
        "/ops/fleet.yaml:2:9: is outside of the checkout: pass it with --policy or in WORKSPACE_AUTOMATION_POLICY",
      ]);
  });

  it("gives a policy to preview and up of each workspace, in addition to other options", () => {
    const [entry] = parseFleet("/ops/fleet.yaml", "version: 1\nworkspaces: { us: {} }\n").entries;
    const argv = (command: "preview" | "up" | "drift") =>
      listChildArguments(entry!, { command, more: ["--x"], policies: ["a.yaml", "b.yaml"] });
    for (const command of ["preview", "up"] as const)
      expect(argv(command).join(" ")).toContain("--policy a.yaml --policy b.yaml");
    expect(argv("drift")).not.toContain("--policy");
  });

  it("compares the workspaces that the files and overlays name, of which a connection may have several", () => {
    const folder = makeTemporaryFolder();
    const at = (name: string) => join(folder, name);
    writeFileSync(at("web.yaml"), "version: 1\nworkspace: web\n");
    writeFileSync(at("web.eu.yaml"), "version: 1\nworkspace: web-eu\n");
    const fleet = `version: 1
defaults: { file: web.yaml }
workspaces:
  us: { connection: us }
  eu: { connection: eu, overlays: [web.eu.yaml] }
  lab: { connection: lab, file: absent.yaml }
`;
    const [us, eu, lab] = parseFleet(at("fleet.yaml"), fleet).entries as [FleetEntry, FleetEntry, FleetEntry];
    const sources = (left: FleetEntry, right: FleetEntry) =>
      listChildArguments(right, { command: "compare", more: [], left }).slice(1, 3);
    expect(sources(us, eu)).toEqual(["connection:us/web", "connection:eu/web-eu"]);
    // Its process says what is wrong with the file.
    expect(sources(us, lab)).toEqual(["connection:us/web", "connection:lab"]);
  });

  it("has a published schema", () => {
    const published = JSON.parse(readFileSync("schema/fleet.schema.json", "utf8")) as object;
    expect(published).toMatchObject(z.toJSONSchema(fleetSchema, { target: "draft-2020-12", io: "input" }));
  });
});
