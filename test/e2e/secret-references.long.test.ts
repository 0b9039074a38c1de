/** Attacks by references to secrets, on the real command: texts that are spliced, and states that refer to secrets. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { chooseStories } from "../stories.js";
import { type Ended, type Setup, setUp, workspacectl } from "./support.js";

vi.setConfig({ testTimeout: 300_000 });

const passphrase = "planted-passphrase";
const secrets = {
  ...{ PULUMI_CONFIG_PASSPHRASE: passphrase, AWS_SECRET_ACCESS_KEY: "planted-aws" },
  WORKSPACE_VAR_HARMLESS: "harmless",
};
const file = (command: string) => `version: 1
workspace: acme
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: [${JSON.stringify(command)}]
`;

const run = ({ folder, env }: Setup, ...argv: string[]): Promise<Ended> =>
  workspacectl(argv, folder, { ...env, ...secrets });

describe("a text that makes a reference only when its parts are joined", () => {
  it("arrives as it is", async () => {
    const spliced =
      "${env:NOPE:-$}{secret:env:PULUMI_CONFIG_PASSPHRASE} ${env:NOPE:-$}{secret:file:/etc/hostname}";
    const setup = await setUp(file(`echo ${spliced} \${secret:env:HARMLESS}`));
    const { code, stdout, stderr } = await run(setup, "up", "--yes", "--stack", "dev", "--create-stack");
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
    const { pipelines } = await setup.get<{ pipelines: { id: number }[] }>("/projects/web/pipelines");
    const { actions } = await setup.get<{ actions: { execute_commands: string[] }[] }>(
      `/projects/web/pipelines/${pipelines[0]!.id}/actions`,
    );
    expect(actions[0]?.execute_commands).toEqual([
      "echo ${secret:env:PULUMI_CONFIG_PASSPHRASE} ${secret:file:/etc/hostname} harmless",
    ]);
    expect(stdout + stderr).not.toContain(passphrase);
    const again = await run(setup, "preview", "--stack", "dev");
    expect(again.stdout).toContain("No changes");
  });
});

describe("a state that refers to secrets", () => {
  it.each(chooseStories(["structure", "template"], 1))("opens none of them: %s", async (form) => {
    const setup = await setUp(file("echo"));
    const created = await run(setup, "up", "--yes", "--stack", "dev", "--create-stack");
    expect({ code: created.code, output: created.code === 0 ? "" : created.stderr }).toEqual({
      code: 0,
      output: "",
    });
    const { stdout } = await run(
      setup,
      "pulumi",
      "--",
      "stack",
      "export",
      "--show-secrets",
      "--stack",
      "dev",
    );
    const state = JSON.parse(stdout) as {
      deployment: { resources: { inputs?: Record<string, unknown>; outputs?: Record<string, unknown> }[] };
    };
    const origins = ["env:PULUMI_CONFIG_PASSPHRASE", "env:AWS_SECRET_ACCESS_KEY", "file:/proc/self/environ"];
    for (const { inputs = {}, outputs = {} } of state.deployment.resources)
      for (const props of [inputs, outputs]) {
        const names = Object.keys(props).filter(
          (name) => typeof props[name] === "string" && name !== "__provider",
        );
        if (!("__provider" in props)) continue;
        const references = names.map((name, index) => {
          const [origin, from] = (origins[index % origins.length] ?? "").split(":");
          props[name] = form === "template" ? `\${secret:${origin}:${from}}` : "[secret]";
          return [name, [{ at: [], offset: 0, origin, name: from }]] as const;
        });
        props["__secretReferences"] = form === "template" ? names : Object.fromEntries(references);
      }
    const path = join(setup.folder, "hostile.json");
    writeFileSync(path, JSON.stringify(state));
    const imported = await run(setup, "pulumi", "--", "stack", "import", "--stack", "dev", "--file", path);
    expect({ code: imported.code, output: imported.code === 0 ? "" : imported.stderr }).toEqual({
      code: 0,
      output: "",
    });
    setup.emulator.journal.clear();
    const said = [];
    for (const argv of [["preview"], ["drift"], ["refresh"], ["up", "--yes"], ["destroy", "--yes"]])
      said.push(await run(setup, ...argv, "--stack", "dev"));
    const requests = setup.emulator.journal.requests.map(({ path: to, query }) =>
      decodeURIComponent(`${to}?${query}`),
    );
    expect(requests.length).toBeGreaterThan(0);
    expect(JSON.stringify([said, requests])).not.toMatch(/planted-|PATH=/);
  });
});
