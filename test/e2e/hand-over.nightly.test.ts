/** Tests that a project with all its contents passes from one file to another and back, while the service notices nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tellsAllStories } from "../stories.js";
import { setUp, workspacectl } from "./support.js";

const action = (name: string) =>
  `{ name: ${name}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }`;
const project = (retain: boolean) => `
  web:
    displayName: Web shop
    ${retain ? "retain: true" : ""}
    variables: { NODE_ENV: production }
    pipelines:
      Deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        variables: { TIER: gold }
        actions: [${action("One")}, ${action("Two")}]
`;
const fileOf = (group: string, contents: string) => `version: 1
workspace: acme
owns: [groups/${group}, "projects/web/**"]
groups:
  ${group}: {}
${contents === "" ? "" : `projects:${contents}`}`;

const ways = [
  ["shop", "platform"],
  ["platform", "shop"],
] as const;

it(`passes from one file to another${tellsAllStories ? ", and back" : ""}`, async () => {
  const { folder, env, emulator } = await setUp("version: 1\n");
  const writeTo = (stack: string, contents: string) =>
    writeFileSync(join(folder, `${stack}.yaml`), fileOf(stack, contents));
  const run = async (stack: string, ...argv: string[]) => {
    const ended = await workspacectl([...argv, "-f", `${stack}.yaml`, "-s", stack], folder, env);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    return ended.stdout;
  };
  writeTo("shop", project(false));
  writeTo("platform", "");
  await run("shop", "up", "--yes", "--create-stack");
  await run("platform", "up", "--yes", "--create-stack");
  emulator.journal.clear();

  for (const [from, to] of ways.slice(0, tellsAllStories ? 2 : 1)) {
    writeTo(from, project(true));
    await run(from, "up", "--yes");
    writeTo(from, "");
    expect(await run(from, "preview")).toMatch(/7 to release/);
    await run(from, "up", "--yes");
    writeTo(to, project(false));
    await run(to, "import");
    expect(await run(to, "up", "--yes")).toContain("No changes");
  }
  expect(emulator.journal.writes()).toEqual([]);
});
