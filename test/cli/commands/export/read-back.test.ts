/** Tests that a file is read back before it is written: what cannot be read changes nothing. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openExisting } from "../../../../cli/commands/export/patch/existing-file.js";
import { writeEdited } from "../../../../cli/commands/export/patch/patch-existing.js";
import { fileIn, temporaryFolder, testIo } from "../../support.js";

const before = "version: 1\nworkspace: acme\nvariables: { REGION: us }\n";

async function write(after: string): Promise<{ readonly failure: string; readonly text: string }> {
  const path = fileIn(temporaryFolder(), "workspace.yaml", before);
  const existing = openExisting(path, {}, {});
  const failure = await writeEdited(
    [{ path, before, after }],
    { dryRun: false, label: "accepted", of: existing },
    testIo().io,
  ).then(
    () => "",
    (error: Error) => error.message,
  );
  return { failure, text: readFileSync(path, "utf8") };
}

it.each([
  ["has two keys of one name", "version: 1\nworkspace: acme\nvariables: { REGION: us, REGION: eu }\n"],
  ["has a text in the place of a map", 'version: 1\nworkspace: acme\nvariables: "eu"\n'],
  ["is no YAML", "version: 1\nvariables: { REGION: us\n"],
])("writes nothing where the text %s", async (_what, after) => {
  const { failure, text } = await write(after);
  expect(failure).toContain("could not be read after this change");
  expect(text).toBe(before);
});

it("writes what can be read", async () => {
  const after = before.replace("us", "eu");
  expect(await write(after)).toEqual({ failure: "", text: after });
});
