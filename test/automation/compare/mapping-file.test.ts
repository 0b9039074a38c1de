/** Tests automation/compare/mapping-file.ts. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseMapping, readMapping } from "../../../automation/compare/mapping-file.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();
const problems = (source: string) => {
  try {
    parseMapping("replicate-mapping.yaml", source);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("the mapping file", () => {
  it("maps names of the other workspace, with their locations", () => {
    const mapping = parseMapping(
      "m.yaml",
      'version: 1\nintegrations:\n  chat-us: chat-eu\n  "7": 12\nintegrationIdentifiers: { agent-us: agent-eu }\n',
    );
    expect([...mapping.integrations]).toEqual([
      ["7", 12],
      ["chat-us", "chat-eu"],
    ]);
    expect([...mapping.integrationIdentifiers]).toEqual([["agent-us", "agent-eu"]]);
    expect(mapping.locate("integrations", "chat-us")).toMatchObject({ file: "m.yaml", line: 3, column: 3 });
  });

  it("reports all its errors with locations", () => {
    const told = problems("version: 2\nintegratons: {}\nintegrations: { chat: true }\n");
    expect(told).toContain("replicate-mapping.yaml:1:10");
    expect(told).toContain(
      'replicate-mapping.yaml:2:1: unknown property "integratons". Did you mean "integrations"?',
    );
    expect(told).toMatch(/replicate-mapping\.yaml:3:23: integrations.chat: must be a string or a number/);
    expect(problems("- chat")).toContain("replicate-mapping.yaml:1:1");
  });

  it("is found next to the workspace file and optional, unless it is named", () => {
    const file = join(folder, "workspace.yaml");
    expect(readMapping(undefined, file)).toMatchObject({ file: undefined });
    fileIn(folder, "replicate-mapping.yaml", "version: 1\nintegrations: { a: b }\n");
    expect(readMapping(undefined, file).integrations.get("a")).toBe("b");
    expect(readMapping(undefined, folder).integrations.get("a")).toBe("b");
    expect(readMapping(undefined, undefined).file).toBeUndefined();
    expect(() => readMapping(join(folder, "other.yaml"), file)).toThrow("there is no mapping file");
  });
});
