/** Tests exclusive members, reasons for replacements and write-only values on the real engine. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { setUp } from "./support.js";

const service = await setUp(
  `version: 1
workspace: acme
members: { ann@example.com: {}, bob@example.com: {}, carol@example.com: {} }
groups:
  QA: { members: [ann@example.com], exclusive: true }
  Open: { members: [ann@example.com] }
projects:
  web:
    protect: false
    customRepoUrl: ssh://git@example.com/one.git
    customRepoUser: git
    members: { ann@example.com: { permissionSet: Developer }, bob@example.com: Developer }
    exclusive: true
    variables: { TIER: one }
    pipelines:
      nightly:
        triggerMode: SCHEDULED
        cron: 0 2 * * *
        cronUpdates: replace
        refType: BRANCH
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
permissionSets:
  Developer: { external: true }
`,
  { echoMemberEmail: true },
);
const { file, emulator, get } = service;

async function run(...argv: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await service.run(...argv);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return { stdout, stderr };
}

function edit(from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

interface Person {
  id: number;
  email: string;
}

async function groupPath(name: string): Promise<string> {
  const { groups } = await get<{ groups: { id: number; name: string }[] }>("/groups");
  return `/groups/${String(groups.find((group) => group.name === name)?.id)}/members`;
}

async function emails(path: string): Promise<string[]> {
  const { members } = await get<{ members: Person[] }>(path);
  const names = members.map(({ email }) => email.replace("@example.com", ""));
  return names.filter((name) => ["ann", "bob", "carol"].includes(name)).sort();
}

/** Adds carol outside Pulumi. */
async function addCarol(path: string): Promise<void> {
  const { members } = await get<{ members: Person[] }>("/members");
  const id = members.find(({ email }) => email === "carol@example.com")?.id;
  await service.edit("POST", path, { id });
}

function writes(): string[] {
  return emulator.journal.writes().map(({ method, path }) => `${method} ${path.replaceAll(/\d+/g, "N")}`);
}

interface Plan {
  plan: { steps: { name: string; operation: string; reasons: { text: string }[] }[] };
}

/** Returns the lines of a plan about replacements, and the reasons in its JSON. */
async function replacements(): Promise<{ lines: string[]; reasons: string[] }> {
  const { stdout, stderr } = await run("preview", "--json");
  const { steps } = (JSON.parse(stdout) as Plan).plan;
  const told = stderr.split("\n").filter((line) => /±|forces/.test(line));
  // Numbers differ between runs, since members are invited concurrently.
  const lines = told.map((line) => line.replace(/nightly \(\d+\)/, "nightly (<number>)"));
  const reasons = steps
    .filter(({ operation }) => operation === "replace")
    .map(({ name, reasons }) => `${name}: ${reasons.map(({ text }) => text).join("; ")}`);
  return { lines, reasons };
}

describe.sequential("members of an exclusive group or project", () => {
  it("exist after the first up", async () => {
    await run("up", "--create-stack", "--yes");
    expect(await emails(await groupPath("QA"))).toEqual(["ann"]);
    expect(await emails("/projects/web/members")).toEqual(["ann", "bob"]);
  });

  it("are removed by up if they were added outside, unlike those of other groups", async () => {
    for (const name of ["QA", "Open"]) await addCarol(await groupPath(name));
    emulator.journal.clear();
    const { stdout } = await run("up", "--yes");
    expect(stdout).toMatch(
      /group QA {2}changed outside\n {4}members {2}\["ann@example.com \(\d+\)","carol@example.com"\] → \["ann@example.com \(\d+\)"\]/,
    );
    expect(writes()).toEqual(["DELETE /workspaces/acme/groups/N/members/N"]);
    expect(await emails(await groupPath("QA"))).toEqual(["ann"]);
    expect(await emails(await groupPath("Open"))).toEqual(["ann", "carol"]);
  });

  it("are transferred without a write when a group becomes exclusive or stops being so", async () => {
    edit(
      "Open: { members: [ann@example.com] }",
      "Open: { members: [ann@example.com, carol@example.com], exclusive: true }",
    );
    emulator.journal.clear();
    expect((await run("up", "--yes")).stdout).toContain("1 to release (not deleted)");
    edit("carol@example.com], exclusive: true }", "carol@example.com] }");
    expect((await run("up", "--yes")).stdout).toContain("1 updated, 0 deleted, 2 adopted");
    expect((await run("preview")).stdout).toContain("No changes");
    expect(writes()).toEqual([]);
    expect(await emails(await groupPath("Open"))).toEqual(["ann", "carol"]);
  });
});

describe.sequential("a replacement", () => {
  it("names the property that forces it, and lists dependent replacements", async () => {
    edit("0 2 * * *", "0 3 * * *");
    expect(await replacements()).toMatchInlineSnapshot(`
      {
        "lines": [
          "  ± pipeline nightly",
          "      cron  "0 2 * * *" → "0 3 * * *"  forces the replacement",
          "    ± action Ping",
          "        pipeline  "nightly (<number>)" → "nightly (new)"  forces the replacement: pipeline is replaced (Pipeline projects/web/pipelines/nightly)",
        ],
        "reasons": [
          "projects/web/pipelines/nightly: cron changes",
          "projects/web/pipelines/nightly/actions/Ping: pipeline is replaced (Pipeline projects/web/pipelines/nightly)",
        ],
      }
    `);
    edit("0 3 * * *", "0 2 * * *");
  });

  it("of a project is reported with all its contents", async () => {
    edit("one.git", "two.git\n    replaceProject: allow");
    expect(await replacements()).toMatchInlineSnapshot(`
      {
        "lines": [
          "± project web",
          "    customRepoUrl   "ssh://git@example.com/one.git" → "ssh://git@example.com/two.git"  forces the replacement",
          "  ± variable TIER",
          "      forces the replacement: project is replaced (Project projects/web)",
          "  ± pipeline nightly",
          "      forces the replacement: project is replaced (Project projects/web)",
          "    ± action Ping",
          "        pipeline  "nightly (<number>)" → "nightly (new)"  forces the replacement: pipeline is replaced (Pipeline projects/web/pipelines/nightly)",
          "        forces the replacement: project is replaced (Project projects/web)",
        ],
        "reasons": [
          "projects/web: customRepoUrl changes",
          "projects/web/pipelines/nightly: project is replaced (Project projects/web)",
          "projects/web/pipelines/nightly/actions/Ping: project is replaced (Project projects/web); pipeline is replaced (Pipeline projects/web/pipelines/nightly)",
          "projects/web/variables/TIER: project is replaced (Project projects/web)",
        ],
      }
    `);
  });
});

describe("write-only values", () => {
  it("are counted, and listed on request", async () => {
    const { stdout, stderr } = await run("refresh", "--unverifiable", "--json");
    expect(stderr).toMatch(/\d+ values not verifiable/);
    const { unverifiable } = JSON.parse(stdout) as { unverifiable: { name: string; path: string }[] };
    expect(unverifiable.map(({ name, path }) => `${name} ${path}`)).toMatchInlineSnapshot(`
      [
        "projects/web customRepoUrl",
        "projects/web customRepoUser",
        "projects/web/pipelines/nightly cron",
      ]
    `);
  });
});
