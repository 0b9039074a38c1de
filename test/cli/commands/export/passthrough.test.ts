/** Tests that actions of unknown types are exported without loss, and in a form that is valid in another account. */
import { describe, expect, it } from "vitest";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { Engine } from "../../../provider/engine.js";
import { emulated, personAt } from "../../service-support.js";
import { apply } from "./apply.js";

const PIPELINE = `version: 1
projects:
  web:
    pipelines:
      scan: { triggerMode: MANUAL, refType: BRANCH, refName: main }
`;

const scan = {
  name: "Scan",
  type: "CUSTOM_SCAN",
  trigger_time: "ON_EVERY_EXECUTION",
  scan_target: "src",
  report: { url: "https://here/1", html_url: "https://here/1.html", id: 7, format: "html" },
};

/** Creates a pipeline with an action that was added by hand. */
async function withAction(more: object) {
  const emulator = await emulated({ echoMemberEmail: true });
  await apply(emulator, readDeclarations("-", { stdin: () => PIPELINE }).declarations);
  const pipelines = "/workspaces/acme/projects/web/pipelines";
  const listed = await emulator.edit({ method: "GET", path: pipelines });
  const [pipeline] = (listed.body as { pipelines: { id: number }[] }).pipelines;
  const path = `${pipelines}/${pipeline?.id}/actions`;
  const body = { ...scan, ...more };
  const made = (await emulator.edit({ method: "POST", path, body })).body as { id: number };
  return { emulator, pipeline: Number(pipeline?.id), id: made.id, path: `${path}/${made.id}` };
}

async function integrationOf(emulator: Awaited<ReturnType<typeof emulated>>) {
  const { body } = await emulator.edit({ method: "GET", path: "/user/integrations" });
  const [first] = (body as { integrations: { id: number; name: string }[] }).integrations;
  return first!;
}

describe("the export of an action of an unknown type", () => {
  it("names its integration, and omits the addresses that the service adds", async () => {
    const { emulator: other } = await withAction({});
    const { id, name } = await integrationOf(other);
    const { emulator } = await withAction({ integration: { id } });
    const { code, stdout } = await personAt(emulator).types(["export"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`integration: ${name}\\n`));
    expect(stdout).toMatch(
      /fields:\n\s+report:\n\s+format: html\n\s+id: 7\n\s+scan_target: src\n|fields:\n\s+scan_target: src\n\s+report:\n\s+id: 7\n\s+format: html\n/,
    );
    expect(stdout).not.toMatch(/html_url|integration:\n/);
  });

  it("omits an action with a secret number, and says why, but not one with a number of tokens", async () => {
    const { emulator } = await withAction({ max_tokens: 4096, webhook_retries: 3 });
    const counted = await personAt(emulator).types(["export"]);
    expect(counted.code).toBe(0);
    expect(counted.stdout).toMatch(/max_tokens: 4096\n/);

    const { emulator: other } = await withAction({ door: { password: 4711 } });
    const { code, stdout, stderr } = await personAt(other).types(["export"]);
    expect(code).toBe(10);
    expect(stderr).toContain(
      "a secret in it is a number, but the value of a placeholder is a string: change it to a string in the service",
    );
    expect(stdout + stderr).not.toContain("4711");
  });

  it("preserves the properties of an integration without a number", async () => {
    const { emulator } = await withAction({ integration: { identifier: "agent-main" } });
    const { stdout } = await personAt(emulator).types(["export"]);
    expect(stdout).toMatch(/fields:\n(?:\s+.*\n)*\s+integration:\n\s+identifier: agent-main\n/);
  });
});

describe("a change of one field", () => {
  it("leaves all other fields and the integration unchanged", async () => {
    const { emulator: other } = await withAction({});
    const { id, name } = await integrationOf(other);
    const { emulator, pipeline, path } = await withAction({ integration: { id } });
    const engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
    const args = {
      project: "web",
      pipeline,
      name: "Scan",
      type: "CUSTOM_SCAN",
      triggerTime: "ON_EVERY_EXECUTION",
      integration: name,
      adopt: true,
    };
    const fields = { scan_target: "src", report: { id: 7, format: "html" } };
    await engine.run(async () => {
      const state = await engine.create("Action", { ...args, fields });
      expect(await engine.diff(state, { ...args, fields })).toMatchObject({ changes: false });
      // A field that is changed by hand at the same time is not sent, and so not overwritten.
      await emulator.edit({ method: "PATCH", path, body: { report: { ...scan.report, format: "pdf" } } });
      await engine.up(state, { ...args, fields: { ...fields, scan_target: "lib" } });
    });
    const { body } = await emulator.edit({ method: "GET", path });
    expect(body).toMatchObject({
      scan_target: "lib",
      report: { ...scan.report, format: "pdf" },
      integration: { id, name },
    });
  });
});

describe("an integration that is declared twice", () => {
  it("is rejected", () => {
    const text = `${PIPELINE}        actions:
          - { name: Scan, type: CUSTOM_SCAN, triggerTime: ON_EVERY_EXECUTION, integration: a, fields: { integration: { id: 1 } } }
`.replace(
      "{ triggerMode: MANUAL, refType: BRANCH, refName: main }",
      "\n        triggerMode: MANUAL\n        refType: BRANCH\n        refName: main",
    );
    expect(() => readDeclarations("-", { stdin: () => text })).toThrow(/contains an integration, too/);
  });
});
