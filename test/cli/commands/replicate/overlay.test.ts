/** Tests that `replicate` writes the required differences to the overlay, and changes nothing else. */
import { describe, expect, it } from "vitest";
import { type Mapping, parseMapping } from "../../../../automation/compare/mapping-file.js";
import { findTypesNamed } from "../../../../automation/export/scope.js";
import { listExcludedKinds } from "../../../../automation/replicate/limit-kinds.js";
import { createTarget, prepare, readConnections } from "../../../../automation/replicate/prepare.js";
import { ReplicationTarget } from "../../../../automation/replicate/target-document.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { fileIn, temporaryFolder, testIo } from "../../support.js";
import { type Pair, pair, SHOP } from "./support.js";

const MAPPED = parseMapping("m.yaml", "version: 1\nintegrations: { chat-main: chat-eu }\n");

/** Prepares the overlay for the files in the folder, and returns it with everything missing. */
async function prepared(
  { folder, env }: Pair,
  { watch, mapping = MAPPED }: { watch?: string; mapping?: Mapping } = {},
) {
  const { io } = testIo(env);
  const target = new ReplicationTarget({ file: `${folder}/workspace.yaml`, stack: "eu" }, undefined, env);
  const sides = readConnections("us", "eu", io);
  const to = await createTarget(target, sides.from, sides.to, io);
  const watched = watch === undefined ? undefined : findTypesNamed(watch.split(","), "--kinds");
  const missing = await prepare(target, { from: sides.from, to, mapping, watched }, io);
  return { target, overlay: target.after, missing: missing.map(({ what }) => what) };
}

/** Writes the overlay, and returns the names that the stack would declare. */
function declaredWith({ folder, write }: Pair, overlay: string): string[] {
  write("workspace.eu.yaml", overlay);
  const { declarations } = readDeclarations(`${folder}/workspace.yaml`, { stack: "eu", env: {} });
  return declarations.map(({ name }) => name).filter((name) => !name.endsWith("/actionOrder"));
}

async function shop(text = SHOP, options = {}): Promise<Pair> {
  const two = await pair(options);
  two.write("workspace.yaml", text);
  return two;
}

describe("a new overlay", () => {
  it("contains only the workspace, the connection and the mapped integrations", async () => {
    const two = await shop();
    const { overlay, missing } = await prepared(two);
    expect(missing).toEqual([]);
    expect(overlay).toBe(`version: 1
workspace: acme-eu
connection: eu

projects:
  web:
    pipelines:
      deploy:
        actions:
          - name: Tell
            integration: chat-eu
`);
    two.write("workspace.eu.yaml", overlay);
    expect(await prepared(two)).toMatchObject({ overlay });
  });

  it("omits the connection if the stack configuration names it", async () => {
    const two = await shop(SHOP.replace("connection: us\n", ""));
    two.write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    two.write("Pulumi.eu.yaml", "config:\n  workspace-automation:connection: eu\n");
    expect((await prepared(two)).overlay).not.toContain("connection");
  });

  it("keeps an integration of the same name, and resolves a number to its name", async () => {
    const two = await shop(SHOP, { integrations: [["chat-main", "CHAT"]] });
    const nothing = { mapping: parseMapping("m.yaml", "version: 1\n") };
    const { body } = await two.us.edit({ method: "GET", path: "/user/integrations" });
    const { integrations } = body as { integrations: { id: number; name: string }[] };
    const id = integrations.find(({ name }) => name === "chat-main")?.id;
    two.write("workspace.yaml", SHOP.replace("integration: chat-main", `integration: ${id}`));
    const { overlay } = await prepared(two, nothing);
    expect(overlay).toContain("integration: chat-main");
    two.write("workspace.yaml", SHOP);
    expect((await prepared(two, nothing)).overlay).not.toContain("integration");
  });
});

