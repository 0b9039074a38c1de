/**
 * Tests a new project with its first file and branches: objects that need a commit wait for it, and the state changes
 * in nothing else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { connected, emulatorForTests, isolated, stateIn, temporaryFolder, workspacectl } from "./support.js";

const folder = temporaryFolder();
let emulator: Emulator;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = await emulatorForTests();
  env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
  const text = `version: 1
workspace: ${emulator.workspace}
projects:
  web:
    branches:
      next: { revision: develop, force: true }
      develop:
    files:
      README.md: "# Web shop"
      CHANGES.md: { content: "The next release", branch: next }
`;
  writeFileSync(join(folder, "workspace.yaml"), text);
});

interface StateResource {
  readonly urn: string;
  readonly dependencies?: readonly string[];
}

function inState(): StateResource[] {
  const text = readFileSync(join(folder, "state/.pulumi/stacks/workspace-automation/dev.json"), "utf8");
  const { checkpoint } = JSON.parse(text) as { checkpoint: { latest: { resources: StateResource[] } } };
  return checkpoint.latest.resources;
}

const nameOf = (urn: string) => urn.split("::").at(-1)!;

describe.sequential("a new project with its first file", { timeout: 600_000 }, () => {
  it("is created completely in the first run", async () => {
    const { code, stdout, stderr } = await workspacectl(["up", "--yes", "--create-stack"], folder, env);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain("5 created");
  });

  it("records the order as dependencies in the state, under unchanged names", () => {
    const resources = inState().filter(({ urn }) => urn.includes("::projects/"));
    const found = new Map(
      resources.map(({ urn, dependencies = [] }) => [nameOf(urn), dependencies.map(nameOf).sort()]),
    );
    expect(Object.fromEntries(found)).toEqual({
      "projects/web": [],
      "projects/web/files/README.md": ["projects/web"],
      "projects/web/branches/develop": ["projects/web", "projects/web/files/README.md"],
      "projects/web/branches/next": [
        "projects/web",
        "projects/web/branches/develop",
        "projects/web/files/README.md",
      ],
      "projects/web/files/CHANGES.md": ["projects/web", "projects/web/branches/next"],
    });
  });

  it("does not change afterwards, and can be destroyed", async () => {
    emulator.journal.clear();
    expect((await workspacectl(["up", "--yes"], folder, env)).stdout).toContain("No changes");
    expect(emulator.journal.writes()).toEqual([]);
    writeFileSync(join(folder, "workspace.yaml"), `version: 1\nworkspace: ${emulator.workspace}\n`);
    const { code, stderr } = await workspacectl(
      ["destroy", "--yes", "--include-protected", "--allow-delete", "**"],
      folder,
      env,
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });
});
