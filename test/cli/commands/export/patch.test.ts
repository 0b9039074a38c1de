/** Tests `workspacectl export -o workspace.yaml` with an existing file: it changes only the differences. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Kept } from "./kept.js";

const FILE = `# The workspace of the shop
version: 1
workspace: acme
x-people: &testers   # who tests
  - ann@example.com
defaults:
  Pipeline: { refType: BRANCH, refName: "main" }
members: { ann@example.com: {}, bob@example.com: {} }
groups:
  # they test
  QA: { description: "\${env:QA}", members: *testers }
  Ops: { description: 'they run it' }   # on call
variables:
  REGION: us-east # where
  TIER: '1'
  API_KEY: { value: "\${env:API_KEY}", encrypted: true }
projects:
  web:
    displayName: Web shop
    protect: false
    pipelines:
      deploy:
        triggerMode: MANUAL
        actions:
          # first of all
          - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [npm ci] }
          # at the end
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
`;
const set = { WORKSPACE_VAR_QA: "Testers", WORKSPACE_VAR_API_KEY: "secret-value" };

describe("export to an existing file", () => {
  it("changes no byte if the workspace matches the file", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE }, set);
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "workspace.yaml: nothing to change\n" });
    expect(kept.text()).toBe(FILE);
  });

  it("tells actions that share a name apart by their order, and gives a new one a key that is free", async () => {
    const twins = FILE.replace("{ name: Ping, type: PING,", "{ key: Last, name: Build, type: PING,");
    const kept = await Kept.of({ "workspace.yaml": twins }, set);
    expect(await kept.export()).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
    const deploy = await kept.numberOf("/projects/web/pipelines", "pipelines", "deploy");
    const ping = { name: "Build", type: "PING", trigger_time: "ON_FAILURE", destination: "example.org" };
    const { id } = await kept.edit("POST", `/projects/web/pipelines/${deploy}/actions`, ping);
    expect(await kept.export()).toMatchObject({ code: 0 });
    const fields = ["name: Build", `action: ${String(id)}`, "type: PING", "triggerTime: ON_FAILURE"];
    const added = ["          - key: Build 2", ...fields.map((field) => `            ${field}`)].join("\n");
    expect(kept.text()).toBe(`${twins}${added}\n            destination: example.org\n`);
    expect(await kept.export()).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
  });

  it("keeps the file's spelling of addresses and names", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE }, set);
    const text = FILE.replaceAll("ann@example.com", "Ann@Example.com").replace("  Ops:", '  " Ops":');
    kept.write(text);
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
    expect(kept.text()).toBe(text);
  });

  it("updates changed values, adds and removes objects, and reorders actions", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE }, set);
    const ops = await kept.numberOf("/groups", "groups", "Ops");
    const ann = await kept.numberOf("/members", "members", "ann@example.com", "email");
    await kept.edit("PATCH", `/groups/${ops}`, { name: "Ops", description: "They run it" });
    await kept.edit("POST", `/groups/${ops}/members`, { id: ann });
    await kept.edit("POST", "/groups", { name: "Sales", description: "New: they sell" });
    const region = await kept.numberOf("/variables", "variables", "REGION", "key");
    await kept.edit("PATCH", `/variables/${region}`, { key: "REGION", value: "eu-west" });
    await kept.edit("DELETE", `/variables/${await kept.numberOf("/variables", "variables", "TIER", "key")}`);
    await kept.edit("POST", "/variables", { key: "DEPLOY_PASSWORD", value: "in-clear", encrypted: true });
    const deploy = await kept.numberOf("/projects/web/pipelines", "pipelines", "deploy");
    const actions = `/projects/web/pipelines/${deploy}/actions`;
    const build = await kept.numberOf(actions, "actions", "Build");
    const ping = await kept.numberOf(actions, "actions", "Ping");
    await kept.edit("PATCH", `${actions}/${build}`, { after_action_id: ping });
    const created = {
      name: "Last",
      type: "PING",
      trigger_time: "ON_EVERY_EXECUTION",
      destination: "example.org",
    };
    await kept.edit("POST", actions, created);
    kept.emulator.journal.clear();

    const shown = await kept.export("--dry-run");
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stderr).toContain("nothing was written");
    expect(kept.text()).toBe(FILE);
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toMatchInlineSnapshot(`
      "workspace.yaml: 2 changed, 4 added, 1 removed, 1 reordered
        changed: groups/Ops, variables/REGION
        added: groups/Sales, groups/Ops/members/ann@example.com, projects/web/pipelines/deploy/actions/Last, variables/DEPLOY_PASSWORD
        removed: variables/TIER
        reordered: projects/web/pipelines/deploy
      If the file has a stack, run "workspacectl refresh", then "workspacectl import" for what is new
      Set these before you use the file (1 value that no file should contain):
        WORKSPACE_VAR_DEPLOY_PASSWORD  variables/DEPLOY_PASSWORD: value
      "
    `);
    expect(kept.text()).toMatchInlineSnapshot(`
      "# The workspace of the shop
      version: 1
      workspace: acme
      x-people: &testers   # who tests
        - ann@example.com
      defaults:
        Pipeline: { refType: BRANCH, refName: "main" }
      members: { ann@example.com: {}, bob@example.com: {} }
      groups:
        # they test
        QA: { description: "\${env:QA}", members: *testers }
        Ops: { description: 'They run it', members: [ann@example.com] }   # on call
        Sales: { description: "New: they sell" }
      variables:
        REGION: eu-west # where
        API_KEY: { value: "\${env:API_KEY}", encrypted: true }
        DEPLOY_PASSWORD: { value: "\${env:DEPLOY_PASSWORD}", encrypted: true }
      projects:
        web:
          displayName: Web shop
          protect: false
          pipelines:
            deploy:
              triggerMode: MANUAL
              actions:
                # first of all
                # at the end
                - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
                - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [npm ci] }
                - { name: Last, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.org }
      "
    `);
    expect(shown.stdout).toMatchInlineSnapshot(`
      "Index: workspace.yaml
      --- workspace.yaml
      +++ workspace.yaml	exported
      @@ -8,13 +8,14 @@
       members: { ann@example.com: {}, bob@example.com: {} }
       groups:
         # they test
         QA: { description: "\${env:QA}", members: *testers }
      -  Ops: { description: 'they run it' }   # on call
      +  Ops: { description: 'They run it', members: [ann@example.com] }   # on call
      +  Sales: { description: "New: they sell" }
       variables:
      -  REGION: us-east # where
      -  TIER: '1'
      +  REGION: eu-west # where
         API_KEY: { value: "\${env:API_KEY}", encrypted: true }
      +  DEPLOY_PASSWORD: { value: "\${env:DEPLOY_PASSWORD}", encrypted: true }
       projects:
         web:
           displayName: Web shop
           protect: false
      @@ -22,7 +23,8 @@
             deploy:
               triggerMode: MANUAL
               actions:
                 # first of all
      -          - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [npm ci] }
                 # at the end
                 - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
      +          - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [npm ci] }
      +          - { name: Last, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.org }
      "
    `);
    expect(kept.emulator.journal.writes()).toEqual([]);
    const after = kept.text();
    expect(await kept.export()).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "workspace.yaml: nothing to change\n",
    });
    expect(kept.text()).toBe(after);
  });

  it("reports a placeholder with a different value, and one without a value", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE }, set);
    const qa = await kept.numberOf("/groups", "groups", "QA");
    await kept.edit("PATCH", `/groups/${qa}`, { name: "QA", description: "Hobby club" });
    const differs = await kept.export();
    expect(differs).toMatchObject({ code: 7, stdout: "" });
    expect(differs.stderr).toMatchInlineSnapshot(`
      "workspace.yaml: nothing was changed
      kept in the file: groups/QA description
        workspace.yaml:11:22 says \${env:QA}, which has another value: change it in the environment variable WORKSPACE_VAR_QA, or put the value into the file yourself
        the file's value is "Testers", the workspace's "Hobby club"
      "
    `);
    delete kept.person.env["WORKSPACE_VAR_QA"];
    delete kept.person.env["WORKSPACE_VAR_API_KEY"];
    const unset = await kept.export();
    expect(unset).toMatchObject({ code: 10, stdout: "" });
    expect(unset.stderr).toMatchInlineSnapshot(`
      "workspace.yaml: nothing to change
      Not compared (1 value):
        groups/QA description: workspace.yaml:11 says \${env:QA}, which has no value here
      "
    `);
    expect(kept.text()).toBe(FILE);
  });

  it("shows neither value if the file marks it as secret", async () => {
    const text = 'version: 1\nworkspace: acme\ngroups:\n  QA: { description: "${secret:env:QA}" }\n';
    const kept = await Kept.of({ "workspace.yaml": text }, { WORKSPACE_VAR_QA: "words-in-clear" });
    const qa = await kept.numberOf("/groups", "groups", "QA");
    await kept.edit("PATCH", `/groups/${qa}`, { name: "QA", description: "others-in-clear" });
    const { code, stderr } = await kept.export();
    expect(code).toBe(7);
    expect(stderr).toContain("the two values differ; they look like a secret, and are not shown");
    expect(stderr).not.toContain("in-clear");
  });

  it("leaves objects unchanged that are out of scope or could not be read", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE }, set);
    const tier = await kept.numberOf("/variables", "variables", "TIER", "key");
    await kept.edit("DELETE", `/variables/${tier}`);
    await kept.edit("POST", "/groups", { name: "Sales" });
    const deploy = await kept.numberOf("/projects/web/pipelines", "pipelines", "deploy");
    await kept.edit("DELETE", `/projects/web/pipelines/${deploy}`);
    expect(await kept.export("--kinds", "members")).toMatchObject({ code: 0, stdout: "" });
    kept.emulator.faults.add({
      kind: "status",
      method: "GET",
      path: "/workspaces/acme/projects/web/pipelines",
      status: 403,
    });
    kept.emulator.faults.add({
      kind: "status",
      method: "GET",
      path: "/workspaces/acme/variables",
      status: 403,
    });
    const ran = await kept.export("--kinds", "pipelines,variables");
    expect(ran).toMatchObject({ code: 10, stdout: "" });
    expect(ran.stderr).toContain("Not read, and unchanged in the file:");
    expect(kept.text()).toBe(FILE);
    expect(await kept.export("--kinds", "groups")).toMatchObject({ code: 0 });
    expect(kept.text()).toContain("Sales: {}");
    expect(kept.text()).toContain("TIER: '1'");
    expect(kept.text()).toContain("deploy:");
  });

  it("creates a file for a new project if each project has one, and deletes it with the project", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE }, set);
    const folder = join(kept.folder, "code");
    const split = () => kept.person.types(["export", "--split", folder]);
    expect(await split()).toMatchObject({ code: 0 });
    await kept.edit("POST", "/projects", { name: "api", display_name: "API: the one" });
    const ran = await split();
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout.replaceAll(folder, "code")).toMatchInlineSnapshot(`
      "code/workspace.yaml
      code/projects/api.yaml
      "
    `);
    expect(readFileSync(join(folder, "projects/api.yaml"), "utf8")).toMatchInlineSnapshot(`
      "projects:
        api:
          displayName: "API: the one"
      "
    `);
    expect(readFileSync(join(folder, "workspace.yaml"), "utf8")).toContain("- projects/api.yaml");
    expect(await split()).toMatchObject({ code: 0, stdout: "" });
    await kept.edit("DELETE", "/projects/api");
    expect(await split()).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, "projects"))).toEqual(["web.yaml"]);
    expect(readFileSync(join(folder, "workspace.yaml"), "utf8")).not.toContain("api");
    expect(await split()).toMatchObject({ code: 0, stdout: "" });
  });

  it("rejects an invalid file and that of another workspace, and replaces a file with --force", async () => {
    const kept = await Kept.of({ "workspace.yaml": FILE, "notes.txt": "hello\n" }, set);
    kept.write(FILE.replace("workspace: acme", "workspace: corp"));
    expect(await kept.export()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "declares the workspace corp, but the workspace that was read is acme",
      ) as string,
    });
    kept.write("groups: [1, 2]\n");
    const invalid = await kept.export();
    expect(invalid).toMatchObject({ code: 1 });
    expect(invalid.stderr).toContain("Correct it, choose another file, or add --force to replace it");
    expect(kept.emulator.journal.requests.length).toBeLessThan(30);
    expect(await kept.export("--force")).toMatchObject({ code: 0 });
    expect(kept.text()).toContain("Exported by workspacectl");
    expect(await kept.person.types(["export", "--dry-run"])).toMatchObject({ code: 1 });
  });

  it("changes an overlay if it contains the value", async () => {
    const overlay = "version: 1\nvariables:\n  REGION: eu-west # over there\n";
    const kept = await Kept.of({ "workspace.yaml": FILE, "workspace.eu.yaml": overlay }, set);
    const region = await kept.numberOf("/variables", "variables", "REGION", "key");
    await kept.edit("PATCH", `/variables/${region}`, { key: "REGION", value: "eu-north" });
    const aside = await kept.export("--dry-run");
    expect(aside.stderr).toContain("Overlays of workspace.yaml are ignored: choose one with --stack");
    expect(await kept.export("--stack", "eu")).toMatchObject({ code: 0, stdout: "workspace.eu.yaml\n" });
    expect(kept.text("workspace.eu.yaml")).toBe(overlay.replace("eu-west", "eu-north"));
    expect(kept.text()).toBe(FILE);
  });
});
