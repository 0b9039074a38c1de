/** Tests how the files of a document are read: includes, overlays, links, standard input, and what placeholders may read. */
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { TrustError } from "../../../trust/errors.js";
import { readDocument } from "../../../workspace-file/load/load.js";
import { argsOf, Files, namesOf } from "../document-files.js";
import { declared, loaded, problemsOf } from "./loaded.js";

let files: Files;
const at = (...path: string[]) => join(files.folder, ...path);
beforeEach(() => {
  files = new Files();
});

const more = { "more.yaml": "groups: { QA: {} }" };

describe("an include", () => {
  it.each(["more.yaml", "[more.yaml]", "[./more.yaml, more.yaml, '*.yaml']", "['[m]ore.yaml']"])(
    "reads each file once: %s",
    (include) => {
      files.write({ "workspace.yaml": `include: ${include}\nvariables: { A: a }`, ...more });
      expect(namesOf(files.read())).toEqual(["groups/QA", "variables/A"]);
    },
  );

  it("may be empty, and files may include one another", () => {
    files.write({ "workspace.yaml": "include:\nvariables: { A: a }" });
    expect(namesOf(files.read())).toEqual(["variables/A"]);
    files.write({ "workspace.yaml": "include: more.yaml\nvariables: { A: a }" });
    files.write({ "more.yaml": "include: workspace.yaml\ngroups: { QA: {} }" });
    expect(namesOf(files.read())).toEqual(["groups/QA", "variables/A"]);
  });

  const list =
    '"include" must be a list of paths of files, relative to this one, such as include: [teams/*.yaml]';
  it.each([
    ["7", [list]],
    ["[more.yaml, '']", [list]],
    ["[{ a: b }]", [list]],
    ["{ a: b }", [list]],
    ["workspace.yaml", ["workspace.yaml is this file itself, which cannot include itself: remove the line"]],
    ["[none.yaml]", ["no file matches none.yaml, seen from the folder of this file: correct the path"]],
    ["['n*.yaml']", ["no file matches n*.yaml, seen from the folder of this file: correct the path"]],
    [
      "['*a*b*c*d*']",
      ["*a*b*c*d* has more than 3 stars in one part: use several patterns, or a simpler one"],
    ],
    [
      "[program.mjs]",
      [
        "program.mjs is a program, and only YAML or JSON can be included: include such a file, or pass the program itself with -f",
      ],
    ],
    [
      "[../other.yaml]",
      [
        "../other.yaml is not read, because its path is ABOVE/other.yaml, outside the folder of the workspace file (HERE): copy it into that folder, and correct the path here. Or allow it: --allow-path ABOVE/other.yaml (in a fleet: allowPaths of the fleet file, for folders of the checkout)",
      ],
    ],
  ])("is refused where it is %s", (include, messages) => {
    files.write({ ...more, "program.mjs": "throw new Error('this must not run')" });
    files.write({ "workspace.yaml": `variables: { A: a }\ninclude: ${include}` });
    const show = (text: string) =>
      text.replaceAll("HERE", files.folder).replaceAll("ABOVE", dirname(files.folder));
    expect(files.wrong()).toEqual(messages.map((message) => `workspace.yaml:3: ${show(message)}`));
  });

  it("may be a module in a module", () => {
    files.write({ "more.mjs": "export default { version: 1, groups: { QA: {} } };" });
    files.write({ "workspace.mjs": "export default { version: 1, include: ['more.mjs', 'more.yaml'] };" });
    files.write({ "more.yaml": "variables: { A: a }" });
    expect(namesOf(files.read("workspace.mjs"))).toEqual(["groups/QA", "variables/A"]);
  });

  it("names no stack", () => {
    files.write({ "workspace.yaml": "stack: us\ninclude: more.yaml", "more.yaml": "groups: {}\nstack: us" });
    expect(files.wrong()).toEqual([
      "more.yaml:3: an included file cannot set the stack: remove this line, or move it to the workspace file",
    ]);
  });
});

describe("an overlay", () => {
  it("neither includes files nor names the stack", () => {
    files.write({ "workspace.yaml": "", "workspace.eu.yaml": "stack: eu\ninclude: more.yaml\n", ...more });
    expect(files.wrong("workspace.yaml", { stack: "eu" })).toEqual([
      "workspace.eu.yaml:2: an overlay cannot set the stack: remove this line, or move it to the workspace file",
      "workspace.eu.yaml:3: an overlay cannot include files: remove include, and pass several overlays with --overlay",
    ]);
  });

  it("that does not exist is the only problem", () => {
    files.write({ "workspace.yaml": "groups: { QA: { members: [eve@example.com] } }" });
    expect(files.wrong("workspace.yaml", { overlays: [at("none.yaml")] })).toEqual([
      expect.stringMatching(/^none.yaml:1: there is no such file/),
    ]);
  });
});

