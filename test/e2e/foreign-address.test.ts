/** Tests that nobody who can change a checkout chooses where a workspace file's requests go. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { connected, emulatorForTests, isolated, stateIn, temporaryFolder, workspacectl } from "./support.js";

let [ours, theirs]: Emulator[] = [];
const folder = temporaryFolder();
const file = join(folder, "workspace.yaml");

beforeAll(async () => {
  [ours, theirs] = [await emulatorForTests(), await emulatorForTests()];
  writeFileSync(file, `version: 1\nworkspace: ${ours.workspace}\ngroups:\n  QA: { description: Testers }\n`);
  mkdirSync(join(folder, "pulumi-home"));
});

/** Writes what a pull request may bring, and runs a command on it. */
async function run(
  config: Readonly<Record<string, string>>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
) {
  const settings = {
    config: Object.fromEntries(
      Object.entries(config).map(([key, value]) => [`workspace-automation:${key}`, value]),
    ),
  };
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(join(folder, "Pulumi.dev.yaml"), JSON.stringify(settings));
  return workspacectl([...argv, "-f", file], folder, isolated(folder, { ...stateIn(folder), ...env }));
}

describe("an address in the stack's configuration", () => {
  const pair = () => connected(ours as Emulator);
  const hostile = () => ({
    baseUrl: theirs?.baseUrl ?? "",
    token: theirs?.token ?? "",
    allowInsecure: "true",
  });

  it("may be the one that the environment names, whose token is used", async () => {
    const same = { baseUrl: `${ours?.baseUrl}/`, token: "not-a-token-of-the-service" };
    const { code, stderr } = await run(same, ["up", "--yes", "--create-stack"], pair());
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(ours?.journal.writes()).toHaveLength(1);
    ours?.journal.clear();
  });

  it.each(["preview", "up --yes", "drift", "import", "refresh", "destroy --yes"])(
    "receives nothing from %s when it is another one",
    async (command) => {
      const { code, stderr } = await run(hostile(), command.split(" "), pair());
      expect({ code, stderr }).toMatchObject({ code: 1 });
      expect(stderr).toContain(`but the environment names ${ours?.baseUrl}: nothing was sent`);
      expect([ours?.journal.requests, theirs?.journal.requests]).toEqual([[], []]);
    },
  );

  it("receives nothing from a caller who names no address", async () => {
    for (const env of [{}, { WORKSPACE_AUTOMATION_TOKEN: ours?.token }]) {
      const { code, stderr } = await run(hostile(), ["preview"], env);
      expect({ code, stderr }).toMatchObject({ code: 1 });
      expect(stderr).toContain(`set WORKSPACE_AUTOMATION_BASE_URL=${theirs?.baseUrl}`);
    }
    expect(theirs?.journal.requests).toEqual([]);
  });
});
