/** Tests exports to existing files that use defaults, templates, anchors and other forms of the language. */
import { describe, expect, it } from "vitest";
import { Kept } from "./kept.js";

const pipeline = "triggerMode: MANUAL, refType: BRANCH, refName: main";

describe("export to an existing file", () => {
  it("overrides defaults in new entries if their values differ", async () => {
    const kept = await Kept.of({
      "workspace.yaml": `version: 1
defaults:
  Group: { description: Usual }
  Pipeline: { refType: BRANCH, refName: develop, alwaysFromScratch: true }
groups:
  QA: {}
projects:
  web:
    pipelines:
      deploy: { triggerMode: MANUAL }
`,
    });
    await kept.edit("POST", "/groups", { name: "Sales" });
    await kept.edit("POST", "/groups", { name: "Ops", description: "Usual" });
    await kept.edit("POST", "/projects/web/pipelines", {
      name: "tidy",
      trigger_mode: "MANUAL",
      ref_type: "BRANCH",
      ref_name: "main",
    });
    const ran = await kept.export();
    expect(ran.stderr).toMatchInlineSnapshot(`
      "workspace.yaml: 3 added
        added: groups/Ops, groups/Sales, projects/web/pipelines/tidy
      If the file has a stack, run "workspacectl refresh", then "workspacectl import" for what is new
      "
    `);
    expect(kept.text()).toMatchInlineSnapshot(`
      "version: 1
      defaults:
        Group: { description: Usual }
        Pipeline: { refType: BRANCH, refName: develop, alwaysFromScratch: true }
      groups:
        QA: {}
        Ops: { description: Usual }
        Sales: { description: null }
      projects:
        web:
          pipelines:
            deploy: { triggerMode: MANUAL }
            tidy: { triggerMode: MANUAL, refType: BRANCH, refName: main, alwaysFromScratch: false }
      "
    `);
    expect(ran).toMatchObject({ code: 0 });
    expect(await kept.export()).toMatchObject({ code: 0, stdout: "" });
  });

  it("changes an entry's own text, and refuses to change shared text", async () => {
    const kept = await Kept.of({
      "workspace.yaml": `version: 1
templates:
  usual:
    type: Pipeline
    entry: { ${pipeline}, alwaysFromScratch: true }
groups:
  QA: &team
    description: shared
  Ops: *team
projects:
  web:
    pipelines:
      deploy: { template: usual }
      tidy: { template: usual }
`,
    });
    const qa = await kept.numberOf("/groups", "groups", "QA");
    await kept.edit("PATCH", `/groups/${qa}`, { name: "QA", description: "its own" });
    const deploy = await kept.numberOf("/projects/web/pipelines", "pipelines", "deploy");
    await kept.edit("PATCH", `/projects/web/pipelines/${deploy}`, { ref_name: "develop" });
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 7 });
    expect(ran.stderr).toMatchInlineSnapshot(`
      "workspace.yaml: 1 changed
        changed: projects/web/pipelines/deploy
      These now set their own value instead of the value from a template, defaults or an alias: projects/web/pipelines/deploy
      If the file has a stack, run "workspacectl refresh"
      kept in the file: groups/QA description
        the text is shared by an anchor, a template or defaults: groups.Ops.description would change too
        the file's value is "shared", the workspace's "its own"
      "
    `);
    expect(kept.text()).toMatchInlineSnapshot(`
      "version: 1
      templates:
        usual:
          type: Pipeline
          entry: { triggerMode: MANUAL, refType: BRANCH, refName: main, alwaysFromScratch: true }
      groups:
        QA: &team
          description: shared
        Ops: *team
      projects:
        web:
          pipelines:
            deploy: { template: usual, refName: develop }
            tidy: { template: usual }
      "
    `);
  });

  it("keeps the key of an object that was renamed outside, and a pending rename of the file", async () => {
    const kept = await Kept.of({
      "workspace.yaml": `version: 1
projects:
  web:
    pipelines:
      deploy: # the important one
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
groups: { QA: {} }
`,
    });
    const deploy = await kept.numberOf("/projects/web/pipelines", "pipelines", "deploy");
    await kept.edit("PATCH", `/projects/web/pipelines/${deploy}`, { name: "release" });
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(kept.text()).toMatchInlineSnapshot(`
      "version: 1
      projects:
        web:
          pipelines:
            deploy: # the important one
              name: release
              triggerMode: MANUAL
              refType: BRANCH
              refName: main
              actions:
                - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
      groups: { QA: {} }
      "
    `);
    const qa = await kept.numberOf("/groups", "groups", "QA");
    await kept.edit("DELETE", `/groups/${qa}`);
    await kept.edit("POST", "/groups", { name: "Sales" });
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(kept.text()).toContain("groups: { Sales: {} }");
    kept.write(kept.text().replace("Sales: {}", "Testers: { previously: [Sales] }"));
    const before = kept.text();
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 7, stdout: "" });
    expect(ran.stderr).toMatchInlineSnapshot(`
      "workspace.yaml: nothing was changed
      kept in the file: groups/Testers: the file renames it, but in the workspace it is still "Sales" (workspace.yaml:12)
      "
    `);
    expect(kept.text()).toBe(before);
  });

  it("updates the member list of an exclusive group, and adds to an external project only on request", async () => {
    const kept = await Kept.of({
      "workspace.yaml": `version: 1
members: { ann@example.com: {}, bob@example.com: {}, eve@example.com: {} }
groups:
  QA:
    exclusive: true
    members: [bob@example.com, ann@example.com] # both of them
projects:
  web:
    external: true
    pipelines:
      deploy: { ${pipeline} }
`.replace("    external: true\n", ""),
    });
    kept.write(kept.text().replace("  web:\n", "  web:\n    external: true\n"));
    const qa = await kept.numberOf("/groups", "groups", "QA");
    const id = (email: string) => kept.numberOf("/members", "members", email, "email");
    await kept.edit("DELETE", `/groups/${qa}/members/${await id("ann@example.com")}`);
    await kept.edit("POST", `/groups/${qa}/members`, { id: await id("eve@example.com") });
    await kept.edit("POST", "/projects/web/pipelines", {
      name: "tidy",
      trigger_mode: "MANUAL",
      ref_type: "BRANCH",
      ref_name: "main",
    });
    const before = kept.text();
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(kept.text()).toBe(
      before.replace("[bob@example.com, ann@example.com]", "[bob@example.com, eve@example.com]"),
    );
    expect(await kept.export("--project", "web")).toMatchObject({ code: 0 });
    expect(kept.text()).toContain("tidy:");
    for (const person of ["bob@example.com", "eve@example.com"])
      await kept.edit("DELETE", `/groups/${qa}/members/${await id(person)}`);
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(kept.text()).toContain("members: [] # both of them");
  });

  it("marks a secret that the service stores unencrypted as such, as in a new file", async () => {
    const kept = await Kept.of({ "workspace.yaml": "version: 1\nvariables:\n  REGION: us-east\n" });
    await kept.edit("POST", "/variables", { key: "API_TOKEN", value: "in-clear" });
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 0 });
    expect(kept.text()).not.toContain("in-clear");
    expect(kept.text()).toMatchInlineSnapshot(`
      "version: 1
      variables:
        REGION: us-east
        # lint-ignore: unencrypted-secret -- exported as it is in the service
        API_TOKEN: "\${secret:env:API_TOKEN}"
      "
    `);
    expect(await kept.export()).toMatchObject({ code: 0, stdout: "" });
  });

  it("removes what the service never shows once another value forbids it, and asks for what one requires", async () => {
    const kept = await Kept.of(
      {
        "workspace.yaml": `version: 1
projects:
  web:
    pipelines:
      nightly: { triggerMode: SCHEDULED, cron: "0 2 * * *", cronUpdates: patch, refType: BRANCH, refName: main }
      deploy:
        ${pipeline.replaceAll(", ", "\n        ")}
        actions:
          - name: Restart
            triggerTime: ON_EVERY_EXECUTION
            type: SSH_COMMAND
            authenticationMode: PASS
            host: vm.example.com
            port: 22
            login: deploy
            password: "\${env:SSH_PASSWORD}"
            commands: [systemctl restart web]
`,
      },
      { SSH_PASSWORD: "made-up" },
    );
    const pipelines = "/projects/web/pipelines";
    const id = (name: string) => kept.numberOf(pipelines, "pipelines", name);
    await kept.edit("PATCH", `${pipelines}/${await id("nightly")}`, { trigger_mode: "MANUAL" });
    const actions = `${pipelines}/${await id("deploy")}/actions`;
    await kept.edit("DELETE", `${actions}/${await kept.numberOf(actions, "actions", "Restart")}`);
    await kept.edit("POST", actions, {
      ...{ name: "Restart", trigger_time: "ON_EVERY_EXECUTION", type: "BUILD" },
      ...{ container_image_name: "node", container_image_tag: "22", execute_commands: ["npm test"] },
    });
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(kept.text()).toMatchInlineSnapshot(`
      "version: 1
      projects:
        web:
          pipelines:
            nightly: { triggerMode: MANUAL, cronUpdates: patch, refType: BRANCH, refName: main }
            deploy:
              triggerMode: MANUAL
              refType: BRANCH
              refName: main
              actions:
                - name: Restart
                  triggerTime: ON_EVERY_EXECUTION
                  type: BUILD
                  containerImageName: node
                  containerImageTag: "22"
                  executeCommands: [npm test]
      "
    `);
    expect(await kept.export()).toMatchObject({ code: 0, stdout: "" });
    const start = { start_date: "2026-01-31T08:00:00Z", delay: 1440 };
    await kept.edit("PATCH", `${pipelines}/${await id("nightly")}`, { trigger_mode: "SCHEDULED", ...start });
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain("WORKSPACE_VAR_WEB_NIGHTLY_CRON  projects/web/pipelines/nightly: cron");
    expect(kept.text()).toContain('cron: "${env:WEB_NIGHTLY_CRON}"');
  });

  it("finds nothing to change in a handwritten file that was applied", async () => {
    const kept = await Kept.of({}, {}, "examples/quickstart");
    const before = kept.text();
    const ran = await kept.export();
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "workspace.yaml: nothing to change\n" });
    expect(kept.text()).toBe(before);
  });
});
