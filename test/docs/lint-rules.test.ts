/** Checks that docs/lint-rules.md shows the files of examples/rules and the actual output. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run, temporaryFolder } from "../cli/support.js";

const root = join(import.meta.dirname, "../..");
const example = join(root, "examples/rules");
const page = readFileSync(join(root, "docs/lint-rules.md"), "utf8");
const folder = temporaryFolder();
const inFolder = (...path: string[]) => join(folder, ...path);
cpSync(example, folder, { recursive: true });

async function output(...argv: string[]): Promise<string> {
  const { stdout, stderr } = await run(argv);
  return (stdout + stderr).replaceAll(`${folder}/`, "");
}

it("the page shows the rules", () => {
  expect(page).toContain(readFileSync(join(example, "rules/pipelines.yaml"), "utf8"));
});

it("the page shows what lint prints", async () => {
  const lint = ["lint", "-f", inFolder("workspace.yaml"), "--rules", inFolder("rules")];
  expect(page).toContain(await output(...lint));

  const change = (name: string, from: string, to: string) => {
    const file = inFolder("rules", name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(from, to));
    return () => writeFileSync(file, text);
  };
  const restore = change("pipelines.yaml", "when: object.triggerMode", "when: object.trigger");
  const failed = (await output(...lint)).split("\n1 problem")[0] ?? "";
  restore();
  expect(failed).toContain("No such key: trigger. ");
  expect(page).toContain(failed);
});
