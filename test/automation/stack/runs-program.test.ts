/** Tests which commands of Pulumi run the program of a folder. */
import { expect, it } from "vitest";
import { findProject } from "../../../automation/stack/project.js";
import { runsProgram } from "../../../automation/stack/user-program.js";
import { fileIn, run, temporaryFolder } from "../../cli/support.js";

function projectWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) fileIn(folder, name, text);
  return findProject(`${folder}/workspace.yaml`);
}

const settings = "name: shop\nruntime: nodejs\n";

it.each([
  [{ "Pulumi.yaml": settings, "index.ts": "" }, ["preview", "--stack", "dev"], true],
  [{ "Pulumi.yaml": settings, "index.ts": "" }, ["--cwd", ".", "destroy", "--yes"], true],
  [{ "Pulumi.yaml": "name: shop\nruntime: yaml\n" }, ["up"], true],
  [{ "Pulumi.yaml": "name: shop\nruntime: nodejs\nmain: src\n" }, ["up"], true],
  [{ "Pulumi.yaml": settings, "index.ts": "" }, ["stack", "ls"], false],
  [{ "Pulumi.yaml": settings, "workspace.yaml": "version: 1\n" }, ["preview"], false],
  [{ "index.ts": "" }, ["preview"], false],
])("of %j: %j", (files, args, expected) => {
  expect(runsProgram(args, projectWith(files))).toBe(expected);
});

it.each([["accept"], ["revert"]])("drift %s does not offer to change a program", async (command) => {
  const { code, stderr } = await run(["drift", command, "--all", "--program", "."]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("no command changes the code of a program");
  expect((await run(["drift", command, "--help"])).stdout).not.toContain("--program");
});
