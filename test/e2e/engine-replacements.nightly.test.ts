/**
 * Tests replacements that Pulumi's engine decides, without asking for a difference: it creates the new object before it deletes the old one.
 * `newest-pulumi.nightly` runs it with the newest release, too.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { engines, type ProviderEngine } from "../../provider/index.js";
import { openPlainProgram } from "./plain-program.js";
import { setUp, workspacectl } from "./support.js";

vi.setConfig({ testTimeout: 600_000 });

const tokenOf = (engine: ProviderEngine) =>
  engine === "plugin"
    ? "workspace-automation:index:Group"
    : "pulumi-nodejs:dynamic/workspace-automation:Group";

const program = (options: string, adopt: boolean, version = 1) => `import * as pulumi from "@pulumi/pulumi";
import { Group } from "pulumi-workspace-automation";
const other = new Group("other", { name: "Other${version}" }, { deleteBeforeReplace: true });
new Group("qa", { name: "QA", description: "Testers", adopt: ${adopt} }, { ${options} });
`;

interface Groups {
  readonly groups: readonly { readonly id: number; readonly name: string }[];
}

async function setUpProgram(engine: ProviderEngine) {
  const opened = await openPlainProgram(engine, "replacements");
  const { root, emulator } = opened;
  const ids = async () => {
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
    return (body as Groups).groups.filter(({ name }) => name === "QA").map(({ id }) => id);
  };
  const fails = async (...argv: string[]) => {
    const ended = await (await opened.start(...argv)).running;
    expect(ended.exitCode, ended.stdout).not.toBe(0);
    return `${ended.stdout}${ended.stderr}`.replaceAll(/\s+/g, " ");
  };
  const declare = (text: string) => writeFileSync(join(root, "program.js"), text);
  const urn = async () => {
    const { deployment } = JSON.parse(await opened.run("stack", "export")) as {
      deployment: { resources: readonly { urn: string }[] };
    };
    return deployment.resources.find((one) => one.urn.endsWith("::qa"))!.urn;
  };
  return { ...opened, ids, fails, declare, urn };
}

describe.each(engines)("a program with the engine %s", (engine) => {
  it.each([true, false])("loses no group, with adopt: %s", async (adopt) => {
    const { run, fails, declare, ids, urn, emulator } = await setUpProgram(engine);
    declare(program("replacementTrigger: 1", adopt));
    await run("up", "--yes", "--skip-preview");
    const [id] = await ids();
    expect(await urn()).toContain(tokenOf(engine));
    emulator.journal.clear();

    // The provider knows what the state contains, since the engine reads it first.
    await run("state", "taint", await urn(), "--yes");
    expect(await fails("up", "--yes", "--skip-preview", "--refresh")).toMatch(
      /group "QA" .* is in the state of this stack already, .*"pulumi state untaint"/,
    );
    await run("state", "untaint", await urn(), "--yes");
    declare(program("replacementTrigger: 2", adopt));
    expect(await fails("up", "--yes", "--skip-preview", "--refresh")).toContain(
      "is in the state of this stack already",
    );
    declare(program("replacementTrigger: 1", adopt));
    expect(await fails("up", "--yes", "--skip-preview", "--refresh", "--replace", await urn())).toContain(
      "is in the state of this stack already",
    );
    expect([await ids(), emulator.journal.writes()]).toEqual([[id], []]);

    // Without a refresh, it reads the state.
    await run("state", "taint", await urn(), "--yes");
    expect(await fails("up", "--yes", "--skip-preview")).toMatch(
      /is in the state of this stack already, .*"pulumi state untaint"/,
    );
    expect([await ids(), emulator.journal.writes()]).toEqual([[id], []]);
    await run("state", "untaint", await urn(), "--yes");
    await run("preview", "--refresh", "--expect-no-changes");
  });

  it("replaces a group with another one, and deletes the old one first where the program says so", async () => {
    const { run, fails, declare, ids, emulator } = await setUpProgram(engine);
    declare(program("replaceWith: [other], replacementTrigger: 1", true));
    await run("up", "--yes", "--skip-preview");
    const [id] = await ids();
    declare(program("replaceWith: [other], replacementTrigger: 2", true));
    expect(await fails("up", "--yes", "--skip-preview", "--refresh")).toContain(
      "is in the state of this stack already",
    );
    expect(await ids()).toEqual([id]);
    declare(program("deleteBeforeReplace: true, replacementTrigger: 2", true));
    emulator.journal.clear();
    await run("up", "--yes", "--skip-preview", "--refresh");
    expect(emulator.journal.writes().map(({ method }) => method)).toEqual(["DELETE", "POST"]);
    const now = await ids();
    expect([now.length, now.includes(id!)]).toEqual([1, false]);
  });
});

describe.each(engines)("a workspace file with the engine %s", (engine) => {
  it.each([true, false])("is refused by the plan and by up alike, with adopt: %s", async (adopt) => {
    const text = `version: 1\nworkspace: acme\nengine: ${engine}\ngroups: { QA: { description: Testers, adopt: ${adopt} } }\n`;
    const { folder, env, emulator, run, get } = await setUp(text);
    const stack = ["--stack", "dev"];
    expect((await run("up", "--yes", "--create-stack", ...stack)).code).toBe(0);
    const before = await get("/groups");
    emulator.journal.clear();
    const urn = `urn:pulumi:dev::workspace-automation::${tokenOf(engine)}::groups/QA`;
    const state = (word: string) =>
      workspacectl(["pulumi", "--", "state", word, urn, "--yes", ...stack], folder, env);
    const tainted = await state("taint");
    expect(tainted.code, tainted.stderr).toBe(0);
    const preview = await run("preview", ...stack);
    expect(preview.stdout).toContain("Pulumi was asked to replace 1 object of workspace acme");
    expect(preview.stdout).toContain("pulumi state untaint");
    const up = await run("up", "--yes", ...stack);
    expect([up.code, emulator.journal.writes()]).toEqual([1, []]);
    expect(up.stderr).toContain("Pulumi was asked to replace 1 object of workspace acme");
    expect((await state("untaint")).code).toBe(0);
    expect((await run("up", "--yes", ...stack)).stdout).toContain("No changes: 1 object");
    expect(await get("/groups")).toEqual(before);
  });
});
