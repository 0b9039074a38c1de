/** Tests on the real engine that every command applies policies. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FILE, POLICY, policyWorld } from "./policy-world.js";
import { connected, emulatorForTests, workspacectl } from "./support.js";

const { folder, emulator, checkout, policy, file, env, run, writes } = await policyWorld();

describe.sequential("a policy", () => {
  const LETTERS = FILE.replaceAll("Letter", "Digit");
  const refusal = `acme/letters: The description of a group is not Letter (policy ${policy}). To allow it: Write Letter; no option overrides a policy`;
  const documents = join(folder, "documents.yaml");
  writeFileSync(
    documents,
    "version: 1\ndocumentRules:\n  acme/digits:\n    description: No digits.\n    remedy: Write Letter.\n    type: Group\n    require: object.description != 'Digit'\n",
  );

  const table: readonly [command: string, argv: readonly string[], expected: string][] = [
    ["validate", ["validate", "--policy", documents], "No digits. (policy"],
    ["lint", ["lint", "--policy", documents], "No digits. (policy"],
    ["preview", ["preview", "--strict-guards", "--policy", policy], "refused acme/letters"],
    ["up", ["up", "--yes", "--policy", policy], refusal],
    ["drift revert", ["drift", "revert", "groups/B", "--yes", "--policy", policy], refusal],
    [
      "destroy",
      ["destroy", "--yes", "--allow-delete", "**", "--policy", policy],
      `max-deletes: 5 objects would be deleted, and at most 2 may be (policy ${policy})`,
    ],
  ];

  it.each(table)("is applied by %s", async (_command, argv, expected) => {
    writeFileSync(file, LETTERS);
    const { code, stdout, stderr } = await run(...argv);
    expect(stdout + stderr).toContain(expected);
    expect(code).toBe(1);
    expect(writes()).toEqual([]);
  });

  it("is applied from the environment too", async () => {
    writeFileSync(file, LETTERS);
    const named = { ...env, WORKSPACE_AUTOMATION_POLICY: policy };
    const { code, stderr } = await workspacectl(["up", "--yes"], checkout, named);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) as string });
    expect(writes()).toEqual([]);
  });

  it("is applied by fleet preview, fleet up and the gates of a fleet, also when the fleet file adds it", async () => {
    writeFileSync(file, LETTERS);
    const fleet = join(checkout, "fleet.yaml");
    writeFileSync(fleet, "version: 1\nworkspaces:\n  us: { stack: dev }\n");
    for (const argv of [
      ["fleet", "preview", "fleet.yaml", "--", "--strict-guards"],
      ["fleet", "up", "fleet.yaml", "--yes"],
    ]) {
      const named = await run(...argv.slice(0, 3), "--policy", policy, ...argv.slice(3));
      expect(named.stderr).toContain("acme/letters");
      expect(named.code).toBe(1);
    }
    writeFileSync(join(checkout, "added.yaml"), POLICY);
    writeFileSync(fleet, "version: 1\npolicy: added.yaml\nworkspaces:\n  us: { stack: dev }\n");
    const added = await run("fleet", "up", "fleet.yaml", "--yes");
    expect(added.stderr).toContain("(policy added.yaml)");
    expect(added.code).toBe(1);
    writeFileSync(fleet, `version: 1\npolicy: ${policy}\nworkspaces:\n  us: { stack: dev }\n`);
    expect((await run("fleet", "preview", "fleet.yaml")).stderr).toContain("is outside of the checkout");
    rmSync(fleet);
    expect(writes()).toEqual([]);
  });

  it("of a fleet file is one of its author's guards: loosening it is red", async () => {
    const fleet = join(checkout, "fleet.yaml");
    const added = join(checkout, "added.yaml");
    writeFileSync(fleet, "version: 1\npolicy: added.yaml\nworkspaces:\n  us: { stack: dev }\n");
    writeFileSync(added, "version: 1\nguards: { maxDeletes: 1, requiredAdmins: [ann@example.com] }\n");
    expect(await run("fleet", "up", "fleet.yaml", "--yes")).toMatchObject({ code: 0 });
    writeFileSync(added, "version: 1\nguards: { maxDeletes: 2 }\n");
    const { stderr } = await run("fleet", "preview", "fleet.yaml");
    expect(stderr).toContain("maxDeletes: 1 → 2");
    expect(stderr).toContain("requiredAdmins: ann@example.com → (none)");
    rmSync(fleet);
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
  });

  it("is applied by replicate", async () => {
    const eu = await emulatorForTests();
    const both: NodeJS.ProcessEnv = { ...env };
    for (const [name, at] of [
      ["US", emulator],
      ["EU", eu],
    ] as const) {
      const { WORKSPACE_AUTOMATION_BASE_URL, WORKSPACE_AUTOMATION_TOKEN } = connected(at);
      both[`WORKSPACE_AUTOMATION_${name}_BASE_URL`] = WORKSPACE_AUTOMATION_BASE_URL;
      both[`WORKSPACE_AUTOMATION_${name}_TOKEN`] = WORKSPACE_AUTOMATION_TOKEN;
      both[`WORKSPACE_AUTOMATION_${name}_DOMAIN`] = "acme";
    }
    delete both["WORKSPACE_AUTOMATION_BASE_URL"];
    delete both["WORKSPACE_AUTOMATION_TOKEN"];
    writeFileSync(file, LETTERS);
    const { code, stderr } = await workspacectl(
      ["replicate", "--from", "us", "--to", "eu", "--yes", "--policy", policy],
      checkout,
      both,
    );
    expect(stderr).toContain(refusal);
    expect(code).toBe(1);
    expect(eu.journal.writes()).toEqual([]);
  });

  it("counts only the options of up itself, not those of a saved plan", async () => {
    const plan = join(folder, "named.json");
    writeFileSync(file, FILE.replace(/permissionSets:\n.*\n/, ""));
    const naming = ["--allow-delete", "permissionSets/devs"];
    expect(
      await run("preview", "--save-plan", plan, "--strict-guards", "--policy", policy, ...naming),
    ).toMatchObject({
      code: 0,
    });
    const { code, stderr } = await run("up", "--yes", "--plan", plan, "--policy", policy);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("To allow it: --allow-delete") as string,
    });
    expect(writes()).toEqual([]);
    expect(await run("up", "--yes", "--plan", plan, "--policy", policy, ...naming)).toMatchObject({
      code: 0,
    });
    writeFileSync(file, FILE);
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
  });

  it("of the checkout is refused, and leaves nothing half done", async () => {
    writeFileSync(join(checkout, "policy.yaml"), POLICY);
    const { code, stderr } = await run("up", "--yes", "--policy", "policy.yaml");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is in the same checkout as the workspace file") as string,
    });
  });
});
