/** Tests which files belong to a workspace, and how they are read. */
import fs, { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join, resolve } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TrustError } from "../../../trust/errors.js";
import {
  describeUnreadable,
  findOverlay,
  getShortName,
  hasOverlays,
  listFilesOf,
  readDocumentText,
  UnreadableFile,
} from "../../../workspace-file/load/files.js";
import { ModuleError } from "../../../workspace-file/load/module.js";
import { MAX_FILE_BYTES } from "../../../workspace-file/syntax/parse.js";
import { argsOf, Files } from "../document-files.js";

let files: Files;
const at = (...path: string[]) => join(files.folder, ...path);
beforeEach(() => {
  files = new Files();
});

describe("a folder", () => {
  it("has documents, but not what is hidden, Pulumi's, an overlay or something else", () => {
    const documents = ["a.yaml", "b.b.yml", "c.eu.yaml", "MyPulumi.yaml", "Pulumis.yaml"];
    const others = ["a.eu.yaml", "b.b.us.yaml", ".d.yaml", "Pulumi.yaml", "Pulumi.eu.yaml"];
    const noDocuments = ["a.yaml.bak", "a.txt", "ayaml", "e.eu.yamls"];
    files.write(Object.fromEntries([...documents, ...others, ...noDocuments].map((name) => [name, ""])));
    expect(listFilesOf(files.folder).map((file) => basename(file))).toEqual(documents.toSorted());
  });

  it("has no document with the addresses of people by their numbers", () => {
    const people = "version: 1\nmembers:\n  # Bob\n  4: bob@example.com\n";
    files.write({ "people.yaml": people, "workspace.yaml": "" });
    expect(listFilesOf(files.folder)).toEqual([at("workspace.yaml")]);
    files.write({ "people.yaml": "version: 1\nmembers:\n  bob@example.com: {}\n" });
    expect(listFilesOf(files.folder)).toEqual([at("people.yaml"), at("workspace.yaml")]);
  });

  it("without a document is refused", () => {
    files.write({ ".hidden.yaml": "" });
    expect(files.wrong(".")).toEqual([
      `${files.folder}:1: is a folder without a workspace file: put a *.yaml file into it`,
    ]);
  });

  it("may be a link to elsewhere if the caller has named it", () => {
    files.write({ "real/workspace.yaml": "groups: { QA: {} }\n", "real/workspace.eu.yaml": "" });
    mkdirSync(at("links"));
    symlinkSync("../real", at("links/ws"));
    expect(listFilesOf(at("links/ws"))).toEqual([at("links/ws/workspace.yaml")]);
    expect(() => listFilesOf(at("links/ws"), {})).toThrow(TrustError);
    expect([at("links/ws"), at("links/ws/workspace.yaml")].map(hasOverlays)).toEqual([true, true]);
    expect(files.read("links/ws").declarations).toHaveLength(1);
  });
});

describe("an overlay", () => {
  it("is that of a file and a stack, by the stack's short name", () => {
    files.write({ "a.yaml": "", "a.eu.yaml": "", "b.us.yml": "" });
    expect(findOverlay(at("a.yaml"), "eu")).toBe(at("a.eu.yaml"));
    expect(findOverlay(at("a.yaml"), "acme/web/eu")).toBe(at("a.eu.yaml"));
    expect(findOverlay(at("b.yaml"), "acme/us")).toBe(at("b.us.yml"));
    expect(findOverlay(at("a.yaml"), "us")).toBeUndefined();
    expect(["eu", "acme/eu", "acme/web/eu"].map(getShortName)).toEqual(["eu", "eu", "eu"]);
  });

  it("is found for any stack, next to its file", () => {
    const found = () => [at("a.yaml"), at("b.yaml"), files.folder].map(hasOverlays);
    files.write({ "a.yaml": "", "b.yaml": "", "a.eu.yaml.bak": "", "Pulumi.yaml": "", "Pulumi.eu.yaml": "" });
    expect(found()).toEqual([false, false, false]);
    files.write({ "b.eu.yaml": "" });
    expect(found()).toEqual([false, true, true]);
    expect(["-", at("none.yaml")].map(hasOverlays)).toEqual([false, false]);
  });
});

