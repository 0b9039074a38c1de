/**
 * Tests `drift accept` with an existing report: it writes the state of the workspace to the file, and changes nothing
 * else in it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { DriftFinding } from "../../../../automation/drift/drift-report.js";
import { runMain } from "../../../../cli/program.js";
import { fileIn, run, temporaryFolder, testIo } from "../../support.js";
import { finding, reportWith } from "./support.js";

const workspace = `version: 1
# People
members:
  ann@example.com: { admin: true } # the owner
  bob@example.com: {}
groups:
  QA: { description: Testers }
  # Nobody knows
  Old: { description: Gone }
variables:
  REGION: us-east # keep
  API_KEY: { value: "\${env:API_KEY}", encrypted: true }
  TOKEN: { value: made-up, encrypted: true }
projects:
  web:
    displayName: Web shop
    members: { bob@example.com: release }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          # first
          - { name: One, type: OTHER, triggerTime: ON_EVERY_EXECUTION, fields: {} }
          - { name: Two, type: OTHER, triggerTime: ON_EVERY_EXECUTION, fields: {} } # second
permissionSets:
  release: { name: Releasers, description: Some, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
  other: { description: Some, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
`;

const found = (one: Partial<DriftFinding> & Pick<DriftFinding, "class" | "type" | "name">): DriftFinding => ({
  id: `id-${one.name}`,
  path: (one.pathParts ?? []).join("."),
  pathParts: [],
  secret: false,
  ...one,
});

const all: DriftFinding[] = [
  found({ class: "deleted", type: "Group", name: "groups/Old", declared: { description: "Gone" } }),
  found({
    class: "changed",
    type: "Group",
    name: "groups/QA",
    pathParts: ["description"],
    declared: "Testers",
    live: "Hobby club",
  }),
  found({
    class: "changed",
    type: "Variable",
    name: "variables/REGION",
    pathParts: ["value"],
    declared: "us-east",
    live: "eu-west",
  }),
  found({
    class: "changed",
    type: "Project",
    name: "projects/web",
    pathParts: ["displayName"],
    declared: "Web shop",
  }),
  found({
    class: "changed",
    type: "ProjectMember",
    name: "projects/web/members/bob@example.com",
    pathParts: ["permissionSet"],
    declared: 7,
    live: 8,
    labels: { "7": "Releasers", "8": "other" },
  }),
  found({
    class: "changed",
    type: "ActionOrder",
    name: "projects/web/pipelines/deploy/actionOrder",
    pathParts: ["actions"],
    declared: [1, 2],
    live: [2, 1],
    labels: { "1": "One", "2": "Two" },
  }),
  found({
    class: "changed",
    type: "Variable",
    name: "variables/TOKEN",
    pathParts: ["value"],
    secret: true,
    declared: "hmac:1",
    live: "hmac:2",
  }),
];

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = fileIn(folder, "workspace.yaml", workspace);
});

const read = () => readFileSync(file, "utf8");
const reported = (findings: DriftFinding[]) =>
  fileIn(folder, "drift.json", JSON.stringify(reportWith({ findings })));
const accept = (argv: string[], findings = all, env = {}) =>
  run(["drift", "accept", "-f", file, "--report", reported(findings), ...argv], {
    WORKSPACE_VAR_API_KEY: "k",
    ...env,
  });

describe("drift accept", () => {
  it("patches the file in place, and lists secrets that it cannot read", async () => {
    const { code, stdout, stderr } = await accept(["--all"]);
    expect(stderr).toContain("7 of 7 accepted");
    expect(code).toBe(0);
    expect(stdout).toBe(`${file}\n`);
    expect(read()).toBe(`version: 1
# People
members:
  ann@example.com: { admin: true } # the owner
  bob@example.com: {}
groups:
  QA: { description: Hobby club }
variables:
  REGION: eu-west # keep
  API_KEY: { value: "\${env:API_KEY}", encrypted: true }
  TOKEN: { value: "\${env:TOKEN}", encrypted: true }
projects:
  web:
    members: { bob@example.com: other }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          # first
          - { name: Two, type: OTHER, triggerTime: ON_EVERY_EXECUTION, fields: {} } # second
          - { name: One, type: OTHER, triggerTime: ON_EVERY_EXECUTION, fields: {} }
permissionSets:
  release: { name: Releasers, description: Some, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
  other: { description: Some, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
`);
    expect(stderr).toContain("Secrets that cannot be read. Set them in the environment before the next run:");
    expect(stderr).toContain("  WORKSPACE_VAR_TOKEN  variables/TOKEN value\n");
  });

  it("accepts only the named objects, and writes nothing with --dry-run", async () => {
    const dry = await accept(["groups/QA", "--dry-run"]);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain("-  QA: { description: Testers }\n+  QA: { description: Hobby club }\n");
    expect(dry.stdout).not.toContain("REGION: eu-west");
    expect(dry.stderr).toContain("1 of 1 can be accepted; nothing was written");
    expect(read()).toBe(workspace);
    expect((await accept(["groups/QA"])).code).toBe(0);
    expect(read()).toBe(workspace.replace("description: Testers", "description: Hobby club"));
  });

  it("overwrites no placeholder, and reports what cannot be accepted", async () => {
    const findings = [
      found({
        class: "changed",
        type: "Variable",
        name: "variables/API_KEY",
        pathParts: ["value"],
        secret: true,
        declared: { $secret: "hmac:1" },
        live: { $secret: "hmac:2" },
      }),
      found({
        class: "pending",
        type: "Group",
        name: "groups/QA",
        pathParts: ["description"],
        operation: "update",
        declared: "Testers",
        live: "Old",
      }),
    ];
    const { code, stderr } = await accept(["variables/API_KEY", "groups/QA"], findings);
    expect(code).toBe(1);
    expect(stderr).toContain("not accepted: variables/API_KEY value: [secret, changed]\n");
    expect(stderr).toMatch(
      /says \$\{env:API_KEY\}, which has another value: change it in the environment variable WORKSPACE_VAR_API_KEY/,
    );
    expect(stderr).toContain(
      'not accepted: groups/QA: the file is newer than the workspace: "workspacectl up" applies it',
    );
    expect(read()).toBe(workspace);
  });

  it("removes a schedule that the pipeline no longer has, even from a placeholder", async () => {
    const manual = "triggerMode: MANUAL\n        refType";
    const scheduled = 'triggerMode: SCHEDULED\n        cron: "${env:CRON}"\n        refType';
    writeFileSync(file, workspace.replace(manual, scheduled));
    const changed = (arg: string, more: Partial<DriftFinding>) =>
      found({
        ...{ class: "changed", type: "Pipeline", name: "projects/web/pipelines/deploy", pathParts: [arg] },
        ...more,
      });
    const findings = [
      changed("triggerMode", { declared: "SCHEDULED", live: "MANUAL" }),
      changed("cron", { declared: "0 2 * * *", id: "id-cron" }),
    ];
    const env = { WORKSPACE_VAR_CRON: "0 2 * * *" };
    expect(await accept(["--all"], findings, env)).toMatchObject({ code: 0 });
    expect(read()).toBe(workspace);
  });

  it("gives secrets of the same name in two projects variables of their own, which no other secret has", async () => {
    const variables = "    variables: { API_KEY: { value: old, encrypted: true } }\n";
    writeFileSync(
      file,
      `version: 1\nvariables: { OTHER: "\${secret:env:API_API_KEY}" }\nprojects:\n  web:\n${variables}  api:\n${variables}`,
    );
    const changed = (name: string) =>
      found({ class: "changed", type: "Variable", name, pathParts: ["value"], secret: true, live: "hmac:2" });
    const findings = ["web", "api"].map((project) => changed(`projects/${project}/variables/API_KEY`));
    expect(await accept(["--all"], findings, { WORKSPACE_VAR_API_API_KEY: "k" })).toMatchObject({ code: 0 });
    const placeholders = [...read().matchAll(/env:(\w+)/g)].map(([, name]) => name);
    expect(placeholders).toEqual(["API_API_KEY", "WEB_API_KEY", "API_API_KEY_2"]);
  });

  it("removes a deleted object with its contents, and fails if others still refer to it", async () => {
    const gone = [
      found({ class: "deleted", type: "Project", name: "projects/web" }),
      found({ class: "deleted", type: "Pipeline", name: "projects/web/pipelines/deploy" }),
    ];
    expect(await accept(["--all"], gone)).toMatchObject({ code: 0 });
    expect(read()).toContain("projects: {}\n");
    file = fileIn(folder, "workspace.yaml", workspace);
    const set = [found({ class: "deleted", type: "PermissionSet", name: "permissionSets/release" })];
    const { code, stderr } = await accept(["--all"], set);
    expect(code).toBe(1);
    expect(stderr).toContain('the file would not be valid: no permission set "release" is declared');
  });

  it("requires names or --all, and suggests a known name", async () => {
    expect((await accept([])).stderr).toContain("add the names of objects, such as groups/QA, or add --all");
    expect((await accept(["groups/QE"])).stderr).toContain(
      'drift was not found at groups/QE. Did you mean "groups/QA"?',
    );
    expect((await accept(["groups/QA", "--all"])).stderr).toContain(
      "names of objects and --all cannot be passed together",
    );
    expect((await accept(["--all"], [])).stderr).toContain("Nothing to accept.");
    const broken = await run([
      "drift",
      "accept",
      "--all",
      "-f",
      file,
      "--report",
      fileIn(folder, "x.json", '{"version":2}'),
    ]);
    expect(broken.stderr).toContain("is not a report of");
  });

  it("lets the user select findings on a terminal", async () => {
    const { io, written } = testIo({ WORKSPACE_VAR_API_KEY: "k" });
    const type = io.stdin as unknown as NodeJS.WritableStream;
    const write = io.stderr.write.bind(io.stderr) as (text: string) => boolean;
    let asked = false;
    io.stderr.write = ((text: string) => {
      if (!asked && text.includes("groups/QA")) {
        asked = true;
        // Selects the second and the third.
        setImmediate(() => ["\x1b[B", " ", "\x1b[B", " ", "\r"].forEach((sign) => type.write(sign)));
      }
      return write(text);
    }) as typeof io.stderr.write;
    const argv = ["drift", "accept", "-f", file, "--report", reported(all)];
    expect(await runMain(argv, { ...io, interactive: true })).toBe(0);
    expect(written().stderr).toContain("Which findings do you want to accept?");
    expect(read()).toBe(
      workspace.replace("description: Testers", "description: Hobby club").replace("us-east #", "eu-west #"),
    );
    expect(join(folder, "workspace.yaml")).toBe(file);
  });
});

describe("drift revert", () => {
  const revert = (argv: string[]) =>
    run(["drift", "revert", "-f", file, ...argv], { WORKSPACE_VAR_API_KEY: "k" });

  it("reports what cannot be reverted before it reads anything", async () => {
    expect((await revert([])).stderr).toContain("needs to know which objects");
    expect((await revert(["groups/QA"])).stderr).toContain(
      "there is no terminal to ask for confirmation: add --yes",
    );
    expect((await revert(["groups/QE", "--yes"])).stderr).toContain(
      'the file does not declare groups/QE. Did you mean "groups/QA"?',
    );
    expect((await revert(["gruppen/Ops", "--yes"])).stderr).toContain("It cannot be reverted");
    expect((await revert(["--all", "--yes", "--report", reported([])])).stderr).toContain(
      "Nothing to revert.",
    );
  });

  it("names with --all what it does not delete, because the file does not declare it", async () => {
    const rogue = finding({ class: "added", name: "groups/Hackers", path: "" });
    const { stderr } = await revert(["--all", "--yes", "--report", reported([rogue])]);
    expect(stderr).toMatch(
      /groups\/Hackers stays, because the file does not declare it: delete it.*drift accept/s,
    );
    expect(stderr).toContain("Nothing to revert.");
  });
});
