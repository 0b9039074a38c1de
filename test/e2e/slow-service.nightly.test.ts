/** Interrupts `pulumi up` while the service takes longer to create an object than the run waits for it: the next run adopts the object. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openPlainProgram } from "./plain-program.js";

const PROGRAM = `import { Group, Project } from "pulumi-workspace-automation";
new Group("qa", { name: "QA" });
new Project("web", { name: "web", displayName: "Web" });
`;

/** Longer than a cancelled run waits for the service. */
const SLOW_MS = 12_000;

describe("an up that is interrupted while the service is slow", () => {
  it.each(["plugin", "dynamic"] as const)(
    "leaves objects that the next up adopts, with the engine %s",
    async (engine) => {
      const { root, emulator, start, run } = await openPlainProgram(engine, "slow service");
      writeFileSync(join(root, "program.js"), PROGRAM);
      for (const kind of ["groups", "projects"])
        emulator.faults.add({
          kind: "delay",
          method: "POST",
          path: `/workspaces/acme/${kind}`,
          delayMs: SLOW_MS,
        });
      const { running } = await start("up", "--yes", "--skip-preview");
      while (emulator.journal.writes().length < 2) await sleep(20);
      running.kill("SIGINT");
      const { exitCode, stdout, stderr } = await running;
      expect(exitCode, stdout + stderr).not.toBe(0);

      await run("up", "--yes", "--skip-preview");
      expect(await run("preview", "--expect-no-changes")).not.toContain("create");
      const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
      expect((body as { groups: { name: string }[] }).groups.map(({ name }) => name)).toEqual(["QA"]);
    },
  );
});
