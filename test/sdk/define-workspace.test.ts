/** Tests workspace files in TypeScript: their types, and the loading of modules. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import {
  type ActionEntry,
  defineWorkspace,
  type PipelineEntry,
  type WorkspaceDocument,
} from "../../sdk/nodejs/index.js";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { ModuleError, readModule } from "../../workspace-file/load/module.js";

describe("defineWorkspace", () => {
  it("returns the document", () => {
    const document = defineWorkspace({ version: 1, projects: { web: { displayName: "Web shop" } } });
    expect(document).toEqual({ version: 1, projects: { web: { displayName: "Web shop" } } });
    expectTypeOf(defineWorkspace).returns.toEqualTypeOf<WorkspaceDocument>();
  });

  it("accepts every form of an entry", () => {
    const pipelines: PipelineEntry[] = [
      { triggerMode: "MANUAL", refName: "main", actions: [{ template: "notify" }] },
      { template: "node-service", with: { service: "api" }, refName: "release" },
      { external: true },
    ];
    const document = defineWorkspace({
      version: 1,
      members: { "ann@example.com": { admin: true }, "bob@example.com": null },
      groups: { QA: { members: ["bob@example.com"] } },
      variables: { REGION: "us-east", KEY: { value: "x", encrypted: true } },
      templates: { "node-service": { type: "Pipeline", entry: { triggerMode: "MANUAL" } } },
      projects: {
        web: { members: { "ann@example.com": "developers" } },
        docs: { external: true, pipelines: { site: { triggerMode: "MANUAL", refName: "main" } } },
      },
    });
    expect([pipelines.length, document.version]).toEqual([3, 1]);
  });

  it("does not require properties that defaults or other files may supply", () => {
    const withDefaults = defineWorkspace({
      version: 1,
      defaults: { Pipeline: { refType: "BRANCH", refName: "main" }, Action: { containerImageName: "node" } },
      projects: {
        web: { pipelines: { deploy: { triggerMode: "MANUAL", actions: [{ name: "A", type: "BUILD" }] } } },
      },
    });
    const inParts = defineWorkspace({
      version: 1,
      include: ["teams/*.yaml"],
      projects: { web: { pipelines: { deploy: { triggerMode: "MANUAL" } } } },
    });
    expect([withDefaults.version, inParts.version]).toEqual([1, 1]);
  });

  it("refuses properties that workspace files do not have", () => {
    // @ts-expect-error there is always a version
    defineWorkspace({ projects: {} });
    // @ts-expect-error no such section
    defineWorkspace({ version: 1, project: {} });
    // @ts-expect-error refName is missing
    const noRef: PipelineEntry = { triggerMode: "MANUAL" };
    // @ts-expect-error no such trigger mode
    const mode: PipelineEntry = { triggerMode: "SOMETIMES", refName: "main" };
    // @ts-expect-error a misspelled argument
    const misspelled: PipelineEntry = { triggerMode: "MANUAL", refName: "main", autoClearCach: true };
    // @ts-expect-error a PING has a destination
    const ping: ActionEntry = { name: "Ping", type: "PING", triggerTime: "ON_FAILURE" };
    const build: ActionEntry = {
      name: "Build",
      type: "BUILD",
      triggerTime: "ON_EVERY_EXECUTION",
      containerImageName: "node",
      containerImageTag: "22",
      executeCommands: ["npm test"],
      // @ts-expect-error a BUILD has no destination
      destination: "shop.example.com",
    };
    // @ts-expect-error with defaults, too, an enumeration is one
    defineWorkspace({ version: 1, defaults: { Pipeline: { refType: "HEAD" } } });
    expect([noRef, mode, misspelled, ping, build]).toHaveLength(5);
  });
});

describe("a module", () => {
  const folder = mkdtempSync(join(tmpdir(), "workspace-module-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const importing = `import { defineWorkspace } from "pulumi-workspace-automation";\n`;

  it("in TypeScript with imports returns its default export", () => {
    write("services.ts", `export const services: readonly string[] = ["a", "b"];`);
    const file = write(
      "workspace.ts",
      `${importing}import { services } from "./services.js";
export default defineWorkspace({ version: 1, projects: Object.fromEntries(services.map((s) => [s, {}])) });`,
    );
    expect(readModule(file)).toEqual({ version: 1, projects: { a: {}, b: {} } });
    expect(readDeclarations(file).declarations.map((d) => d.name)).toEqual(["projects/a", "projects/b"]);
  });

  it.each([
    ["workspace.mts", `${importing}export default defineWorkspace({ version: 1 });`],
    ["workspace.js", "export default { version: 1 };"],
    ["workspace.mjs", "export default { version: 1 };"],
    ["workspace.cjs", "module.exports = { version: 1 };"],
  ])("may be %s", (name, text) => {
    expect(readModule(write(name, text))).toEqual({ version: 1 });
  });

  it("is loaded again after a change", () => {
    const file = write("changing.ts", "export default { version: 1, workspace: 'a' };");
    expect(readModule(file)).toMatchObject({ workspace: "a" });
    write("changing.ts", "export default { version: 1, workspace: 'b' };");
    expect(readModule(file)).toMatchObject({ workspace: "b" });
  });

  it.each([
    ["none.ts", "export const document = {};", 1, "there is no default export that is a document"],
    ["text.ts", "export default 'version: 1';", 1, "there is no default export that is a document"],
    ["function.ts", "export default () => ({ version: 1 });", 1, "the default export is a function"],
    ["promise.ts", "export default Promise.resolve({ version: 1 });", 1, "the default export is a promise"],
    [
      "throws.ts",
      "const region: string = 'x';\nthrow new Error('no region ' + region);",
      2,
      "throws Error: no region x",
    ],
    ["syntax.ts", "export default {\n  version: 1,,\n};", 2, "cannot be read: Unexpected token"],
    [
      "missing.ts",
      "import 'nothing-there';\nexport default { version: 1 };",
      1,
      "Cannot find module 'nothing-there'",
    ],
  ])("%s is refused with the reason and location", (name, text, line, message) => {
    const file = write(name, text);
    const problem = (() => {
      try {
        return readModule(file);
      } catch (error) {
        return error;
      }
    })();
    expect(problem).toBeInstanceOf(ModuleError);
    expect((problem as ModuleError).message).toContain(message);
    expect((problem as ModuleError).place).toMatchObject({ file, line });
  });

  it("that does not exist is refused", () => {
    expect(() => readModule(join(folder, "nowhere.ts"))).toThrow(/there is no such file/);
  });

  it("is validated like any other workspace file", () => {
    const file = write("wrong.ts", "export default { version: 1, projects: { web: { displayNam: 'x' } } };");
    expect(() => readDeclarations(file)).toThrow(/unknown property "displayNam"/);
  });

  it("of the examples is valid", () => {
    const declared = readDeclarations(resolve("examples/typescript-document/workspace.ts"));
    expect(declared.declarations.filter((d) => d.definition.type === "Project")).toHaveLength(3);
    expect(declared.declarations.filter((d) => d.definition.type === "Pipeline")).toHaveLength(4);
  });
});
