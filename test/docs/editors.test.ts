/** Draws the pictures of docs/editors.md from the completions of a YAML language server, and checks the catalog entry. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getSchemaPath } from "../../automation/config-files/checked-files.js";
import { draft07Of } from "../../scripts/draft-07.mjs";
import { drawEditor } from "../../scripts/pictures/editor.js";
import { LanguageServer } from "../workspace-file/language-server.js";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/editors.md"), "utf8");
const start = `version: 1
workspace: acme

projects:
  web:
    pipelines:
      deploy:
`;
const pictures = [
  ["values", "Completion of a value", `${start}        triggerMode: |\n`],
  ["keys", "Completion of a key of a pipeline", `${start}        triggerMode: ON_EVERY_PUSH\n        ref|\n`],
] as const;

let server: LanguageServer;
beforeAll(async () => {
  server = await LanguageServer.start();
});
afterAll(() => server.stop());

it.each(pictures)("the picture of %s shows what the language server offers", async (name, title, text) => {
  const file = await server.open(join(root, "schema/workspace.schema.json"), text);
  const word = /\w*(?=\|)/.exec(text)?.[0] ?? "";
  const offered = (await file.completions())
    .map(({ label }) => label)
    .filter((label) => label.startsWith(word));
  const labels = [...new Set(offered)].slice(0, 8);
  expect(labels.length).toBeGreaterThan(1);
  for (const theme of ["light", "dark"] as const)
    await expect(drawEditor(title, text, labels, theme)).toMatchFileSnapshot(
      join(root, `docs/pictures/completion-${name}-${theme}.svg`),
    );
});

it("the page names the path of the schema that init writes", () => {
  expect(page).toContain(`$schema=${getSchemaPath("workspace")}`);
});

it("the schema for SchemaStore is draft-07, as the catalog requires, and is valid", () => {
  const entry = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "") as Record<string, unknown>;
  expect(Object.keys(entry)).toEqual(["name", "description", "fileMatch", "url"]);
  expect(entry["url"]).toMatch(/^https:\/\/www\.schemastore\.org\/[a-z-]+\.json$/);
  const text = readFileSync(join(root, "schema/workspace.schema.json"), "utf8");
  const schema = JSON.parse(draft07Of(text)) as object;
  expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#" });
  expect(() => new Ajv({ strict: false, logger: false }).compile(schema)).not.toThrow();
});
