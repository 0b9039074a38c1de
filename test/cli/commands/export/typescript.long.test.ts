/** Tests `export --language typescript`: the program declares the same as the workspace file, and passes all checks. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typescript } from "../../../../automation/export/writers/typescript.js";
import type { Emulator } from "../../../../emulator/index.js";
import { AsWritten } from "../../../../workspace-file/edit/edit.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import { arbitraryDocument } from "../../../workspace-file/arbitrary-document.js";
import { emulated, personAt } from "../../service-support.js";
import { temporaryFolder } from "../../support.js";
import { apply } from "./apply.js";
import { escaped } from "./escaped.js";
import { complaintsOf, declaredByFile, declaredByProgram } from "./programs.js";

async function workspaceOf(text: string, echoMemberEmail = true): Promise<Emulator> {
  const emulator = await emulated({ echoMemberEmail });
  await apply(emulator, readDeclarations("-", { mock: true, stdin: () => text }).declarations);
  emulator.journal.clear();
  return emulator;
}

const exporting = (emulator: Emulator, ...options: string[]) =>
  personAt(emulator).types(["export", "--language", "typescript", ...options]);

const program = (folder: string) => readFileSync(join(folder, "index.ts"), "utf8");

/** Folders of programs that the last test checks all at once. */
const programs: string[] = [];

const ODD = `version: 1
variables:
  API_TOKEN: abc
  TOKEN: { value: in-clear, encrypted: true }
members: { ann@example.com: {}, ann@example.org: {} }
groups:
  "class": { members: [ann@example.com, ann@example.org] }
  "\u{1f680}": { members: [ann@example.com] }
  developers: { members: [ann@example.com] }
permissionSets:
  developers: { description: All, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
projects:
  web/shop:
    members: { ann@example.com: developers }
    pipelines:
      "1: f\u00fcr alle":
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: "*/ \`\${x}\`"
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: ["if true; then\\n  echo \\"\`date\` \${HOME} \\\\\\\\\\"\\nfi", "a\\r\\nb\\u2028c"]
          - name: Call
            type: HTTP
            triggerTime: ON_EVERY_EXECUTION
            notificationUrl: https://example.com
            headers: [{ name: Authorization, value: Bearer abc }, { name: X-Api-Key, value: def }]
          - { name: Scan, type: CUSTOM_SCAN, triggerTime: ON_EVERY_EXECUTION, integration: chat-main, fields: { scan-target: src, depth: 0 } }
`;

