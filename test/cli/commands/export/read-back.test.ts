/** Tests that a file is read back before it is written: what cannot be read, or means something else, changes nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { requireMeaning, writeUserFiles } from "../../../../automation/config-files/write-user-files.js";
import { openExisting } from "../../../../automation/export/patch/existing-file.js";
import { writeEdited } from "../../../../automation/export/patch/patch-existing.js";
import { yaml } from "../../../../automation/export/writers/yaml.js";
import { createPlainMeaning, editWorkspace } from "../../../../workspace-file/edit/edit.js";
import { fileIn, temporaryFolder } from "../../support.js";

const before = "version: 1\nworkspace: acme\nvariables: { REGION: us }\n";

/** Edits a file in which the text of the result is replaced. */
function write(after: string): { readonly failure: string; readonly text: string } {
  const path = fileIn(temporaryFolder(), "workspace.yaml", before);
  const existing = openExisting(path, {}, {});
  const edit = { set: { name: "variables/REGION", path: ["value"], value: "eu" } };
  const { files, expected } = editWorkspace(path, existing.reading, [edit]);
  const planted = files.map((file) => ({ ...file, after }));
  let failure = "";
  try {
    writeEdited({ files: planted, expected }, { dryRun: false, of: existing });
  } catch (error) {
    failure = (error as Error).message;
  }
  return { failure, text: readFileSync(path, "utf8") };
}

it.each([
  ["has two keys of one name", "version: 1\nworkspace: acme\nvariables: { REGION: us, REGION: eu }\n"],
  ["has a text in the place of a map", 'version: 1\nworkspace: acme\nvariables: "eu"\n'],
  ["is no YAML", "version: 1\nvariables: { REGION: us\n"],
])("writes nothing where the text %s", (_what, after) => {
  const { failure, text } = write(after);
  expect(failure).toContain("would not be valid");
  expect(text).toBe(before);
});

it.each([
  ["lacks the change", before, "variables.REGION.value"],
  ["changes something else, too", before.replace("us", "eu").replace("acme", "other"), "workspace"],
  ["has lost a key", "version: 1\nvariables: { REGION: eu }\n", "workspace"],
  ["has another value", before.replace("us", "eu\u00a0"), "variables.REGION.value"],
])("writes nothing where the text %s", (_what, after, where) => {
  const { failure, text } = write(after);
  expect(failure).toContain(`the value of ${where} would not be the one`);
  expect(text).toBe(before);
});

it("writes what means the change, in any form", () => {
  const after = 'version: 1\nworkspace: "acme"\nvariables:\n  REGION: { value: eu }\n';
  expect(write(after)).toEqual({ failure: "", text: after });
});

it("writes no export that means another document", async () => {
  const document = {
    version: 1,
    workspace: "acme",
    variables: { REGION: "us", SCRIPT: "a\n  b\n" },
  } as const;
  const exported = { document, declared: { declarations: [], needed: [], gaps: [], hidden: new Map() } };
  const { files, meaning } = await yaml.write(
    { ...exported, objects: [], address: "", folder: undefined },
    true,
  );
  const folder = temporaryFolder();
  const at = [...files].map(([file, after]) => ({ path: join(folder, file), after }));
  requireMeaning(at, meaning!);
  const planted = at.map(({ path, after }) => ({ path, after: after.replace("  b", " b") }));
  expect(() => writeUserFiles(planted, meaning!)).toThrow(/the value of variables.SCRIPT/);
  expect(() => readFileSync(at[0]!.path)).toThrow("ENOENT");
});

it("compares a file of its own with what it should say", () => {
  const path = join(temporaryFolder(), "workspace.eu.yaml");
  const meaning = createPlainMeaning(path, { version: 1, workspace: "on" });
  expect(() => writeUserFiles([{ path, after: "version: 1\nworkspace: true\n" }], meaning)).toThrow(
    "workspace",
  );
  writeUserFiles([{ path, after: "version: 1\nworkspace: 'on'\n" }], meaning);
  expect(readFileSync(path, "utf8")).toContain("'on'");
});
