/**
 * Checks that workspace files in the README, the docs and the examples are formatted and use the same path of
 * the schema.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { getSchemaPath } from "../../automation/config-files/checked-files.js";
import { definitions } from "../../provider/index.js";
import { formatYaml } from "../../workspace-file/format/format.js";
import { readDeclarations } from "../../workspace-file/load/load.js";

const root = resolve(import.meta.dirname, "../..");
const below = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => ending.test(name) && !name.includes("node_modules"));
const read = (file: string) => readFileSync(join(root, file), "utf8");

const pages = ["README.md", ...below("docs", /\.md$/), ...below("examples", /\.md$/)];
/** Recognizes workspace files by their version; other files with a version have their own schemas. */
const isWorkspace = (text: string) =>
  /^version: 1$/m.test(text) &&
  !/(fleet|mapping|exceptions|ignore|people|policy|lint-rules)\.schema/.test(text);

/** Blocks of YAML, and files that a block of commands writes. */
const yamlBlock = /^(?:```yaml|cat > workspace\.yaml <<'END')\n([\s\S]*?)^(?:```|END$)/gm;
const blocks = pages.flatMap((page) =>
  [...read(page).matchAll(yamlBlock)].map(({ 1: text = "", index }) => ({
    name: `${page}:${read(page).slice(0, index).split("\n").length}`,
    text,
  })),
);
const files = below("examples", /\.ya?ml$/).map((name) => ({ name, text: read(name) }));
const written = [...blocks, ...files].filter(({ text }) => isWorkspace(text));

describe("a workspace file in the documentation", () => {
  it("exists", () => {
    expect(written.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^docs\/install/), expect.stringMatching(/^examples/)]),
    );
  });

  it.each(written)("is formatted: $name", ({ name, text }) => {
    expect(formatYaml(name, text, definitions)).toEqual({ text });
  });

  it.each(written.filter(({ name }) => name.startsWith("docs/reference/resources/")))(
    "can be loaded: $name",
    ({ text }) => {
      expect(readDeclarations("-", { env: {}, stdin: () => text }).declarations).not.toEqual([]);
    },
  );

  it.each([...blocks, ...files].filter(({ text }) => text.includes("$schema=")))(
    "has the common path of the schema: $name",
    ({ text }) => {
      const [, path = "", name = ""] = /\$schema=(\S*?([a-z-]+)\.schema\.json)/.exec(text) ?? [];
      expect(path).toBe(getSchemaPath(name));
    },
  );
});