describe("a file that cannot be read", () => {
  it("is reported with the reason, at its beginning, and a module where it fails", () => {
    const place = { file: "a.yaml", line: 1, column: 1 };
    const describe_ = (error: Error) => describeUnreadable("a.yaml", error);
    expect(describe_(new UnreadableFile("is odd"))).toEqual({ place, message: "is odd" });
    expect(describe_(new TrustError("path", "a.yaml is a link", "copy it"))).toEqual({
      place,
      message: "is a link: copy it",
    });
    expect(describe_(new Error("EACCES"))).toEqual({ place, message: "cannot be read: EACCES" });
    expect(describe_(new ModuleError("b.ts", "throws x"))).toEqual({
      place: { ...place, file: "b.ts" },
      message: "throws x",
    });
  });

  it("is above the folder where somebody works", () => {
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(at("modules/net"));
    try {
      files.write({ "workspace.yaml": "version: 1" });
      const read = () => readDocumentText("workspace.yaml", {});
      expect(read).toThrow("there is one above, so run the command there, or pass -f ../../workspace.yaml");
      mkdirSync(at("modules/.git"), { recursive: true });
      expect(read).toThrow('create one with "workspacectl init"');
    } finally {
      cwd.mockRestore();
    }
  });

  it("does not exist, is no text, or is too large", () => {
    expect(files.wrong()).toEqual([
      `workspace.yaml:1: there is no such file (looked in ${process.cwd()}): pass the workspace file with -f FILE, or create one with "workspacectl init"`,
    ]);
    writeFileSync(at("workspace.yaml"), Buffer.from("version: 1 # \xe9", "latin1"));
    expect(files.wrong()).toEqual(["workspace.yaml:1: is not UTF-8 text: save it as UTF-8"]);
    const comment = (bytes: number) => `version: 1\n#${"x".repeat(bytes - "version: 1\n#".length)}`;
    files.write({ "workspace.yaml": comment(MAX_FILE_BYTES) });
    expect(files.wrong()).toEqual([]);
    files.write({ "workspace.yaml": comment(MAX_FILE_BYTES + 1) });
    expect(files.wrong()).toEqual([
      expect.stringContaining("workspace.yaml:1: the file has 2.0 MB, more than"),
    ]);
  });
});

describe("a file whose text is a value", () => {
  const problemOf = (path: string) => {
    files.write({ "workspace.yaml": `variables: { A: "\${file:${path}}" }` });
    return files.wrong();
  };

  it("is listed, and read once", () => {
    files.write({
      "a.txt": "text",
      "workspace.yaml": 'variables: { A: "${file:a.txt}", B: "${file:./a.txt}" }',
    });
    expect(files.read().valueFiles).toEqual([at("a.txt")]);
    expect(argsOf(files.read(), "variables/B")).toMatchObject({ value: "text" });
  });

  it("may be only in memory", () => {
    files.write({ "workspace.yaml": 'variables: { A: "${file:a.txt}" }' });
    const texts = new Map([[resolve(at("a.txt")), "in memory"]]);
    expect(argsOf(files.read("workspace.yaml", { texts }), "variables/A")).toMatchObject({
      value: "in memory",
    });
  });

  it("is in the folder, and neither a folder nor too large", () => {
    const outside = `is not read, because its path is /none/a.txt, outside the folder of the workspace file (${at(".")}): copy it into that folder, and correct the path here. Or allow it: --allow-path /none (in a fleet: allowPaths of the fleet file, for folders of the checkout)`;
    expect(problemOf("")).toEqual([
      "workspace.yaml:2: this placeholder needs the path of a file, such as ${file:deploy.sh}",
    ]);
    expect(problemOf("a.txt")).toEqual([
      "workspace.yaml:2: there is no file a.txt, seen from the folder of workspace.yaml: correct the path, or create the file",
    ]);
    // Whether such a file exists is not said.
    expect(problemOf("/none/a.txt")).toEqual([`workspace.yaml:2: the file /none/a.txt ${outside}`]);
    mkdirSync(at("folder"));
    expect(problemOf("folder")).toEqual([
      "workspace.yaml:2: folder is a folder, but a file is expected: write the path of a file in it",
    ]);
    files.write({ "large.txt": "x".repeat(MAX_FILE_BYTES + 1) });
    expect(problemOf("large.txt")).toEqual([
      "workspace.yaml:2: the file large.txt is too large to be a value of the workspace file: use a smaller one",
    ]);
  });
});

describe("standard input", () => {
  const inputs: Buffer[] = [];
  const original = fs.readFileSync;

  it("is read once, if it is not too large", async () => {
    vi.resetModules();
    const { readStdin } = await import("../../../workspace-file/load/files.js");
    inputs.push(Buffer.alloc(MAX_FILE_BYTES + 1), Buffer.alloc(MAX_FILE_BYTES, "a"), Buffer.from("later"));
    fs.readFileSync = (() => inputs.shift()) as unknown as typeof fs.readFileSync;
    syncBuiltinESMExports();
    try {
      expect(readStdin).toThrow("the file has 2.0 MB, more than the 2.0 MB a workspace file may have");
      expect(readStdin()).toBe("a".repeat(MAX_FILE_BYTES));
      expect(readStdin()).toHaveLength(MAX_FILE_BYTES);
    } finally {
      fs.readFileSync = original;
      syncBuiltinESMExports();
    }
  });
});
