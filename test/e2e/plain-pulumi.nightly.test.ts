/** Tests that plain `pulumi` in a clone and `workspacectl` work on the same stack without changes between them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import {
  clone,
  connected,
  emulatorForTests,
  type Ended,
  isolated,
  pulumi,
  quickstart,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
const root = join(folder, "clone");
let emulator: Emulator;
let file: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = await emulatorForTests();
  clone(root);
  file = quickstart(join(root, "examples/quickstart"));
  env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
});

const plain = (...argv: string[]): Promise<Ended> => pulumi(argv, root, env);
type Resource = Record<string, unknown> & {
  readonly urn: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
};

function sortedLists(lists: Readonly<Record<string, readonly string[] | null>>): object {
  return Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, list?.toSorted()]));
}

/** Returns the state of each object by URN, without times and source positions. */
async function state(): Promise<Map<string, object>> {
  const { stdout } = await plain("stack", "export", "--show-secrets");
  const { deployment } = JSON.parse(stdout) as {
    deployment: { resources: Resource[] };
  };
  return new Map(
    deployment.resources.map(
      ({
        created,
        modified,
        sourcePosition,
        stackTrace,
        dependencies = [],
        propertyDependencies = {},
        ...resource
      }) => [
        resource.urn,
        {
          ...resource,
          dependencies: dependencies.toSorted(),
          propertyDependencies: sortedLists(propertyDependencies),
        },
      ],
    ),
  );
}
const ours = (...argv: string[]): Promise<Ended> => workspacectl([...argv, "-f", file], folder, env);

describe.sequential("plain pulumi and workspacectl", () => {
  it("use the selected stack of the same project, whose configuration names the workspace file", async () => {
    expect(await plain("stack", "init", "us")).toMatchObject({ code: 0 });
    const configured = await plain(
      "config",
      "set",
      "workspace-automation:file",
      "examples/quickstart/workspace.yaml",
    );
    expect(configured).toMatchObject({ code: 0 });
    const { stdout, code } = await plain("up", "--yes", "--skip-preview");
    expect({ code, said: /(\d+) created/.exec(stdout)?.[1] }).toEqual({ code: 0, said: "42" });
    expect(stdout).not.toContain("in-clear");
  });

  it("workspacectl up reports no changes after pulumi up", async () => {
    emulator.journal.clear();
    const { code, stdout } = await ours("up", "--yes");
    expect(code).toBe(0);
    const preview = await ours("preview", "--json");
    expect(JSON.parse(preview.stdout)).toMatchObject({ stack: "us" });
    expect(stdout).toContain("No changes");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("pulumi preview reports no changes after workspacectl up", async () => {
    const before = await state();
    writeFileSync(file, readFileSync(file, "utf8").replace("Who tests it", "Who tests all of it"));
    expect((await ours("up", "--yes")).stdout).toContain("Done: 0 created, 1 updated");
    const after = await state();
    const differing = [...before].filter(([urn, one]) => !isDeepStrictEqual(one, after.get(urn)));
    expect(differing.map(([urn]) => urn.split("::").at(-1))).toEqual(["groups/QA"]);
    expect(after.size).toBe(before.size);
    const { code, stdout } = await plain("preview", "--expect-no-changes");
    expect({ code, stdout }).toMatchObject({ code: 0 });
  });

  it("deletes nothing in a project that was removed from the file", async () => {
    const text = readFileSync(file, "utf8");
    const document = parseDocument(text);
    document.deleteIn(["projects", "web"]);
    writeFileSync(file, document.toString());
    emulator.journal.clear();
    const { code, stdout, stderr } = await plain("up", "--yes", "--skip-preview");
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('in project "web" is not deleted');
    expect(emulator.journal.writes()).toEqual([]);
    // Objects of a project that is still declared can be deleted.
    const smaller = parseDocument(text);
    smaller.deleteIn(["projects", "web", "variables", "NODE_ENV"]);
    writeFileSync(file, smaller.toString());
    expect(await plain("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    expect(emulator.journal.writes()).toHaveLength(1);
    writeFileSync(file, text);
    expect(await plain("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  }, 300_000);

  it("an address in the stack configuration that differs from the state is rejected before anything is read", async () => {
    const other = await emulatorForTests();
    await plain("config", "set", "workspace-automation:baseUrl", other.baseUrl);
    const wrong = { ...env, ...connected(other) };
    const { code, stderr } = await workspacectl(["up", "--yes", "-f", file], folder, wrong);
    expect(code).toBe(1);
    expect(stderr).toContain(`this stack manages objects of ${emulator.baseUrl}`);
    expect(other.journal.writes()).toEqual([]);
  });

  it("an address in the stack configuration never receives the token of the environment", async () => {
    const other = await emulatorForTests();
    await plain("config", "set", "workspace-automation:baseUrl", other.baseUrl);
    const refused = [
      [await ours("up", "--yes"), `but the environment names ${emulator.baseUrl}`],
      [await ours("drift"), `but the environment names ${emulator.baseUrl}`],
      [await plain("preview"), "a token is sent only to the address"],
    ] as const;
    for (const [ended, reason] of refused) {
      expect(ended.code).not.toBe(0);
      expect(ended.stdout + ended.stderr).toContain(reason);
    }
    expect(other.journal.requests).toEqual([]);
    await plain("config", "rm", "workspace-automation:baseUrl");
  });
});
