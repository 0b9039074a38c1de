/**
 * Tests a run that loads its files more than once: it uses the same text each time, in spite of changes
 * meanwhile.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readDeclarations, ReadOnce } from "../../workspace-file/load/load.js";

let folder: string;
let file: string;
const save = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "read-once-"));
  file = join(folder, "workspace.yaml");
  save("motto.txt", "first");
  save("workspace.yaml", "version: 1\ninclude: groups.yaml\nvariables: { A: '${config:a}' }\n");
  save("groups.yaml", "groups:\n  QA: { description: '${file:motto.txt}' }\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a second load uses the text of the first one, in spite of changes between them", () => {
  const once = new ReadOnce();
  const before = readDeclarations(file, { once, mock: "config" });
  save("motto.txt", "second");
  save("workspace.eu.yaml", "groups: { QA: { description: of the overlay } }\n");
  save("groups.yaml", "# a line more\ngroups:\n  Other: {}\n");
  save("workspace.yaml", "no: [yaml\n");

  const after = readDeclarations(file, {
    once,
    stack: "eu",
    config: () => ({ value: "configured", secret: false }),
  });

  expect(after.declarations.map(({ name }) => name)).toEqual(before.declarations.map(({ name }) => name));
  const [qa] = after.declarations.filter(({ name }) => name === "groups/QA");
  expect(qa?.args["description"]).toBe("first");
  expect(after.locate(qa!.path, true)).toMatchObject({ file: join(folder, "groups.yaml"), line: 2 });
  expect([...after.sources.values()].map(({ text }) => text)).toEqual(
    [...before.sources.values()].map(({ text }) => text),
  );
});

it("a second load resolves placeholders again, so that the configuration of the stack can be added", () => {
  const once = new ReadOnce();
  const valueOf = (read: typeof readDeclarations) =>
    read(file, { once, config: (key) => ({ value: `configured ${key}`, secret: false }) }).declarations.find(
      ({ name }) => name === "variables/A",
    )?.args["value"];
  readDeclarations(file, { once, mock: "config" });
  expect(valueOf(readDeclarations)).toBe("configured a");
});