describe("a file that is no document", () => {
  const isNoMap = 'a workspace file must be a map that begins with `version: 1`: see "workspacectl init"';

  it.each([
    ["no YAML", '{ "groups": [', /^more.json:1: /],
    ["a list", "[1]", `more.json:1: ${isNoMap}`],
    ["a text", '"a"', `more.json:1: ${isNoMap}`],
  ])("is the only problem, because it may declare what others use: %s", (_what, text, problem) => {
    const uses = "include: more.json\ngroups: { QA: { members: [eve@example.com] } }";
    files.write({ "workspace.yaml": uses, "more.json": text });
    expect(files.wrong()).toEqual([expect.stringMatching(problem)]);
    expect(readDocument(at("workspace.yaml"))).toMatchObject({ tree: undefined, valueFiles: [] });
  });
});

describe("a link", () => {
  beforeEach(() => {
    files.write({ "real/workspace.yaml": "groups: { QA: {} }", "real/over.yaml": "variables: { A: a }" });
    mkdirSync(at("links"));
    for (const name of ["workspace.yaml", "over.yaml"]) symlinkSync(`../real/${name}`, at("links", name));
    symlinkSync("../real/over.yaml", at("links/workspace.eu.yaml"));
  });

  it("may lead elsewhere from what the caller has named", () => {
    expect(namesOf(files.read("links/workspace.yaml"))).toEqual(["groups/QA"]);
    const overlays = [at("links/over.yaml")];
    expect(namesOf(files.read("links/workspace.yaml", { overlays }))).toEqual(["groups/QA", "variables/A"]);
  });

  it("from a file that was found next to it may lead only where the caller allows", () => {
    const options = { stack: "eu" };
    expect(files.wrong("links/workspace.yaml", options)).toEqual([
      expect.stringMatching(
        /^links\/workspace.eu.yaml:1: is not read, because it is a link to real\/over.yaml, which is outside of links/,
      ),
    ]);
    expect(namesOf(files.read("links/workspace.yaml", { ...options, allowPaths: [at("real")] }))).toEqual([
      "groups/QA",
      "variables/A",
    ]);
  });
});

describe("standard input", () => {
  const stdin = () => "version: 1\nvariables: { A: a, B: }\n";
  const texts = new Map([[resolve("-.eu.yaml"), "version: 1\nvariables: { A: of an overlay }\n"]]);

  it("has no overlay of its own, and a name of its own in messages", () => {
    files.write({ "workspace.eu.yaml": "variables: { A: of an overlay, B: b }" });
    const { problems, tree, sources, overlayFiles } = readDocument("-", { stdin, stack: "eu", texts });
    expect([problems, overlayFiles]).toEqual([[], []]);
    expect([...sources.keys()]).toEqual(["<stdin>"]);
    expect(tree?.at.source.file).toBe("<stdin>");
  });
});

describe("a placeholder", () => {
  const text = 'variables: { A: "${env:NONE}", B: "${config:none}", C: "${secret:env:NONE}" }';
  const missing = {
    A: expect.stringMatching(/^2:18: .*WORKSPACE_VAR_NONE/) as unknown,
    B: expect.stringMatching(/^2:36: the stack's configuration none is not set/) as unknown,
    C: expect.stringMatching(/^2:57: .*WORKSPACE_VAR_NONE/) as unknown,
  };

  it("needs a value, unless the options say what stands for it", () => {
    expect(problemsOf(text)).toEqual([missing.A, missing.B, missing.C]);
    expect(problemsOf(text, { mock: "config" })).toEqual([missing.A, missing.C]);
    expect(problemsOf(text, { secretsLater: true })).toEqual([missing.A, missing.B]);
    expect(problemsOf(text, { secretsLater: false, mock: false })).toHaveLength(3);
    expect(declared(loaded(text, { mock: true }), "variables/B").args).toMatchObject({ value: "mock-none" });
  });

  it("reads only variables that are allowed", () => {
    const home = { env: { HOME: "/root" } };
    expect(problemsOf('variables: { A: "${env:HOME}" }', home)).toHaveLength(1);
    const file = loaded('variables: { A: "${env:HOME}" }', { ...home, allowEnv: ["HOME"] });
    expect(declared(file, "variables/A").args).toMatchObject({ value: "/root" });
  });

  it("of a file that may not be read is refused, also later", () => {
    files.write({ "workspace.yaml": 'variables: { A: "${secret:file:a.txt}" }', "a.txt": "text" });
    const { secretFile, ...file } = files.read();
    expect(argsOf(file as never, "variables/A")).toMatchObject({ value: "text" });
    expect(secretFile("a.txt")).toBe("text");
    expect(secretFile("none.txt")).toBeUndefined();
    expect(() => secretFile("/etc/hostname")).toThrow(TrustError);
  });
});
