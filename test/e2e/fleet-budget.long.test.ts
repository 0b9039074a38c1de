/** Tests that a fleet says before its first request if the requests of the hour are not enough. Needs a build. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const figuresOf = (requests: number) =>
  JSON.stringify({
    version: 1,
    workspaces: Object.fromEntries(["one", "two"].map((name) => [name, { requests, objects: 1 }])),
  });

it("up refuses what the user's requests do not suffice for, and a smaller fleet is not asked about", async () => {
  const emulator = await emulatorForTests({ rateLimit: 150 });
  const folder = temporaryFolder();
  const env = isolated(folder, connected(emulator));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const name of ["one", "two"])
    write(
      `${name}.yaml`,
      `version: 1\nworkspace: acme\nowns: [groups/${name}]\ngroups: { ${name}: { description: Group } }\n`,
    );
  const entries = ["one", "two"]
    .map((name) => `  ${name}: { file: ${name}.yaml, stack: ${name} }\n`)
    .join("");
  write("fleet.yaml", `version: 1\ndefaults: { backend: ./state }\nworkspaces:\n${entries}`);
  const fleet = (...argv: string[]) => workspacectl(["fleet", ...argv], folder, env);

  write("fleet.figures.json", figuresOf(90));
  const refused = await fleet("up", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /about 180 requests for 2 workspaces, and \d+ of 150 are left until .* 1 workspace waits/s,
  );
  expect(emulator.journal.writes()).toEqual([]);

  const preview = await fleet("preview");
  expect(preview.code, preview.stderr).toBe(0);
  expect(preview.stderr).toContain("about 180 requests for 2 workspaces");

  write("fleet.figures.json", figuresOf(5));
  const done = await fleet("up", "--yes");
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).not.toContain("are left until");
});
