/** Tests the whole life of a workspace with workspacectl, run from an unrelated folder. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, setUp, temporaryFolder, withoutProgress, workspacectl } from "./support.js";

const OBJECTS = 41;
const { folder, file, emulator, env } = await setUp();
const elsewhere = temporaryFolder();

/** Runs a command on the workspace file from an unrelated folder. */
function run(...argv: string[]): Promise<Ended> {
  return workspacectl([...argv, "-f", file], elsewhere, env);
}

interface Group {
  id: number;
  name: string;
  description: string | null;
}

async function groups(): Promise<Group[]> {
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
  return (body as { groups: Group[] }).groups;
}

async function group(name: string): Promise<Group> {
  const found = (await groups()).find((g) => g.name === name);
  if (found === undefined) throw new Error(`no group ${name}`);
  return found;
}

function writes(): string[] {
  return emulator.journal.writes().map(({ method, path }) => `${method} ${path}`);
}

/** Replaces everything that differs between runs. */
function stable(text: string): string {
  return withoutProgress(text)
    .replaceAll(emulator.baseUrl, "<address>")
    .replaceAll(/\d+\.\d s/g, "<time>")
    .replaceAll(folder, "<folder>");
}

describe.sequential("a workspace", () => {
  it("is previewed without a write", async () => {
    const { code, stdout, stderr } = await run("preview");
    expect(code).toBe(0);
    expect(stdout).toContain(`Plan: ${OBJECTS} to create`);
    expect(stable(stderr)).toMatchInlineSnapshot(`
      "State: <folder>/.pulumi-state, on this machine only, because there is no Pulumi login. Keep a copy of it, or choose another place with "workspacectl pulumi -- login".
      Stack dev (the default, because none is specified or selected) does not exist yet; project workspace-automation has no stacks in file://<folder>/.pulumi-state: the plan is for a new, empty stack, which \`up --create-stack\` creates."
    `);
    expect(writes()).toEqual([]);
  });

  it("is created", async () => {
    const { code, stdout, stderr } = await run("up", "--create-stack", "--yes");
    expect({ code, stderr: stable(stderr) }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "State: <folder>/.pulumi-state, on this machine only, because there is no Pulumi login. Keep a copy of it, or choose another place with "workspacectl pulumi -- login".
      Stack dev of project workspace-automation is new.",
      }
    `);
    expect(stdout).toContain(`Done: ${OBJECTS} created`);
    expect(stdout).not.toMatch(/in-clear/);
    expect((await groups()).map(({ name }) => name).sort()).toEqual(["Developers", "On call", "QA"]);
  });

  it("leaves nothing in the caller's folder, and one folder next to the file, without plain secrets", () => {
    expect(readdirSync(elsewhere)).toEqual([]);
    // Pulumi's own home lies there in this test only.
    const names = readdirSync(folder).filter((name) => name !== "pulumi-home");
    expect(names.sort()).toEqual([".pulumi-state", "README.md", "messages", "workspace.yaml"]);
    const stacks = join(folder, ".pulumi-state/.pulumi/stacks/workspace-automation");
    expect(readFileSync(join(stacks, "dev.json"), "utf8")).not.toContain("in-clear");
  });

  it("does not change on a second up", async () => {
    emulator.journal.clear();
    const { code, stdout } = await run("up", "--yes");
    expect(code).toBe(0);
    expect(stable(stdout)).toMatchInlineSnapshot(
      `"No changes: 41 objects as declared, 2 values not verifiable (<time>)."`,
    );
    expect(writes()).toEqual([]);
  });

  it("is reported as JSON, with the text on standard error", async () => {
    const { stdout, stderr } = await run("preview", "--json");
    const { workspace, stack, plan } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ workspace, stack, plan }).toMatchObject({
      workspace: "acme",
      stack: "dev",
      plan: { steps: [], drift: [], unchanged: OBJECTS },
    });
    expect(stderr).toContain("No changes");
  });

  it("shows outside changes and deletions without a write", async () => {
    const { id } = await group("QA");
    await emulator.edit({
      method: "PATCH",
      path: `/workspaces/acme/groups/${id}`,
      body: { description: "Hobby club" },
    });
    const onCall = await group("On call");
    await emulator.edit({ method: "DELETE", path: `/workspaces/acme/groups/${onCall.id}` });
    const { code, stdout } = await run("preview");
    expect(code).toBe(0);
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "acme · stack dev · <address>

      ~ group QA  changed outside
          description  "Hobby club" → "Who tests it"
      + group On call (bob@example.com, dan@example.com)  was deleted outside

      Plan: 3 to create, 1 to update, 0 to delete, 37 unchanged (2 values not verifiable)."
    `);
    expect(writes()).toEqual([]);
  });

  it("is restored to match the file", async () => {
    const { code, stdout } = await run("up", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("Done: 3 created, 1 updated");
    expect((await group("QA")).description).toBe("Who tests it");
  });

  it("can be refreshed into the state separately", async () => {
    const { id } = await group("QA");
    await emulator.edit({
      method: "PATCH",
      path: `/workspaces/acme/groups/${id}`,
      body: { description: "Changed again" },
    });
    emulator.journal.clear();
    const { code, stdout } = await run("refresh");
    expect(code).toBe(0);
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "acme · stack dev · <address>

      ! group QA  changed outside
          description  "Who tests it" → "Changed again"

      Refreshed: 1 changed outside, 40 unchanged, 2 values not verifiable (<time>). "workspacectl up -f <folder>/workspace.yaml" restores what the file declares."
    `);
    expect(writes()).toEqual([]);
  });

  it("follows changes, additions, deletions and renames in the file", async () => {
    const text = readFileSync(file, "utf8")
      .replace(
        "  QA: { description: Who tests it,",
        "  Quality: { previously: [QA], description: Who tests it,",
      )
      .replace("      NODE_ENV: production\n", '      NODE_ENV: staging\n      DEBUG: "1"\n')
      .replace("  dan@example.com: {}\n", "  dan@example.com: {}\n  eve@example.com: {}\n")
      .replace(
        "executeCommands: [npm ci, npm test, npm run build]",
        "executeCommands: [npm ci, npm run test, npm run build]",
      )
      .replace(/ {10}- name: Wake somebody[^]*?failed\.\n/, "");
    writeFileSync(file, text);
    const { id } = await group("QA");
    // The refresh has recorded the outside change in the state, so another refresh is not needed.
    const { code, stdout } = await run("up", "--yes", "--no-refresh");
    expect(code).toBe(0);
    expect(stable(stdout.slice(0, stdout.indexOf("Plan:"))).replace(/\(\d+\)/g, "(<id>)"))
      .toMatchInlineSnapshot(`
        "acme · stack dev · <address>

        + member eve@example.com
        ~ group Quality  (was QA)
            description  "Changed again" → "Who tests it"
            name         "QA" → "Quality"
          project web
          ~ variable NODE_ENV
              value  "production" → "staging"
          + variable DEBUG
            pipeline Deploy
            ~ action Build and test
                executeCommands[1]  "npm test" → "npm run test"
            - action Wake somebody
            ~ action order  only for what is new or deleted

        Access:  eve@example.com is invited to the workspace
        "
      `);
    expect(await group("Quality")).toMatchObject({ id, description: "Who tests it" });
  });

  it("is refused before any write while a name is in use, and applied after a correction", async () => {
    await emulator.edit({ method: "POST", path: "/workspaces/acme/groups", body: { name: "Taken" } });
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("groups:\n", "groups:\n  Taken: {}\n  Free: {}\n"));
    const { code, stderr } = await run("up", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain(
      "refused, nothing was changed: 1 of the 2 objects to create already exists in workspace acme",
    );
    expect(stderr).toMatch(/groups\/Taken: group "Taken" \(\d+\)/);
    writeFileSync(file, readFileSync(file, "utf8").replace("  Taken: {}\n", "  Taken: { adopt: true }\n"));
    const mended = await run("up", "--yes");
    expect(mended).toMatchObject({ code: 0 });
    expect(mended.stdout).toContain("Done: 1 created, 0 updated, 0 deleted, 1 adopted, 42 unchanged");
  });

  it("is destroyed except for protected projects, and then completely", async () => {
    emulator.journal.clear();
    const refused = await run("destroy", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("max-deletes: ");
    expect(refused.stderr).toContain('--allow-delete "groups/**"');
    expect(emulator.journal.writes()).toEqual([]);
    const first = await run("destroy", "--yes", "--allow-delete", "**");
    expect(first.code).toBe(0);
    expect(first.stderr).toContain("Protected, so not deleted: projects/");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
    expect((body as { projects: unknown[] }).projects).toHaveLength(2);

    const second = await run("destroy", "--yes", "--include-protected");
    expect(second.code).toBe(0);
    expect(second.stdout).toContain("Done: 0 created, 0 updated, 2 deleted");
    const rest = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
    expect((rest.body as { projects: unknown[] }).projects).toEqual([]);
    expect(await groups()).toEqual([]);
    expect(existsSync(join(folder, ".pulumi-state"))).toBe(true);
  });
});
