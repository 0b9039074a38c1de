/** Tests on the real engine that `--only` changes the selected objects alone, and that the state stays whole. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Document, parseDocument } from "yaml";
import { tellsAllStories } from "../stories.js";
import { setUp } from "./support.js";

const pipeline = (cron: string) => `
        triggerMode: SCHEDULED
        cron: "${cron}"
        cronUpdates: replace
        refType: BRANCH
        refName: main
        actions:
          - { name: Build, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [npm test] }
          - { name: Check, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }`;

const declared = `version: 1
workspace: acme
members:
  ann@example.com: {}
  bob@example.com: {}
permissionSets:
  deployers: { description: Deploys, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
  spare: { description: Nobody's, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
groups:
  QA: { description: Testers, members: [ann@example.com, bob@example.com] }
  Ops: { description: Operators }
variables:
  REGION: us-east
  COLOR: blue
projects:
  web:
    members: { ann@example.com: { permissionSet: deployers } }
    variables: { NODE_ENV: production }
    pipelines:
      deploy:${pipeline("0 2 * * *")}
  api:
    protect: false
    members: { bob@example.com: { permissionSet: spare } }
    variables: { NODE_ENV: production }
`;

const { folder, file, emulator, run, get, edit } = await setUp(declared, { echoMemberEmail: true });

interface Plan {
  plan: { steps: { operation: string; name: string }[]; unchanged: number };
  only?: { objects: string[]; needed: string[]; others: number };
}

/** The steps of a preview, as `create groups/QA`. */
async function steps(...argv: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run("preview", "--json", ...argv);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as Plan).plan.steps.map(({ operation, name }) => `${operation} ${name}`);
}

async function only(...argv: string[]) {
  emulator.journal.clear();
  const { code, stdout, stderr } = await run("up", "--yes", ...argv);
  return { code, stdout, stderr, writes: emulator.journal.writes().length };
}

function change(how: (document: Document) => void): void {
  const document = parseDocument(readFileSync(file, "utf8"));
  how(document);
  writeFileSync(file, document.toString());
}

async function described(list: "groups" | "variables"): Promise<Record<string, string | undefined>> {
  const all = await get<
    Record<string, { name?: string; key?: string; description?: string; value?: string }[]>
  >(`/${list}`);
  return Object.fromEntries(
    (all[list] ?? []).map((one) => [one.name ?? one.key ?? "", one.description ?? one.value]),
  );
}

async function idOf(group: string): Promise<number> {
  const { groups } = await get<{ groups: { id: number; name: string }[] }>("/groups");
  return groups.find(({ name }) => name === group)?.id ?? 0;
}

