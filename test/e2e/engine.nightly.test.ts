/** A large state is migrated to the packaged plugin and back without a request that writes. */
import { expect, it, vi } from "vitest";
import { setUp } from "./support.js";

vi.setConfig({ testTimeout: 1_200_000 });

const OBJECTS = 500;

it(`migrates ${OBJECTS} objects both ways, with an empty preview after each`, async () => {
  const variables = Array.from({ length: OBJECTS }, (_, index) => `  KEY_${index}: value ${index}\n`).join(
    "",
  );
  const { run, emulator } = await setUp(`version: 1\nworkspace: acme\nvariables:\n${variables}`);
  const succeed = async (...argv: string[]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
    return stdout;
  };
  expect(await succeed("up", "--yes", "--create-stack")).toContain(`Done: ${OBJECTS} created`);
  const before = JSON.parse(await succeed("stack", "export")) as { deployment: object };
  emulator.journal.clear();
  for (const engine of ["plugin", "dynamic"]) {
    const said = await succeed("stack", "migrate", "--to", engine, "--yes");
    expect(said).toContain(`${OBJECTS} objects`);
    expect(emulator.journal.requests).toEqual([]);
    expect(await succeed("preview")).toContain("No changes");
    expect(emulator.journal.writes()).toEqual([]);
    emulator.journal.clear();
  }
  const after = JSON.parse(await succeed("stack", "export")) as { deployment: object };
  expect(after.deployment).toMatchObject({
    resources: (before.deployment as { resources: unknown }).resources,
  });
});
