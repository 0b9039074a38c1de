/** Tests values that are changed in place: everything else is unchanged, byte by byte. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { AsWritten } from "../../../workspace-file/edit/edit.js";
import { Edited, set, unset } from "./support.js";

let files: Edited;
beforeEach(() => {
  files = new Edited();
});

const workspace = `version: 1
# Who tests
groups:
  QA: { description: 'Testers' } # keep me

variables:
  REGION: us-east   # the first one
  SPARE: "1"
projects:
  web:
    displayName: Web shop
    pipelines:
      # Everything goes out here
      deploy:
        triggerMode: ON_EVERY_PUSH
        refType:   BRANCH
        refName: main # the trunk
        actions:
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands:
              - npm ci # exact versions
              # The tests
              - npm test
          - { name: Tell, type: CHAT, triggerTime: ON_EVERY_EXECUTION, channel: C01, integration: chat, content: "none" }
`;

describe("a list of members that is exclusive", () => {
  it("can become empty, also one that is a map", () => {
    files.write({
      "workspace.yaml": `version: 1
members: { ann@example.com: {} }
permissionSets: { READ_ONLY: { external: true } }
groups:
  QA: { exclusive: true, members: [ann@example.com] }
projects:
  web: { displayName: Web, exclusive: true, members: { ann@example.com: READ_ONLY } }
`,
    });
    const edits = ["groups/QA", "projects/web"].map((name) => set(name, "members", []));
    expect(files.diff(edits)).toEqual([
      "workspace.yaml -  QA: { exclusive: true, members: [ann@example.com] }",
      "workspace.yaml -  web: { displayName: Web, exclusive: true, members: { ann@example.com: READ_ONLY } }",
      "workspace.yaml +  QA: { exclusive: true, members: [] }",
      "workspace.yaml +  web: { displayName: Web, exclusive: true, members: {} }",
    ]);
  });
});

describe("a value in a file", () => {
  beforeEach(() => files.write({ "workspace.yaml": workspace }));

  it("is replaced on its line, without a change of quotes, spaces or the comment", () => {
    expect(
      files.diff([
        set("groups/QA", "description", "It's them"),
        set("projects/web/pipelines/deploy", "refType", "TAG"),
        set("projects/web/pipelines/deploy", "refName", "v1: first"),
        set("projects/web/pipelines/deploy/actions/Build", "containerImageTag", "24"),
      ]),
    ).toEqual([
      "workspace.yaml -  QA: { description: 'Testers' } # keep me",
      "workspace.yaml -        refType:   BRANCH",
      "workspace.yaml -        refName: main # the trunk",
      'workspace.yaml -            containerImageTag: "22"',
      "workspace.yaml +  QA: { description: 'It''s them' } # keep me",
      "workspace.yaml +        refType:   TAG",
      'workspace.yaml +        refName: "v1: first" # the trunk',
      'workspace.yaml +            containerImageTag: "24"',
    ]);
  });

  it("of several lines that are written as one line stays on its line", () => {
    // A block would not keep the blanks at the end.
    const text =
      'version: 1\nworkspace: acme\nvariables:\n  SCRIPT: "make tests and documentation\\n  \\n"\n';
    files.write({ "workspace.yaml": text });
    const changed = "make tests and documentation\n  \necho done\n";
    expect(files.diff([set("variables/SCRIPT", "value", changed)])).toEqual([
      'workspace.yaml -  SCRIPT: "make tests and documentation\\n  \\n"',
      'workspace.yaml +  SCRIPT: "make tests and documentation\\n  \\necho done\\n"',
    ]);
  });

  it("of a short form is replaced, and another property expands the entry to a map", () => {
    expect(files.diff([set("variables/REGION", "value", "eu-west")])).toEqual([
      "workspace.yaml -  REGION: us-east   # the first one",
      "workspace.yaml +  REGION: eu-west   # the first one",
    ]);
    expect(files.diff([set("variables/SPARE", "description", "Not used")])).toEqual([
      'workspace.yaml -  SPARE: "1"',
      'workspace.yaml +  SPARE: { value: "1", description: Not used }',
    ]);
  });

  it("is changed item by item if it is a list, so that comments of unchanged items remain", () => {
    const build = "projects/web/pipelines/deploy/actions/Build";
    expect(files.diff([set(build, "executeCommands", ["npm ci", "npm run lint", "npm test"])])).toEqual([
      "workspace.yaml +              - npm run lint",
    ]);
    expect(files.diff([set(build, "executeCommands", ["npm ci", "npm run build"])])).toEqual([
      "workspace.yaml -              - npm test",
      "workspace.yaml +              - npm run build",
    ]);
    expect(files.diff([set(build, "executeCommands", ["npm test"])])).toEqual([
      "workspace.yaml -              - npm ci # exact versions",
    ]);
  });

  it("is inserted in the canonical order of properties", () => {
    const { files: changed } = files.edit([
      set("projects/web/pipelines/deploy", "autoClearCache", true),
      set("groups/QA", "adopt", true),
    ]);
    const after = changed[0]?.after ?? "";
    expect(after).toContain(
      "        refName: main # the trunk\n        autoClearCache: true\n        actions:\n",
    );
    expect(after).toContain("QA: { description: 'Testers', adopt: true } # keep me");
  });

  it("is removed with its line, and the last one leaves {}", () => {
    expect(files.diff([unset("projects/web", "displayName"), unset("groups/QA", "description")])).toEqual([
      "workspace.yaml -  QA: { description: 'Testers' } # keep me",
      "workspace.yaml -    displayName: Web shop",
      "workspace.yaml +  QA: {} # keep me",
    ]);
  });

  it("is not changed if it is equal already", () => {
    const { files: changed, made } = files.edit([set("groups/QA", "description", "Testers")]);
    expect(changed).toEqual([]);
    expect(made).toEqual([{ edit: set("groups/QA", "description", "Testers") }]);
  });

  it("is quoted if it has several lines, and escaped if it looks like a placeholder", () => {
    const tell = "projects/web/pipelines/deploy/actions/Tell";
    expect(files.diff([set(tell, "content", "two\nlines of ${env:HOME}")])[1]).toContain(
      'content: "two\\nlines of $${env:HOME}"',
    );
    expect(files.diff([set("variables/SPARE", "value", new AsWritten("${env:SPARE}"))])[1]).toBe(
      'workspace.yaml +  SPARE: "${env:SPARE}"',
    );
  });

  it.each(["\n", "\r\n"])("is changed in a block of text that is not the end of the file (%j)", (eol) => {
    const text = (description: string, command: string) =>
      [
        ...["version: 1", "groups:", "  QA:", `    description: ${description}`, "    members: []"],
        ...["projects:", "  web:", "    pipelines:", "      deploy:", "        triggerMode: MANUAL"],
        ...["        refName: main", "        refType: BRANCH", "        actions:"],
        ...[
          "          - name: Build",
          "            type: BUILD",
          "            triggerTime: ON_EVERY_EXECUTION",
        ],
        ...["            containerImageName: node", '            containerImageTag: "22"'],
        ...["            executeCommands:", `              - ${command}`, "          # then", ""],
      ].join("\n");
    const path = join(files.folder, "workspace.yaml");
    const before = text(
      "|-\n      Who tests\n      it",
      "|\n                npm ci\n                npm test",
    );
    writeFileSync(path, before.replaceAll("\n", eol));
    const build = "projects/web/pipelines/deploy/actions/Build";
    const edited = (description: string, commands: string[]) => {
      const edits = [set("groups/QA", "description", description), set(build, "executeCommands", commands)];
      const { files: changed, refused } = files.edit(edits);
      expect(refused).toEqual([]);
      return changed[0]?.after.replaceAll(eol, "\n");
    };
    expect(edited("Testers", ["npm test"])).toBe(text("Testers", "npm test"));
    expect(edited("Who: tests\nit well", ["npm ci\nnpm run test\n"])).toBe(
      text("|-\n      Who: tests\n      it well", "|\n                npm ci\n                npm run test"),
    );
  });

  it("is changed without affecting line endings, the byte order mark or a missing final newline", () => {
    const text = `\uFEFF${workspace.trimEnd().replaceAll("\n", "\r\n")}`;
    writeFileSync(join(files.folder, "workspace.yaml"), text);
    const { files: changed, refused } = files.edit([
      set("projects/web/pipelines/deploy", "autoClearCache", true),
      set("projects/web/pipelines/deploy/actions/Tell", "content", "other"),
    ]);
    expect(refused).toEqual([]);
    const after = changed[0]?.after ?? "";
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    expect(after).toContain("# the trunk\r\n        autoClearCache: true\r\n");
    expect(after.startsWith("\uFEFFversion: 1\r\n") && after.endsWith("}")).toBe(true);
  });
});

describe("an edit is refused", () => {
  it("for a placeholder with another value, naming both locations", () => {
    files.write({
      "workspace.yaml":
        'variables:\n  KEY: "${env:KEY}"\n  TEXT: "${file:text.txt}"\n  SAFE: ${config:safe}\n',
      "text.txt": "hello",
    });
    const env = { WORKSPACE_VAR_KEY: "abc" };
    expect(
      files.diff([set("variables/KEY", "value", "xyz"), set("variables/TEXT", "value", "bye")], {
        env,
        mock: "config",
      }),
    ).toEqual([
      "conflict: workspace.yaml:3:8 says ${env:KEY}, which has another value: change it in the environment variable WORKSPACE_VAR_KEY, or put the value into the file yourself",
      "conflict: workspace.yaml:4:9 says ${file:text.txt}, which has another value: change it in the file text.txt, or put the value into the file yourself",
    ]);
    expect(files.diff([set("variables/SAFE", "value", "x")], { env, mock: "config" })[0]).toContain(
      "which has a value that is not known here: change it in the stack's configuration safe",
    );
    expect(files.diff([set("variables/KEY", "value", "abc")], { env, mock: "config" })).toEqual([]);
  });

  it("but not for a placeholder of a file that may be written", () => {
    files.write({ "workspace.yaml": 'variables:\n  TEXT: "${file:text.txt}"\n', "text.txt": "hello" });
    const { files: changed } = files.edit([set("variables/TEXT", "value", "bye")], { writeFiles: true });
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({ before: "hello", after: "bye" });
    expect(changed[0]?.path).toMatch(/text\.txt$/);
  });

  it("for unknown objects, and if the file would become invalid", () => {
    files.write({ "workspace.yaml": workspace });
    expect(files.diff([set("groups/Dev", "description", "x"), set("grups/QA", "description", "x")])).toEqual([
      "not-there: groups/Dev is not in the workspace file",
      "not-there: grups/QA is not the logical name of an entry in a workspace file",
    ]);
    expect(
      files.diff([
        set("projects/web/pipelines/deploy", "triggerMode", "SOMETIMES"),
        set("groups/QA", "description", "fine"),
      ]),
    ).toEqual([
      "workspace.yaml -  QA: { description: 'Testers' } # keep me",
      "workspace.yaml +  QA: { description: 'fine' } # keep me",
      expect.stringMatching(/^invalid: the file would not be valid: triggerMode: must be one of/) as string,
    ]);
  });
});