describe("names in another spelling", () => {
  const [composed, decomposed] = ["M\u00fcller", "Mu\u0308ller"];

  it("are the same integration in the file, in the mapping and in the target", async () => {
    const two = await shop(SHOP.replace("chat-main", composed), { integrations: [[decomposed, "CHAT"]] });
    const nothing = parseMapping("m.yaml", "version: 1\n");
    expect((await prepared(two, { mapping: nothing })).missing).toEqual([]);
    const mapping = parseMapping("m.yaml", `version: 1\nintegrations: { ${decomposed}: ${composed} }\n`);
    expect((await prepared(two, { mapping })).missing).toEqual([]);
  });

  it("are the same external object in the file, in its references and in the overlay", async () => {
    const two = await shop(SHOP.replace("members: [ann@example.com]", "members: [ANN@example.com]"), {
      settings: { echoMemberEmail: true },
      eu: { members: [{ email: "Ann@Example.com" }] },
    });
    const own =
      "version: 1\nworkspace: acme-eu\nconnection: eu\nmembers:\n  $replace: true\n  Ann@example.com: { external: true }\n";
    two.write("workspace.eu.yaml", own);
    const { overlay, missing } = await prepared(two, { watch: "Group,GroupMember" });
    expect(missing.filter((one) => one.includes("member"))).toEqual([]);
    expect(overlay).not.toContain("ann@example.com");
    expect(declaredWith(two, overlay)).toEqual(["groups/QA", "groups/QA/members/ANN@example.com"]);
  });
});

describe("the path of the overlay", () => {
  const at = (folder: string, file: string) =>
    new ReplicationTarget({ file, stack: "org/eu" }, undefined, {}).overlayFile.slice(folder.length + 1);

  it("is next to the file, or next to the main file of a folder, unless one already exists", () => {
    const folder = temporaryFolder();
    const people = fileIn(folder, "people.yaml", "version: 1\n");
    expect(at(folder, people)).toBe("people.eu.yaml");
    expect(at(folder, folder)).toBe("people.eu.yaml");
    fileIn(folder, "workspace.yml", "version: 1\n");
    expect(at(folder, folder)).toBe("workspace.eu.yaml");
    fileIn(folder, "people.eu.yaml", "version: 1\n");
    expect(at(folder, folder)).toBe("people.eu.yaml");
    expect(() => new ReplicationTarget({ file: "-", stack: "eu" }, undefined, {})).toThrow(
      "standard input has no folder",
    );
  });
});

describe("an existing overlay", () => {
  const WRITTEN = `# What is European about it   (ask Ann)
version: 1
workspace: acme-eu   # the domain
variables: {REGION: eu-central}   # nearest

projects:
  web:
    pipelines:
      deploy:
        actions:
          - {name: Tell,   channel: C0EUROPE}   # another channel
`;

  it("keeps all unaffected bytes, and does not change on a second run", async () => {
    const two = await shop();
    two.write("workspace.eu.yaml", WRITTEN);
    const { overlay } = await prepared(two);
    expect(overlay).toBe(
      WRITTEN.replace("# the domain", "# the domain\nconnection: eu").replace(
        "{name: Tell, ",
        "{name: Tell, integration: chat-eu, ",
      ),
    );
    two.write("workspace.eu.yaml", overlay);
    expect((await prepared(two)).overlay).toBe(overlay);
  });

  it("keeps its own integration if it exists, and reports it otherwise", async () => {
    const own = (name: string) => WRITTEN.replace("name: Tell,", `name: Tell, integration: ${name},`);
    const two = await shop(SHOP, {
      integrations: [
        ["chat-eu", "CHAT"],
        ["special", "CHAT"],
      ],
    });
    two.write("workspace.eu.yaml", own("special"));
    expect(await prepared(two)).toMatchObject({
      overlay: expect.stringContaining("special") as string,
      missing: [],
    });
    two.write("workspace.eu.yaml", own("nobody"));
    expect((await prepared(two)).missing).toEqual(['integration "nobody"']);
  });

  it("does not alternate if a mapping swaps two names", async () => {
    const swapped = "version: 1\nintegrations: { chat-main: deploys, deploys: chat-main }\n";
    const mapping = parseMapping("m.yaml", swapped);
    const two = await shop(SHOP, {
      integrations: [
        ["chat-main", "CHAT"],
        ["deploys", "CHAT"],
      ],
    });
    const { overlay } = await prepared(two, { mapping });
    expect(overlay).toContain("integration: deploys");
    two.write("workspace.eu.yaml", overlay);
    expect((await prepared(two, { mapping })).overlay).toBe(overlay);
  });

  it("is rejected if it names another connection", async () => {
    const two = await shop();
    two.write("workspace.eu.yaml", "version: 1\nconnection: asia\n");
    await expect(prepared(two)).rejects.toThrow('says "connection: asia", but --to is eu');
  });
});

