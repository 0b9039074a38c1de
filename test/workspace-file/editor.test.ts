/**
 * Tests editor support with a real YAML language server over stdio, which finds our schema through the first
 * line of a file.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompletionItem } from "vscode-languageserver-protocol/node.js";
import { actionTypes } from "../../resources/action-types/action-types.js";
import { draft07Of, inDraft07 } from "../../scripts/draft-07.mjs";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { LanguageServer } from "./language-server.js";

const folder = temporaryFolder();
let server: LanguageServer;
beforeAll(async () => {
  server = await LanguageServer.start();
});
afterAll(() => server.stop());

const pipeline = (rest: string) => `version: 1
projects:
  web:
    pipelines:
      deploy:
        triggerMode: ON_EVERY_PUSH
        refName: main
${rest.replaceAll(/^/gm, "        ")}
`;
const action = (rest: string) => pipeline(`actions:\n  - name: Step\n${rest.replaceAll(/^/gm, "    ")}`);

const labels = (items: readonly CompletionItem[]) => [...new Set(items.map(({ label }) => label))].sort();
const common = ["runOnlyOnFirstFailure", "triggerTime", "adopt", "variables"];
const words = ["action", "key", "retain", "previously", "protect", "ignoreChanges", "template", "with"];

/** Returns the path of a schema; one in draft-07 is made as the build makes it. */
function schemaFile(name: string): string {
  const from = inDraft07.find(([, to]) => to === name)?.[0];
  if (from === undefined) return `schema/${name}`;
  return fileIn(folder, name, draft07Of(readFileSync(`schema/${from}`, "utf8")));
}

