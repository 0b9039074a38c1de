/**
 * Tests a missing stack with an existing workspace: nothing is created by accident, and existing objects are reported
 * first.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

interface Step {
  readonly operation: string;
  readonly name: string;
  readonly changes: readonly { readonly path: string; readonly before: string; readonly after: string }[];
}

describe("a missing stack", () => {
  it("is created only on request, and not while names are in use", { timeout: 400_000 }, async () => {
    const emulator = await emulatorForTests();
    const folder = temporaryFolder();
    const env = isolated(temporaryFolder(), connected(emulator));
    const run = (...argv: string[]) => workspacectl(argv, folder, env);
    const save = (groups: string) =>
      writeFileSync(join(folder, "workspace.yaml"), `version: 1\nworkspace: acme\ngroups:\n${groups}`);
    const files = () => readdirSync(folder).sort();
    save("  QA: { description: Testers }\n  Ops: {}\n");
    await emulator.edit({
      method: "POST",
      path: "/workspaces/acme/groups",
      body: { name: "QA", description: "Hobby club" },
    });
    const writes = () => emulator.journal.requests.filter(({ method }) => method !== "GET").length;
    const before = writes();

    const looked = await run("preview", "-s", "typo");
    expect(looked.stderr).toContain("Stack typo (named with --stack) does not exist yet");
    expect(looked.stdout).toContain("Plan: 2 to create");
    expect(looked.stdout).toMatch(/exists 1 of the 2 objects to create already exists in workspace acme/);
    expect(looked.stdout).toMatch(/groups\/QA: group "QA" \(\d+\)/);
    expect(looked.stdout).toContain("Is typo the right stack?");
    expect(looked.stdout).toContain("workspacectl import");
    expect(looked.stdout).toContain("adopt: true");
    expect(looked.code).toBe(0);
    expect(files()).toEqual(["workspace.yaml"]);

    const mistyped = await run("up", "-s", "typo", "--yes");
    expect(mistyped.code).toBe(1);
    expect(mistyped.stderr).toContain('create it with "workspacectl up --create-stack --stack typo"');
    expect(files()).toEqual(["workspace.yaml"]);

    const refused = await run("up", "--yes", "--create-stack", "--receipt", "receipt.json");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      "refused, nothing was changed: 1 of the 2 objects to create already exists in workspace",
    );
    expect(refused.stderr).toContain('groups/QA: group "QA"');
    expect(files()).toEqual(["receipt.json", "workspace.yaml"]);
    expect(writes()).toBe(before);

    save("  QA: { description: Testers, adopt: true }\n  Ops: {}\n");
    const plan = JSON.parse((await run("preview", "--json")).stdout) as {
      plan: { steps: readonly Step[] };
      taken: { objects: unknown[] };
    };
    expect(plan.taken.objects).toEqual([]);
    expect(plan.plan.steps.map(({ operation, name }) => `${operation} ${name}`)).toEqual([
      "create groups/Ops",
      "adopt groups/QA",
    ]);
    expect(plan.plan.steps[1]?.changes).toEqual([
      { path: "description", pathParts: ["description"], before: "Hobby club", after: "Testers" },
    ]);

    const saved = await run("preview", "--out", "plan.json");
    expect(saved.code, saved.stderr).toBe(0);
    expect(existsSync(join(folder, ".pulumi-state"))).toBe(false);
    const done = await run(
      "up",
      "--yes",
      "--create-stack",
      "--plan",
      "plan.json",
      "--receipt",
      "receipt.json",
    );
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/Done: 1 created, 0 updated, 0 deleted, 1 adopted/);
    const receipt = JSON.parse(readFileSync(join(folder, "receipt.json"), "utf8")) as { counts: object };
    expect(receipt.counts).toEqual({ create: 1, adopt: 1 });
    expect((await run("preview")).stdout).toContain("No changes");

    const other = await run("preview", "-s", "other");
    expect(other.stderr).toContain("project workspace-automation has dev in");
    expect(readdirSync(join(folder, ".pulumi-state/.pulumi/stacks/workspace-automation"))).toEqual(
      expect.arrayContaining(["dev.json"]),
    );
    expect(existsSync(join(folder, ".pulumi-state/Pulumi.other.yaml"))).toBe(false);
  });

  it("keeps the tags of Pulumi next to that of its file", { timeout: 400_000 }, async () => {
    const emulator = await emulatorForTests();
    const folder = temporaryFolder();
    const env = isolated(temporaryFolder(), connected(emulator));
    const run = (...argv: string[]) => workspacectl(argv, folder, env);
    const save = (description: string) =>
      writeFileSync(
        join(folder, "workspace.yaml"),
        `version: 1\nworkspace: acme\ngroups:\n  QA: { description: ${description} }\n`,
      );
    const tag = async (...argv: string[]) =>
      (await run("pulumi", "--", "stack", "tag", ...argv, "--stack", "dev")).stdout.trim();
    save("Testers");
    expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
    expect(await tag("get", "workspacectl:file")).toBe("workspace.yaml");
    await tag("rm", "workspacectl:file");
    await tag("set", "owner", "QA");
    save("People who test");
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    expect(await tag("get", "workspacectl:file")).toBe("workspace.yaml");
    expect(await tag("get", "owner")).toBe("QA");
  });
});
