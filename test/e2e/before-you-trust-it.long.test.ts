/** Runs the page on the first ten minutes at a service that differs from the assumptions, and compares the output with the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShellWithCommand, played, withoutChance } from "./guide.js";
import {
  connected,
  emulatorForTests,
  isolated,
  repository,
  stateIn,
  temporaryFolder,
  withoutProgress,
} from "./support.js";

const PAGE = join(repository, "docs/before-you-trust-it.md");

const build = {
  ...{ name: "Build", type: "BUILD", trigger_time: "ON_EVERY_EXECUTION" },
  ...{ container_image_name: "node", container_image_tag: "22", execute_commands: ["npm test"] },
};

it("prints the output shown in docs/before-you-trust-it.md", { timeout: 600_000 }, async () => {
  const emulator = await emulatorForTests({
    ...{
      echoMemberEmail: true,
      missingStatus: 400,
      clearedBy: "empty",
      largePages: "refused",
      maxPerPage: 50,
    },
    seed: {
      users: [
        { email: "olga@example.com", name: "Olga", tokens: [{}] },
        { email: "bob@example.com", name: "Bob" },
      ],
      workspaces: [
        {
          domain: "acme",
          members: [{ email: "bob@example.com" }],
          groups: [{ name: "QA", description: "Who tests", members: ["bob@example.com"] }],
          variables: [{ key: "REGION", value: "eu" }],
          projects: [
            {
              name: "web",
              pipelines: [
                {
                  name: "deploy",
                  ref_name: "main",
                  ref_type: "BRANCH",
                  trigger_mode: "MANUAL",
                  actions: [build],
                },
              ],
            },
          ],
        },
      ],
    },
  });
  const folder = temporaryFolder();
  const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
  const shell = await openShellWithCommand(folder, env);
  const page = readFileSync(PAGE, "utf8");
  const printed = await played(page, shell, (what) => expect.fail(`nobody does this by hand: ${what}`));
  const now = withoutProgress(printed)
    .replaceAll(emulator.baseUrl, "http://127.0.0.1:8080")
    .replaceAll(folder, "/home/olga");
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
  expect((body as { projects: { name: string }[] }).projects.map(({ name }) => name)).toEqual(["web"]);
  if (withoutChance(now) !== withoutChance(page)) await expect(now).toMatchFileSnapshot(PAGE);
});
