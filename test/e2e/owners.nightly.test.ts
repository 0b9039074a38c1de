/** Tests on the real engine two files for one workspace, each with its own stack: none deletes or reports what the other owns. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUp, workspacectl } from "./support.js";

const web = `version: 1
workspace: acme
owns:
  - projects/web/**
  - variables/WEB_*
groups:
  Release: { external: true }
variables:
  WEB_COLOR: blue
projects:
  web:
    variables: { NODE_ENV: production, TIER: "1" }
`;

const platform = `version: 1
workspace: acme
owns: ["projects/api/**", "groups/**"]
members:
  ann@example.com: { external: true }
groups:
  Release: { description: Releases, members: [ann@example.com] }
  QA: { description: Testers }
projects:
  api:
    name: api-service
    displayName: The interface
    protect: false
    variables: { NODE_ENV: production }
`;

const { folder, env, emulator, get, edit } = await setUp(web, { echoMemberEmail: true });
const files = { web: join(folder, "web.yaml"), platform: join(folder, "platform.yaml") };
writeFileSync(files.web, web);
writeFileSync(files.platform, platform);
await edit("POST", "/members", { email: "ann@example.com" });

type Team = keyof typeof files;
const runs = (...argv: string[]) => workspacectl(argv, folder, env);
const of = (team: Team, command: string, ...argv: string[]) =>
  runs(...command.split(" "), "-f", `${team}.yaml`, "--stack", team, ...argv);

interface Report {
  readonly findings: readonly { readonly class: string; readonly name: string; readonly path: string }[];
}

/** What drift finds, as `added groups/Old`. */
async function drift(team: Team, ...argv: string[]): Promise<string[]> {
  const { stdout, stderr } = await of(team, "drift", "--json", ...argv);
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout) as Report).findings.map(({ class: kind, name }) => `${kind} ${name}`);
}

async function names(path: string, list: string): Promise<string[]> {
  const all = await get<Record<string, { name?: string; key?: string }[]>>(path);
  return (all[list] ?? []).map(({ name, key }) => name ?? key ?? "").toSorted();
}

function change(team: Team, from: string, to: string): void {
  const text = readFileSync(files[team], "utf8");
  if (!text.includes(from)) throw new Error(`no ${from}`);
  writeFileSync(files[team], text.replace(from, to));
}

