/** Tests adding, removing and reordering entries. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Edit } from "../../../workspace-file/edit/edit.js";
import { Edited, set } from "./support.js";

let files: Edited;
beforeEach(() => {
  files = new Edited();
});

const add = (name: string, entry: unknown, after?: string | null): Edit => ({
  add: { name, entry, ...(after === undefined ? {} : { after }) },
});
const remove = (name: string): Edit => ({ remove: { name } });
const build = (name: string) => ({
  name,
  type: "BUILD",
  triggerTime: "ON_EVERY_EXECUTION",
  containerImageName: "node",
  containerImageTag: "22",
  executeCommands: ["npm ci"],
});

const workspace = `version: 1
members:
  ann@example.com: { admin: true }

# Teams
groups:
  # They test
  QA:
    description: Testers
    members: [ann@example.com]
  # They write
  Dev: # all of them
    description: Developers

projects:
  web:
    pipelines:
      deploy:
        triggerMode: ON_EVERY_PUSH
        refType: BRANCH
        refName: main
        actions:
          # The first of them
          - name: One
            type: SLEEP
            triggerTime: ON_EVERY_EXECUTION
            fields: { sleep_in_sec: 1 }
          # Then
          - name: Two
            type: SLEEP
            triggerTime: ON_EVERY_EXECUTION
            fields: { sleep_in_sec: 2 }

          - { name: Three, type: SLEEP, triggerTime: ON_EVERY_EXECUTION, fields: { sleep_in_sec: 3 } } # last
`;

describe("entries", () => {
  beforeEach(() => files.write({ "workspace.yaml": workspace }));

  it("are added at the end of their section, in the style of their siblings", () => {
    expect(
      files.diff([
        add("members/bob@example.com", { admin: false }),
        add("groups/Ops", { description: "Operators" }),
        add("groups/Dev/members/ann@example.com", null),
      ]),
    ).toEqual([
      "workspace.yaml +  bob@example.com: { admin: false }",
      "workspace.yaml +    members: [ann@example.com]",
      "workspace.yaml +  Ops:",
      "workspace.yaml +    description: Operators",
    ]);
  });

  it("are added together with their section and children, with the keys in canonical order", () => {
    const { files: changed, refused } = files.edit([
      add("variables/REGION", "us-east"),
      add("projects/shop", { displayName: "Shop" }),
      add("projects/shop/pipelines/test", {
        actions: [build("Test")],
        refType: "BRANCH",
        refName: "main",
        triggerMode: "MANUAL",
      }),
    ]);
    expect(refused).toEqual([]);
    expect(changed[0]?.after).toContain("\nvariables:\n  REGION: us-east\n\nprojects:");
    expect(changed[0]?.after).toContain(`  shop:
    displayName: Shop
    pipelines:
      test:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: Test
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: [npm ci]
`);
  });

  it("of a list are added in the requested position", () => {
    const after = (edit: Edit) => files.edit([edit]).files[0]?.after.match(/(?<=name: )\w+/g);
    const at = "projects/web/pipelines/deploy/actions/New";
    const entry = { type: "SLEEP", triggerTime: "ON_EVERY_EXECUTION", fields: { sleep_in_sec: 9 } };
    expect(after(add(at, entry))).toEqual(["One", "Two", "Three", "New"]);
    expect(after(add(at, entry, null))).toEqual(["New", "One", "Two", "Three"]);
    expect(after(add(at, entry, "One"))).toEqual(["One", "New", "Two", "Three"]);
  });

  it("that already exist are not added again", () => {
    expect(files.diff([add("groups/QA", {})])).toEqual([
      "exists: groups/QA is already declared, in workspace.yaml:9",
    ]);
  });

  it("are removed together with their own comments, but no others", () => {
    expect(files.diff([remove("groups/Dev")])).toEqual([
      "workspace.yaml -  # They write",
      "workspace.yaml -  Dev: # all of them",
      "workspace.yaml -    description: Developers",
    ]);
    expect(files.diff([remove("projects/web/pipelines/deploy/actions/Two")])).toEqual([
      "workspace.yaml -          # Then",
      "workspace.yaml -          - name: Two",
      "workspace.yaml -            type: SLEEP",
      "workspace.yaml -            triggerTime: ON_EVERY_EXECUTION",
      "workspace.yaml -            fields: { sleep_in_sec: 2 }",
    ]);
    expect(files.diff([remove("groups/QA/members/ann@example.com")])).toEqual([
      "workspace.yaml -    members: [ann@example.com]",
      "workspace.yaml +    members: []",
    ]);
    expect(files.diff([remove("groups/Dev"), remove("groups/QA")]).slice(-1)).toEqual([
      "workspace.yaml +groups: {}",
    ]);
  });

  it("that others refer to are not removed, unless the others are as well", () => {
    expect(files.diff([remove("members/ann@example.com")])).toEqual([
      expect.stringMatching(/^invalid: .*no member "ann@example.com" is declared/) as string,
    ]);
    expect(
      files.edit([remove("members/ann@example.com"), remove("groups/QA/members/ann@example.com")]).refused,
    ).toEqual([]);
  });

  it("are reordered together with their comments", () => {
    const order = {
      name: "projects/web/pipelines/deploy",
      section: "actions",
      keys: ["Three", "One", "Two"],
    };
    const after = files.edit([{ order }]).files[0]?.after;
    expect(after?.slice(after.indexOf("        actions:"))).toBe(`        actions:
          # The first of them
          - { name: Three, type: SLEEP, triggerTime: ON_EVERY_EXECUTION, fields: { sleep_in_sec: 3 } } # last
          - name: One
            type: SLEEP
            triggerTime: ON_EVERY_EXECUTION
            fields: { sleep_in_sec: 1 }

          # Then
          - name: Two
            type: SLEEP
            triggerTime: ON_EVERY_EXECUTION
            fields: { sleep_in_sec: 2 }
`);
    expect(files.diff([{ order: { ...order, keys: ["One"] } }])).toEqual([
      "not-there: projects/web/pipelines/deploy has other actions than those to reorder",
    ]);
  });

  it("of a list get a key when they are renamed", () => {
    expect(files.diff([set("projects/web/pipelines/deploy/actions/One", "name", "First")])).toEqual([
      "workspace.yaml -          - name: One",
      "workspace.yaml +          - name: First",
      "workspace.yaml +            key: One",
    ]);
  });

  it("may have names that need quotes", () => {
    files.write({ "workspace.yaml": "groups:\n  QA: {}\n" });
    const names = ["---y", "two\nlines", "a: b", "? x", "'"];
    const { files: changed, refused } = files.edit(names.map((name) => add(`groups/${name}`, {})));
    expect(refused).toEqual([]);
    const after =
      'groups:\n  QA: {}\n  "---y": {}\n  "two\\nlines": {}\n  "a: b": {}\n  "? x": {}\n  "\'": {}\n';
    expect(changed[0]?.after.replace("version: 1\n", "")).toBe(after);
  });

  it("added to one in { } get lines of their own before its line becomes too long", () => {
    const long = (word: string) => `${word} ${"and more ".repeat(4).trim()}`;
    files.write({
      "workspace.yaml": `groups:
  QA: {}
  Dev: { description: "${long("Developers")}", members: [] } # kept in one line
  Ops: &ops !!map { description: '${long("Operators")}' }
projects: {}
`,
    });
    const [{ after } = { after: "" }] = files.edit([
      add("members/ann@example.com", {}),
      add("members/bob@example.com", {}),
      add("groups/QA/members/ann@example.com", null),
      set("groups/QA", "description", long("Testers")),
      set("groups/Dev", "members", ["ann@example.com", "bob@example.com"]),
      set("groups/Ops", "members", ["ann@example.com", "bob@example.com"]),
      add("projects/web", {}),
      set("projects/web", "displayName", long("The web site")),
      add("projects/web/pipelines/deploy", { triggerMode: "MANUAL", refType: "BRANCH", refName: "main" }),
    ]).files;
    expect(after).toMatchInlineSnapshot(`
      "version: 1

      members:
        ann@example.com: {}
        bob@example.com: {}

      groups:
        QA:
          description: Testers and more and more and more and more
          members: [ann@example.com]
        Dev: { description: "Developers and more and more and more and more", members: [ann@example.com, bob@example.com] } # kept in one line
        Ops: &ops !!map
          description: 'Operators and more and more and more and more'
          members: [ann@example.com, bob@example.com]
      projects:
        web:
          displayName: The web site and more and more and more and more
          pipelines:
            deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
      "
    `);
  });
});
