/** The Prettier settings beside an exported program: data counts, and code does not run. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatted } from "../../../../cli/commands/export/writers/typescript.js";
import { temporaryFolder } from "../../support.js";

/** Formats a program in a folder below the settings. */
async function format(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  const ran = join(root, "ran");
  const touch = `require("node:fs").writeFileSync(${JSON.stringify(ran)}, "")`;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text.replace("TOUCH", touch));
  }
  mkdirSync(join(root, "program"), { recursive: true });
  const texts = await formatted(new Map([["index.ts", ['const a = "b"']]]), join(root, "program"));
  return { text: texts.get("index.ts"), ran: existsSync(ran) };
}

it.each<[string, Record<string, string>]>([
  [".prettierrc in YAML", { ".prettierrc": "singleQuote: true\n" }],
  [".prettierrc in JSON", { ".prettierrc": '{ "singleQuote": true }' }],
  [".prettierrc.json", { ".prettierrc.json": '{ "singleQuote": true }' }],
  ["package.json", { "package.json": '{ "prettier": { "singleQuote": true } }' }],
])("takes the settings of %s", async (_, files) => {
  expect(await format(files)).toEqual({ text: "const a = 'b';\n", ran: false });
});

const evil = { "evil.cjs": "TOUCH; module.exports = { singleQuote: true };", "evil.mjs": "TOUCH" };
it.each<[string, Record<string, string>]>([
  ["prettier.config.cjs", { "prettier.config.cjs": "TOUCH; module.exports = { singleQuote: true };" }],
  [
    ".prettierrc.mjs",
    {
      ".prettierrc.mjs":
        'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); TOUCH; export default {};',
    },
  ],
  [".prettierrc.ts", { ".prettierrc.ts": "TOUCH; export default {};" }],
  ["a module that .prettierrc names", { ".prettierrc": "./evil.cjs\n", ...evil }],
  ["a module that .prettierrc.json names", { ".prettierrc.json": '"./evil.cjs"', ...evil }],
  ["a module that package.json names", { "package.json": '{ "prettier": "./evil.cjs" }', ...evil }],
  ["a package of the checkout", { ".prettierrc": "evil\n", "node_modules/evil/index.js": evil["evil.cjs"] }],
  ["a plugin", { ".prettierrc": 'plugins: ["./evil.cjs"]\n', ...evil }],
  [
    "a plugin for some files",
    { ".prettierrc": 'overrides: [{ files: "*.ts", options: { plugins: ["./evil.cjs"] } }]\n', ...evil },
  ],
])("does not run %s", async (_, files) => {
  expect(await format(files)).toEqual({ text: 'const a = "b";\n', ran: false });
});