describe.sequential("two files for one workspace", () => {
  it("are applied side by side, each to its own stack", async () => {
    for (const team of ["platform", "web"] as const) {
      const { code, stderr } = await of(team, "up", "--create-stack", "--yes");
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }
    expect(await names("/groups", "groups")).toEqual(expect.arrayContaining(["QA", "Release"]));
    expect(await names("/projects", "projects")).toEqual(expect.arrayContaining(["api-service", "web"]));
  });

  it("call nothing added that the other declares, and find in drift only their own", async () => {
    for (const added of ["declared", "all"]) {
      expect(await drift("web", "--added", added)).toEqual([]);
      expect(await drift("platform", "--added", added)).toEqual([]);
    }
    await edit("POST", "/groups", { name: "Hobby club" });
    await edit("POST", "/variables", { key: "WEB_SIZE", value: "xl", type: "VAR" });
    await edit("POST", "/variables", { key: "NOBODY", value: "?", type: "VAR" });
    await edit("PATCH", "/projects/api-service", { display_name: "By hand" });
    expect(await drift("web", "--added", "all")).toEqual(["added variables/WEB_SIZE"]);
    expect(await drift("platform", "--added", "all")).toEqual([
      "changed projects/api",
      "added groups/Hobby club",
    ]);
  });

  it("compare and export only their own", async () => {
    const { stdout } = await runs("compare", "platform.yaml", "connection:", "--json");
    const found = (JSON.parse(stdout) as Report).findings.map(({ class: kind, name }) => `${kind} ${name}`);
    expect(found).toEqual(["added groups/Hobby club", "changed projects/api-service"]);
    const { code, stderr } = await runs("export", "-o", "web.yaml");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const exported = readFileSync(files.web, "utf8");
    expect(exported).toBe(web.replace("  WEB_COLOR: blue\n", "  WEB_COLOR: blue\n  WEB_SIZE: xl\n"));
    writeFileSync(files.web, web);
  });

  it("are listed with what they own, and with what nobody owns", async () => {
    const { code, stdout } = await runs("owners", "web.yaml", "platform.yaml");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toBe(`Workspace acme at ${emulator.baseUrl}

web.yaml
  projects/web/**  3 objects  web.yaml:4
  variables/WEB_*  2 objects  web.yaml:5
    not declared: variables/WEB_SIZE
platform.yaml
  projects/api/**  2 objects  platform.yaml:3
  groups/**        4 objects  platform.yaml:3
    not declared: groups/Hobby club

Nobody owns: 2 objects
  WorkspaceMember  members/ann@example.com
  Variable         variables/NOBODY`);
  });

  it("delete only their own", async () => {
    change("web", ', TIER: "1"', "");
    expect(await of("web", "up", "--yes")).toMatchObject({ code: 0 });
    expect(await names("/variables?projectName=web", "variables")).toEqual(["NODE_ENV"]);
    expect(await names("/variables?projectName=api-service", "variables")).toEqual(["NODE_ENV"]);
    const { code } = await of("web", "destroy", "--yes", "--include-protected", "--allow-delete", "**");
    expect(code).toBe(0);
    expect(await names("/projects", "projects")).not.toContain("web");
    expect(await names("/groups", "groups")).toEqual(expect.arrayContaining(["QA", "Release", "Hobby club"]));
    expect(await names("/variables", "variables")).toEqual(expect.arrayContaining(["NOBODY", "WEB_SIZE"]));
  });

  it("refuse to delete what they own no longer, and hand it over with retain", async () => {
    change("platform", "  QA: { description: Testers }\n", "");
    change("platform", '"groups/**"', '"groups/Release/**"');
    emulator.journal.clear();
    const refused = await of("platform", "up", "--yes");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("not-owned: this file does not own groups/QA, and would delete it");
    expect(emulator.journal.writes()).toEqual([]);
    change("platform", '"groups/Release/**"', '"groups/**"');
    change("platform", "groups:\n", "groups:\n  QA: { description: Testers }\n");
    expect(await of("platform", "up", "--yes")).toMatchObject({ code: 0 });
    change("platform", "QA: { description: Testers }", "QA: { description: Testers, retain: true }");
    const retained = await of("platform", "up", "--yes");
    expect(retained.stdout).toContain("No changes");
    const recorded = "The state now contains retain and protect as declared: 1 changed.";
    expect(retained.stderr).toContain(recorded);
    expect((await of("platform", "up", "--yes")).stderr).not.toContain(recorded.slice(0, 20));
    change("platform", "  QA: { description: Testers, retain: true }\n", "");
    change("platform", '"groups/**"', '"groups/Release/**"');
    expect(await of("platform", "up", "--yes")).toMatchObject({ code: 0 });
    expect(await names("/groups", "groups")).toContain("QA");
  });

  it("refuse to delete a project in which others may own something", async () => {
    change("platform", '"projects/api/**"', '"projects/api", "projects/api/variables/*"');
    change(
      "platform",
      readFileSync(files.platform, "utf8").slice(readFileSync(files.platform, "utf8").indexOf("projects:\n")),
      "",
    );
    const { code, stderr } = await of(
      "platform",
      "up",
      "--yes",
      "--delete-project",
      "api",
      "--allow-delete",
      "**",
    );
    expect(code).toBe(1);
    expect(stderr).toContain("not-owned: projects/api would be deleted with what others may own in it");
    expect(await names("/projects", "projects")).toContain("api-service");
  });
});
