/**
 * Tests a workspace file with includes for two stacks on two services on the real engine, and the effect of removals
 * from the file.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
const API_KEY = "api-key-of-the-configuration";
const services: Record<string, Emulator> = {};

const documents = {
  "Pulumi.yaml": "name: acme\nruntime: nodejs\n",
  "workspace.yaml": `version: 1
include: [teams.yaml, templates.yaml]
defaults: { Pipeline: { refType: BRANCH, refName: main } }
members: { bob@example.com: {} }
variables:
  API_KEY: { value: "\${config:apiKey}", encrypted: true }
  REGION: us
  CLONE_URL: "git clone \${ref:projects/web.httpRepository}"
projects:
  web:
    pipelines:
      api: { template: service, with: { service: api } }
`,
  "teams.yaml": `version: 1
groups:
  QA: { description: Testers, members: [bob@example.com] }
  Retained: { retain: true }
  Gone: {}
  Elsewhere: { external: true }
`,
  "templates.yaml": `version: 1
templates:
  service:
    type: Pipeline
    parameters: { service: {}, node: { default: "22" } }
    entry:
      triggerMode: MANUAL
      actions:
        - { name: Test, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "\${param:node}", executeCommands: ["cd \${param:service}", "echo \${HOME}"] }
`,
  "workspace.eu.yaml": `version: 1
variables: { REGION: eu }
groups: { Gone: { $remove: true } }
projects: { web: { pipelines: { api: { with: { node: "20" } } } } }
`,
};

function write(file: keyof typeof documents, text: string = documents[file]): void {
  writeFileSync(join(folder, file), text);
}

function env(stack: string): NodeJS.ProcessEnv {
  const emulator = services[stack];
  if (!emulator) throw new Error(`no service for ${stack}`);
  return isolated(folder, {
    ...connected(emulator),
    ...stateIn(folder),
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
  });
}

const run = (stack: string, command: string, ...more: string[]) =>
  workspacectl([command, "-s", stack, ...more], folder, env(stack));

async function get<T>(stack: string, path: string): Promise<T> {
  return (await services[stack]!.edit({ method: "GET", path: `/workspaces/acme${path}` })).body as T;
}

interface Named {
  id: number;
  name: string;
  description: string | null;
}
const groups = async (stack: string) => (await get<{ groups: Named[] }>(stack, "/groups")).groups;
async function groupId(stack: string, name: string): Promise<number | undefined> {
  return (await groups(stack)).find((group) => group.name === name)?.id;
}
async function variables(stack: string): Promise<Record<string, string>> {
  const { variables: all } = await get<{ variables: { key: string; value: string }[] }>(stack, "/variables");
  return Object.fromEntries(all.map(({ key, value }) => [key, value]));
}

beforeAll(async () => {
  for (const file of Object.keys(documents)) write(file as keyof typeof documents);
  for (const stack of ["us", "eu"]) {
    services[stack] = await emulatorForTests();
    for (const name of ["Elsewhere", "Never declared"])
      await services[stack].edit({ method: "POST", path: "/workspaces/acme/groups", body: { name } });
    await pulumi(["stack", "init", stack], folder, env(stack));
    const value = `${API_KEY}-${stack}`;
    await pulumi(["config", "set", "--secret", "apiKey", value, "-s", stack], folder, env(stack));
  }
});

describe.sequential("one workspace file for two stacks", { timeout: 240_000 }, () => {
  it("is applied to both services, each with its overlay and its configuration", async () => {
    for (const stack of ["us", "eu"]) {
      const { code, stdout, stderr } = await run(stack, "up", "--create-stack", "--yes");
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout + stderr).not.toContain(API_KEY);
      const all = await variables(stack);
      expect(all).toMatchObject({ REGION: stack, API_KEY: expect.stringMatching(/^secure!/) as string });
      expect(all["CLONE_URL"]).toMatch(/^git clone http.*\/web/);
    }
    expect(await groupId("us", "Gone")).toBeDefined();
    expect(await groupId("eu", "Gone")).toBeUndefined();
  });

  it("does not change on a second up, and keeps the secret out of the state", async () => {
    for (const stack of ["us", "eu"]) {
      services[stack]!.journal.clear();
      expect((await run(stack, "up", "--yes")).stdout).toContain("No changes");
      expect(services[stack]!.journal.writes()).toEqual([]);
      const state = readFileSync(join(folder, "state/.pulumi/stacks/acme", `${stack}.json`), "utf8");
      expect(state).not.toContain(API_KEY);
    }
  });

  it("deletes removed objects, releases retained ones, renames in place, and leaves unmanaged ones unchanged", async () => {
    const qa = await groupId("us", "QA");
    write(
      "teams.yaml",
      "version: 1\ngroups:\n  Quality: { previously: [QA], description: Testers, members: [bob@example.com] }\n",
    );
    services["us"]!.journal.clear();
    const { code, stdout } = await run("us", "up", "--yes");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/○ group Retained/);
    expect(stdout).toMatch(/~ group Quality {2}\(was QA\)/);
    const left = (await groups("us")).map(({ name }) => name).toSorted();
    expect(left).toEqual(["Elsewhere", "Never declared", "Quality", "Retained"]);
    expect(await groupId("us", "Quality")).toBe(qa);
    const writes = services["us"]!.journal.writes().map(({ method }) => method);
    expect(writes.toSorted()).toEqual(["DELETE", "PATCH"]);
  });

  it("records protect when nothing else changes, so that it counts when the entry is gone", async () => {
    const quality = "Quality: { previously: [QA], description: Testers, members: [bob@example.com]";
    write("teams.yaml", `version: 1\ngroups:\n  ${quality}, protect: true }\n`);
    services["us"]!.journal.clear();
    const { code, stdout, stderr } = await run("us", "up", "--yes");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain("No changes");
    expect(stderr).toContain("The state now contains retain and protect as declared: 1 changed.");
    expect(services["us"]!.journal.writes()).toEqual([]);
    write("teams.yaml", "version: 1\ngroups: {}\n");
    const refused = await run("us", "up", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("protected-object");
    expect(await groupId("us", "Quality")).toBeDefined();
  });
});
