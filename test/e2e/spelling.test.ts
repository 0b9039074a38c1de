/** Tests that a workspace is left as it is when only the spelling of addresses and names differs, in the service or in the file. */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { setUp } from "./support.js";

const file = (bob: string, cafe: string) => `version: 1
workspace: acme
adopt: true
members: { ${bob}: {} }
groups: { ${JSON.stringify(cafe)}: { description: Testers, members: [${bob}] } }
projects: { web: { members: { ${bob}: Read-only } } }
permissionSets: { Read-only: { external: true } }
`;

it("adopts what is spelled differently, and a file that spells it differently changes nothing", async () => {
  const {
    file: path,
    emulator,
    run,
    get,
    edit,
  } = await setUp(file("Bob@Example.com", "Café"), {
    echoMemberEmail: true,
  });
  await edit("POST", "/members", { email: "bob@example.com" });
  await edit("POST", "/groups", { name: "Cafe\u0301", description: "Testers" });
  const applied = await run("up", "--yes", "--create-stack", "--stack", "dev");
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  expect(applied.stdout).toContain("2 adopted");
  expect((await get<{ groups: object[] }>("/groups")).groups).toHaveLength(1);

  for (const [bob, cafe] of [
    ["bob@example.com", "Café"],
    ["BOB@example.com", "Cafe\u0301 "],
  ] as const) {
    writeFileSync(path, file(bob, cafe));
    emulator.journal.clear();
    const preview = await run("preview", "--stack", "dev");
    expect(preview.code, preview.stdout + preview.stderr).toBe(0);
    expect(preview.stdout).toContain("No changes");
    const up = await run("up", "--yes", "--stack", "dev");
    expect(up.code, up.stdout + up.stderr).toBe(0);
    expect((await run("drift", "--stack", "dev")).stdout).toContain("No drift");
    expect(emulator.journal.writes()).toEqual([]);
  }
});