describe.each(["workspace.schema.json", "workspace.draft-07.schema.json"])("with %s, an editor", (name) => {
  const schema = schemaFile(name);
  const offered = async (text: string) => (await server.open(schema, text)).completions();
  const shown = async (text: string) => (await server.open(schema, text)).hover();
  const underlined = async (text: string) => (await server.open(schema, text)).diagnostics();

  it.each(["BUILD", "PING", "SMS", "AGENT"] as const)(
    "offers exactly the arguments of a %s action",
    async (type) => {
      const own = Object.keys(actionTypes[type].args).filter((arg) => arg !== "type");
      expect(labels(await offered(action(`type: ${type}\n|`)))).toEqual(
        [...new Set([...own, ...common, ...words])].sort(),
      );
    },
  );

  it("offers the arguments of the selected authentication mode", async () => {
    const items = labels(await offered(action("type: PUSH\ngitAuthMode: ENV_KEY\n|")));
    expect(items).toContain("envKey");
    expect(items).not.toContain("serverKey");
    expect(labels(await offered(action("type: PUSH\ngitAuthMode: |")))).toEqual(["ENV_KEY", "PRIVATE_KEY"]);
  });

  it("offers the values of an enumeration with their descriptions", async () => {
    const types = await offered(action("type: |"));
    expect(labels(types)).toEqual(
      [
        "AGENT",
        "BUILD",
        "CHAT",
        "CLOUD_VM",
        "HTTP",
        "PING",
        "PLATFORM_CLI",
        "PUSH",
        "SMS",
        "SSH_COMMAND",
      ].sort(),
    );
    const build = types.find(({ label }) => label === "BUILD");
    expect(build?.documentation).toBe("Runs commands in a container.");
    const times = await offered(action("type: AGENT\ntriggerTime: |"));
    expect(times.find(({ label }) => label === "ON_WARNING")?.documentation).toBe(
      "Only when the run ends with a warning.",
    );
    expect(labels(await offered(action("type: BUILD\ntriggerTime: |")))).not.toContain("ON_WARNING");
  });

  it("offers new entries with their required arguments", async () => {
    const items = await offered(pipeline("actions:\n  - |"));
    const ping = items.find(({ label }) => label === "PING action");
    expect(ping?.documentation).toBe("Checks that a host responds.");
    expect(ping?.insertText).toMatch(
      /type: PING[^]*triggerTime: \$\{\d:ON_EVERY_EXECUTION\}[^]*destination: \$\{/,
    );
    const [deploy] = await offered("version: 1\nprojects:\n  web:\n    pipelines:\n      deploy: |\n");
    expect(deploy?.insertText).toBe("\n  triggerMode: ${1:MANUAL}\n  refName: ${2:main}");
  });

  it("offers the sections and keywords of a file, and the values of booleans", async () => {
    expect(labels(await offered("version: 1\n|"))).toEqual(
      [
        ...["adopt", "connection", "defaults", "engine", "groups", "guards", "include", "members", "owns"],
        ...["permissionSets", "projects", "stack", "templates", "variables", "workspace"],
      ].sort(),
    );
    expect(labels(await offered(pipeline("autoClearCache: |")))).toEqual(["false", "true"]);
    expect(labels(await offered("version: 1\ndefaults:\n  |"))).toContain("Pipeline");
    expect(labels(await offered("version: 1\ndefaults:\n  Action:\n    |"))).toContain("containerImageTag");
  });

  it("describes a property with its values and an example", async () => {
    const image = await shown(action("type: BUILD\ncontainerImage|Name: node"));
    expect(image).toContain("Container image name");
    expect(image).toContain("Name of the container image in which the commands run.");
    expect(image).toContain("node");
    const mode = await shown(pipeline("").replace("triggerMode", "trigger|Mode"));
    expect(mode).toContain("What starts a run.");
    expect(mode).toContain("`MANUAL`: Runs only when a user or a program starts it.");
    expect(await shown("version: 1\nproj|ects: {}\n")).toContain("A map by name.");
  });

  it("reports a misspelled key, an invalid value, a wrong type and a missing property", async () => {
    const wrong = action(
      "type: BUILD\ntriggerTime: ON_FAILUR\ncontainerImageNam: node\ncontainerImageTag: 22\nexecuteCommands: [a]",
    );
    const told = (await underlined(wrong)).join("\n");
    expect(told).toContain("containerImageNam: Property containerImageNam is not allowed.");
    expect(told).toContain('ON_FAILUR: Value is not accepted. Valid values: "ON_EVERY_EXECUTION"');
    expect(told).toContain('22: Incorrect type. Expected "string".');
    expect(told).toContain('Missing property "containerImageName".');
    expect(await underlined(pipeline("delay: often"))).toEqual(["often: Expected a whole number."]);
    expect(await underlined("version: 1\nprojects: { web: { external: true, displayName: Web } }\n")).toEqual(
      ["displayName: Property displayName is not allowed."],
    );
  });

  it.each([["test/workspace-file/sample.yaml"], ["examples/quickstart/workspace.yaml"]])(
    "reports nothing in %s",
    async (file) => {
      expect(await underlined(readFileSync(file, "utf8").replaceAll("|", "/"))).toEqual([]);
    },
  );

  it("reports nothing missing that placeholders, anchors, templates, defaults or other files may supply", async () => {
    const template = `version: 1
include: [teams/*.yaml]
x-image: &image { containerImageName: node, containerImageTag: "22" }
defaults:
  Pipeline: { refType: BRANCH, refName: main }
  Action: { containerImageName: node, triggerTime: ON_EVERY_EXECUTION }
templates:
  node-service:
    type: Pipeline
    description: Builds and tests a service.
    parameters:
      service: { description: Name of the service }
      node: { default: "22", enum: ["20", "22"] }
      clear:
    entry:
      triggerMode: "\${param:mode}"
      autoClearCache: "\${param:clear}"
      delay: "\${param:minutes}"
      actions:
        - { name: Test, type: BUILD, executeCommands: "\${param:commands}" }
        - { template: notify }
  notify: { type: Action, entries: [{ name: Tell, type: CHAT, content: done }] }
projects:
  web:
    pipelines:
      api: { template: node-service, with: { service: api }, refName: release }
      nightly:
        triggerMode: "\${env:MODE:-MANUAL}"
        actions:
          - { <<: *image, name: Build, type: BUILD, executeCommands: [npm test] }
  docs: { external: true, pipelines: { site: { triggerMode: MANUAL } } }
`;
    expect(await underlined(template)).toEqual([]);
    // Without defaults or other files, only entries with a template may omit properties.
    const alone = template.replace(/^include.*\n/m, "").replace(/^defaults:\n(?: .*\n)+/m, "");
    expect((await underlined(alone)).join("\n")).toContain('Missing property "refName".');
  });
});

describe.each(["overlay.schema.json", "overlay.draft-07.schema.json"])("with %s, an editor", (name) => {
  const schema = schemaFile(name);
  const open = (text: string) => server.open(schema, text);

  it("reports nothing missing in an overlay", async () => {
    const overlay = `connection: eu
x-note: anything
variables: { REGION: eu-west, OLD: { $remove: true } }
groups: { QA: { members: { $add: [dan@example.com], $remove: [bob@example.com] } } }
projects:
  web:
    displayName: null
    pipelines:
      deploy:
        cron: { $remove: true }
        variables: { $replace: true, TIER: "2" }
        actions:
          - { name: Build, containerImageTag: "20", executeCommands: { $add: [npm run check] } }
          - { name: Scan, type: BUILD, executeCommands: [scan], $after: Build }
          - { key: tell, $remove: true }
  legacy:
`;
    expect(await (await open(overlay)).diagnostics()).toEqual([]);
  });

  it("offers the keywords of overlays, and the usual arguments", async () => {
    const items = labels(
      await (
        await open(
          "projects:\n  web:\n    pipelines:\n      deploy:\n        actions:\n          - name: A\n            |\n",
        )
      ).completions(),
    );
    expect(items).toEqual(
      expect.arrayContaining(["$remove", "$replace", "$after", "$before", "destination"]),
    );
  });

  it("reports a misspelled key and an invalid value, and describes a keyword", async () => {
    const text = "projects: { web: { pipelines: { deploy: { triggerMode: SOMETIMES, refNam: x } } } }\n";
    const told = (await (await open(text)).diagnostics()).join("\n");
    expect(told).toContain("SOMETIMES: Value is not accepted.");
    expect(told).toContain("refNam: Property refNam is not allowed.");
    expect(await (await open("projects: { web: { $rem|ove: true } }\n")).hover()).toContain(
      "Removes this from the workspace file, where it must exist.",
    );
  });
});
