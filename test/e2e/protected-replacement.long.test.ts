/** Tests that a plan which replaces protected objects is shown and refused, and that the objects can be named. */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chooseStories } from "../stories.js";
import { setUp } from "./support.js";

const file = (hour: number, pipeline: string, action: string) => `version: 1
workspace: acme
projects:
  web:
    pipelines:
      nightly:
        { triggerMode: SCHEDULED, refType: BRANCH, refName: main, cron: "0 ${hour} * * *", cronUpdates: replace${pipeline},
          actions: [{ name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com${action} }] }
`;
const PROTECTED = ", protect: true";
const nightly = "projects/web/pipelines/nightly";

const stories = [
  ["an object in the one that is replaced", "", PROTECTED, [`${nightly}/actions/Ping`]],
  ["the replaced object and one in it", PROTECTED, PROTECTED, [nightly, `${nightly}/actions/Ping`]],
] as const;

it.each(chooseStories(stories, 1))("%s is protected", async (_title, pipeline, action, names) => {
  const { file: path, emulator, run } = await setUp(file(2, pipeline, action), { cronUpdates: false });
  const stack = ["--stack", "dev"];
  expect((await run("up", "--yes", "-q", "--create-stack", ...stack)).code).toBe(0);
  writeFileSync(path, file(3, pipeline, action));
  emulator.journal.clear();

  // The second run shows that the first one has left the protection in the state.
  for (const command of [["preview"], ["up", "--yes"]]) {
    const { code, stdout, stderr } = await run(...command, ...stack);
    expect(code, stdout + stderr).toBe(command[0] === "up" ? 1 : 0);
    expect(stdout).toMatch(/± pipeline nightly[^]*± action Ping/);
    expect(stdout + stderr).toContain(
      `protected-object: ${names.join(", ")} would be replaced, but is protected`,
    );
    expect(stdout + stderr).not.toContain("urn:pulumi:");
  }
  expect(emulator.journal.writes()).toEqual([]);
  const drift = await run("drift", ...stack);
  expect(drift.stdout + drift.stderr).not.toContain("urn:pulumi:");

  const allowed = await run("up", "--yes", ...stack, ...names.flatMap((name) => ["--allow-delete", name]));
  expect(allowed.code, allowed.stdout + allowed.stderr).toBe(0);
  expect(allowed.stdout).toContain("2 replaced");
  const after = await run("preview", ...stack);
  expect(after.stdout).toContain("No changes");
});