describe.sequential("--only", () => {
  it("refuses a pattern that matches nothing, before it creates a stack", async () => {
    const { code, stderr } = await only("--create-stack", "--only", "project/web/**");
    expect(code).toBe(1);
    expect(stderr).toContain('--only "project/web/**" matches no object of the file or the state');
  });

  it("creates the matching objects and what they need, in a new stack", async () => {
    const { code, stdout, stderr } = await only("--create-stack", "--only", "projects/web/**");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("with what they need: members/ann@example.com, permissionSets/deployers;");
    expect(stdout).toContain("Done: 9 created");
    expect(Object.keys(await described("variables"))).toEqual([]);
    // The rest is still to do, and nothing of it is recorded.
    const rest = await steps();
    expect(rest.every((step) => step.startsWith("create ") && !step.includes("projects/web"))).toBe(true);
    expect(rest).toHaveLength(11);
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    expect(await steps()).toEqual([]);
  });

  it("leaves all else in file, state and workspace, also after a rename and a change outside", async () => {
    await edit("PATCH", `/groups/${await idOf("Ops")}`, { description: "Golfers" });
    change((document) => {
      document.setIn(["groups", "Testers"], {
        name: "QA",
        previously: ["QA"],
        description: "Many testers",
        exclusive: true,
        members: ["ann@example.com"],
      });
      document.deleteIn(["groups", "QA"]);
      document.deleteIn(["variables", "COLOR"]);
      document.deleteIn(["projects", "api"]);
      document.setIn(["variables", "NEW"], "new");
      document.setIn(["members", "cleo@example.com"], {});
      document.setIn(["projects", "web", "variables", "NODE_ENV"], "test");
      document.setIn(["projects", "web", "members", "cleo@example.com"], { permissionSet: "deployers" });
    });
    const all = await steps("--ignore-guard", "project-deletion");
    const { code, stderr, writes } = await only("--only", "projects/web/variables/*");
    expect({ code, stderr, writes }).toMatchObject({ code: 0, writes: 1 });
    expect(await described("groups")).toMatchObject({ QA: "Testers", Ops: "Golfers" });
    expect(await described("variables")).toEqual({ REGION: "us-east", COLOR: "blue" });
    const rest = await steps("--ignore-guard", "project-deletion");
    expect(rest).toEqual(all.filter((step) => step !== "update projects/web/variables/NODE_ENV"));
  });

  it("refuses what cannot be changed without others, and writes nothing", async () => {
    const refused = async (pattern: string, ...more: string[]) => {
      const { code, stderr, writes } = await only("--only", pattern, ...more);
      expect({ code, writes }).toEqual({ code: 1, writes: 0 });
      return stderr;
    };
    // What stands in it, and what refers to it.
    expect(await refused("projects/api", "--delete-project", "api")).toContain(
      "projects/api would be deleted, and projects/api/members/bob@example.com depends on it",
    );
    // A member that the group is about to own.
    const owned = await refused("groups/QA/members/*");
    expect(owned).toContain(
      "groups/Testers begins or stops owning the list that contains groups/QA/members/ann@example.com (exclusive)",
    );
    expect(owned).toContain('add --only "groups/Testers"');
    change((document) => document.setIn(["projects", "web", "pipelines", "deploy", "cron"], "0 4 * * *"));
    const replaced = await refused("projects/web/pipelines/deploy");
    expect(replaced).toContain("projects/web/pipelines/deploy would be replaced, and");
    expect(replaced).toContain('add --only "projects/web/pipelines/deploy/**"');
  });

  it("replaces, renames and deletes what is selected, and nothing else", async () => {
    const wide = ["--max-deletes", "50", "--max-delete-share", "100", "--allow-delete", "**"];
    const replaced = await only("--only", "projects/web/pipelines/**", ...wide);
    expect({ ...replaced, stdout: "" }).toMatchObject({ code: 0 });
    expect(replaced.stdout).toContain("4 replaced");
    // The former name selects too; the exclusive list and its former members go together.
    const renamed = await only("--only", "groups/QA/**", ...wide);
    expect({ ...renamed, stdout: "" }).toMatchObject({ code: 0 });
    expect(await described("groups")).toEqual({ QA: "Many testers", Ops: "Golfers" });
    const deleted = await only("--only", "variables/COLOR");
    expect({ ...deleted, stdout: "" }).toMatchObject({ code: 0 });
    expect(await described("variables")).toEqual({ REGION: "us-east" });
    const gone = await only("--only", "projects/api/**", "--delete-project", "api", ...wide);
    expect({ ...gone, stdout: "" }).toMatchObject({ code: 0 });
    // Exactly the rest: the new objects, and what was changed outside.
    expect(await steps()).toEqual([
      "update groups/Ops",
      "create members/cleo@example.com",
      "create projects/web/members/cleo@example.com",
      "create variables/NEW",
    ]);
  });

  it("takes the contents of a renamed object along, and leaves a state that the next run reads", async () => {
    change((document) => {
      const group = document.getIn(["groups", "Testers"]) as { set: (key: string, value: unknown) => void };
      document.deleteIn(["groups", "Testers"]);
      group.set("previously", ["Testers"]);
      document.setIn(["groups", "Checkers"], group);
      document.setIn(["permissionSets", "releasers"], document.getIn(["permissionSets", "deployers"]));
      document.deleteIn(["permissionSets", "deployers"]);
      document.setIn(["permissionSets", "releasers", "previously"], ["deployers"]);
      document.setIn(["projects", "web", "members", "ann@example.com", "permissionSet"], "releasers");
      document.setIn(["projects", "web", "members", "cleo@example.com", "permissionSet"], "releasers");
    });
    const { code, stdout, stderr } = await only(
      "--only",
      "permissionSets/releasers",
      "--only",
      "groups/Checkers",
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("with what follows a new name: projects/web/members/ann@example.com;");
    // The rest is as it was before.
    expect(await steps()).toEqual([
      "update groups/Ops",
      "create members/cleo@example.com",
      "create projects/web/members/cleo@example.com",
      "create variables/NEW",
    ]);
  });

  it.runIf(tellsAllStories)(
    "limits a saved plan, which up carries out without naming the objects again",
    async () => {
      const plan = join(folder, "plan.json");
      expect(await run("preview", "--only", "variables/NEW", "--save-plan", plan)).toMatchObject({ code: 0 });
      const wider = await run("up", "--yes", "--plan", plan, "--only", "variables/*");
      expect(wider).toMatchObject({ code: 1 });
      expect(wider.stderr).toContain("it is limited to variables/NEW: omit --only");
      expect(await run("up", "--yes", "--plan", plan)).toMatchObject({ code: 0 });
      expect(await described("variables")).toEqual({ REGION: "us-east", NEW: "new" });
      expect(await steps()).toHaveLength(3);
      const full = await only();
      expect({ ...full, stdout: "" }).toMatchObject({ code: 0 });
      expect(await steps()).toEqual([]);
      expect(await run("drift")).toMatchObject({ code: 0 });
    },
  );
});