describe("a watch list", () => {
  it("excludes all other kinds, including objects that are added later", async () => {
    const two = await shop();
    const { overlay, missing } = await prepared(two, { watch: "projects,pipelines,actions" });
    expect(missing).toEqual([]);
    expect(overlay).toContain("members: { $remove: true }");
    const kinds = ["projects/web", "projects/web/pipelines/deploy"];
    const actions = ["Build", "Tell"].map((name) => `projects/web/pipelines/deploy/actions/${name}`);
    expect(declaredWith(two, overlay)).toEqual([...kinds, ...actions]);
    two.write("workspace.yaml", SHOP.replace("variables:\n  REGION", "variables:\n  NEW: x\n  REGION"));
    expect(declaredWith(two, overlay)).not.toContain("variables/NEW");
    expect((await prepared(two, { watch: "projects,pipelines,actions" })).overlay).toBe(overlay);
  });

  it("makes excluded objects external if others need them, and requires that they exist", async () => {
    const two = await shop();
    const { overlay, missing } = await prepared(two, { watch: "ProjectMember" });
    expect(missing).toEqual([
      'external member "ann@example.com"',
      'external permission set "release-engineers"',
      'external project "web"',
    ]);
    expect(overlay).toContain("permissionSets:\n  $replace: true\n  release-engineers: { external: true }\n");
    expect(declaredWith(two, overlay)).toEqual(["projects/web/members/ann@example.com"]);
    expect((await prepared(two, { watch: "ProjectMember" })).overlay).toBe(overlay);
  });

  it("follows the file, so that a new reference makes an object external", async () => {
    const two = await shop(SHOP.replace("members: [ann@example.com]", "members: []"));
    const watch = "Group,GroupMember";
    const first = await prepared(two, { watch });
    expect(first.overlay).toContain("members: { $remove: true }");
    two.write("workspace.eu.yaml", first.overlay);
    two.write("workspace.yaml", SHOP);
    const { overlay } = await prepared(two, { watch });
    expect(overlay).toContain("members:\n  $replace: true\n  ann@example.com: { external: true }\n");
    expect(declaredWith(two, overlay)).toEqual(["groups/QA", "groups/QA/members/ann@example.com"]);
  });

  it("does not change an existing overlay when it is extended, but reports what remains excluded", async () => {
    const two = await shop();
    two.write("workspace.eu.yaml", (await prepared(two, { watch: "projects" })).overlay);
    const { overlay, target } = await prepared(two, { watch: "projects,Group" });
    expect(overlay).toContain("groups: { $remove: true }");
    expect(listExcludedKinds(target, findTypesNamed(["projects", "Group"], "--kinds"))).toEqual([
      "groups/QA",
    ]);
  });

  it("leaves the overlay's own declarations unchanged", async () => {
    const two = await shop();
    const own = "version: 1\nworkspace: acme-eu\nvariables:\n  EUROPEAN: 'yes' # ours\n";
    two.write("workspace.eu.yaml", own);
    const { overlay } = await prepared(two, { watch: "groups" });
    expect(overlay).toContain("  EUROPEAN: 'yes' # ours\n");
    const declared = declaredWith(two, overlay);
    expect(declared).toContain("variables/EUROPEAN");
    expect(declared).not.toContain("variables/REGION");
  });

  it("cannot exclude an object whose outputs others need", async () => {
    const two = await shop(
      `${SHOP}        variables: { URL: "\${ref:projects/web.httpRepository}" }\n`.replace(
        '        variables: { TIER: "1" }\n',
        "",
      ),
    );
    const { code, stderr } = await two.replicate("--kinds", "variables");
    expect(code).toBe(1);
    expect(stderr).toContain("--kinds excludes something that the rest needs:");
    expect(stderr).toContain("workspace.yaml:");
  });

  it("accepts only known kinds", async () => {
    const two = await shop();
    const { code, stderr } = await two.replicate("--kinds", "workflows");
    expect(code).toBe(1);
    expect(stderr).toContain('"workflows" is not a kind of object. --kinds accepts');
  });
});
