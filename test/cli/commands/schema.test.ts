/** Tests that `workspacectl schema` prints each JSON Schema or writes it to a file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();

describe("workspacectl schema", () => {
  it.each([
    [[], "workspace.schema.json", "https://json-schema.org/draft/2020-12/schema"],
    [["--draft", "07"], "workspace.draft-07.schema.json", "http://json-schema.org/draft-07/schema#"],
    [["--overlay"], "overlay.schema.json", "https://json-schema.org/draft/2020-12/schema"],
    [
      ["--overlay", "--draft", "07"],
      "overlay.draft-07.schema.json",
      "http://json-schema.org/draft-07/schema#",
    ],
  ])("%j prints %s", async (options, file, draft) => {
    const { code, stdout } = await run(["schema", ...options]);
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join("packages/library/schema", file), "utf8"));
    expect(JSON.parse(stdout)).toMatchObject({ $schema: draft });
  });

  it("writes the schema to a file, and prints the comment that refers to it", async () => {
    const file = join(folder, "workspace.schema.json");
    const { code, stdout, stderr } = await run(["schema", "-o", file]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("# yaml-language-server: $schema=");
    expect(readFileSync(file, "utf8")).toBe(readFileSync("schema/workspace.schema.json", "utf8"));
  });

  it("rejects an unknown draft", async () => {
    const { code, stderr } = await run(["schema", "--draft", "04"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Allowed choices are 07, 2020-12");
  });
});