describe("export --language typescript", () => {
  it("writes a program that declares the same as the file, with odd names and texts", async () => {
    const emulator = await workspaceOf(ODD);
    const folder = join(temporaryFolder(), "program");
    programs.push(folder);
    const { code, stdout, stderr } = await exporting(emulator, "-o", folder);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/pulumi config set --secret token2 +# variables\/TOKEN: value/);
    expect(readdirSync(folder).sort()).toEqual([
      ...[".gitignore", "Pulumi.yaml", "index.ts", "package.json", "tsconfig.json"],
    ]);
    const text = program(folder);
    expect(text).toContain(
      'pulumi.interpolate`Bearer ${config.requireSecret("webShop1FRAlleCallHeaders1Value")}`',
    );
    // The same secret stands in both places.
    expect(text).toContain('value: config.requireSecret("webShop1FRAlleCallHeaders1Value")');
    expect(text).not.toMatch(/in-clear|Bearer abc/);
    for (const name of ["annExampleCom", "annExampleOrg", "classGroup", "group", "developersGroup"])
      expect(text).toContain(`const ${name} = `);
    expect(text).toContain('const webShop = new Project("projects/web%2Fshop"');
    const file = await personAt(emulator).types(["export"]);
    const keys = [...stderr.matchAll(/^ {2}pulumi config set (?:--secret )?(\S+)/gm)].map(([, key]) => key);
    const variables = [...file.stderr.matchAll(/^ {2}([A-Z_\d]+) {2}/gm)].map(([, variable]) => variable);
    expect(keys).toHaveLength(3);
    const config = Object.fromEntries(
      keys.map((key, index) => [String(key), `mock-${variables[index]?.replace("WORKSPACE_VAR_", "")}`]),
    );
    const ofFile = await declaredByFile(file.stdout);
    const ofProgram = await declaredByProgram(folder, config);
    expect(ofProgram).toEqual(ofFile);
    expect(ofFile.size).toBeGreaterThan(15);
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("writes a file per project if there are several, or with --split", async () => {
    const one = "version: 1\ngroups: { QA: {} }\nprojects: { web: {} }\n";
    const several = "version: 1\nvariables: { A: b }\nprojects: { web: {}, Web: {}, aux: {}, a.d: {} }\n";
    const folder = temporaryFolder();
    await exporting(await workspaceOf(one), "--split", join(folder, "one"));
    expect(readdirSync(join(folder, "one/projects"))).toEqual(["web.ts"]);
    await exporting(await workspaceOf(several), "-o", join(folder, "several"));
    expect(readdirSync(join(folder, "several/projects")).sort()).toEqual([
      ...["Web.ts", "a-d.ts", "aux-project.ts", "web-2.ts"],
    ]);
    expect(program(join(folder, "several"))).toContain('import "./projects/a-d";');

    const fewer = await workspaceOf(one.replace("web", "aux"));
    const { stderr } = await exporting(fewer, "--split", join(folder, "several"), "--force");
    expect(stderr).toContain(
      "to be deleted: projects/Web.ts, projects/a-d.ts, projects/web-2.ts, variables.ts\n",
    );
  });

  it("refers by name or number to objects that it does not contain", async () => {
    const emulator = await workspaceOf(ODD, false);
    const folder = temporaryFolder();
    const [people, pipelines] = ["people", "pipelines"].map((name) => join(folder, name)) as [string, string];
    programs.push(people, pipelines);
    expect(await exporting(emulator, "-o", people)).toMatchObject({ code: 10 });
    expect(program(people)).toMatch(/group: developersGroup,\n {2}member: \d+,/);
    await exporting(emulator, "-o", pipelines, "--kinds", "pipelines,actions");
    expect(program(pipelines)).toContain('project: "web/shop",');
  });

  it("overwrites a program only with --force, and then preserves changes to its settings", async () => {
    const emulator = await workspaceOf("version: 1\ngroups: { QA: {} }\n");
    const folder = temporaryFolder();
    expect(await exporting(emulator)).toMatchObject({ code: 1 });
    await exporting(emulator, "-o", folder);
    const before = program(folder);
    writeFileSync(join(folder, "index.ts"), "");
    writeFileSync(join(folder, "package.json"), '{ "name": "mine" }');
    expect((await exporting(emulator, "-o", folder)).stderr).toContain("--force");
    expect(program(folder)).toBe("");
    expect(await exporting(emulator, "-o", folder, "--force")).toMatchObject({ code: 0 });
    expect(program(folder)).toBe(before);
    expect(readFileSync(join(folder, "package.json"), "utf8")).toContain("mine");
  });
});

describe("the program of any workspace", () => {
  it("declares the same as the file", async () => {
    const folder = temporaryFolder();
    const document = arbitraryDocument().map(({ connection: _none, ...given }) =>
      escaped({ ...given, workspace: "acme" }),
    );
    await fc.assert(
      fc.asyncProperty(document, fc.boolean(), async (given, split) => {
        const text = documentText(given);
        const { declarations } = readDeclarations("-", { mock: true, stdin: () => text });
        const [first] = declarations.filter(({ args }) => typeof args["description"] === "string");
        const needed = first
          ? [{ variable: "OF_FIRST", name: first.name, arg: "description", also: [] }]
          : [];
        const placed = first && { ...first, args: { description: new AsWritten("${env:OF_FIRST}") } };
        const declared = { declarations: placed ? [placed] : [], needed, gaps: [], hidden: new Map() };
        const into = join(folder, String(programs.length));
        const exported = {
          document: given,
          declared,
          objects: [],
          address: "https://host/api",
          folder: into,
        };
        const { files } = await typescript.write(exported, split);
        for (const [file, source] of files) {
          mkdirSync(dirname(join(into, file)), { recursive: true });
          writeFileSync(join(into, file), source);
        }
        programs.push(into);
        const config = { ofFirst: String(first?.args["description"]) };
        expect(await declaredByProgram(into, config)).toEqual(await declaredByFile(text));
      }),
      { numRuns: 16, seed: 9, endOnFailure: true },
    );
    expect(programs.length).toBeGreaterThanOrEqual(16);
  });

  it("passes the checks of all tools, which report a deliberate error", async () => {
    const faulty = join(temporaryFolder(), "index.ts");
    const group =
      'import { Group } from "pulumi-workspace-automation";\nconst unused = new Group("QA", { nam: 1 })\n';
    writeFileSync(faulty, group);
    const complaints = await complaintsOf([...programs, dirname(faulty)]);
    expect(complaints.filter((complaint) => !complaint.startsWith(faulty))).toEqual([]);
    expect(complaints.join("\n")).toMatch(/'nam' does not exist[^]*no-unused-vars/);
  });
});
