/** Changes strings by hand to what a file, a terminal or a comparison could take for something else. Needs a build. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { type Setup, setUp } from "../e2e/support.js";
import { type Shown, Snapshot } from "./snapshot.js";
import { awkwardTexts } from "./texts.js";

const texts = awkwardTexts("before");
const numbered = <T>(make: (n: number) => T) =>
  Object.fromEntries(texts.map((_, n) => [`name ${n}`, make(n)]));

/** One object for each string, of three kinds: a description, a name in a list, and a value. */
const FILE = stringify({
  version: 1,
  workspace: "acme",
  groups: numbered(() => ({ description: "before" })),
  variables: Object.fromEntries(texts.map((_, n) => [`KEY_${n}`, "before"])),
  projects: {
    web: {
      displayName: "Web",
      pipelines: {
        deploy: {
          ...{ triggerMode: "MANUAL", refType: "BRANCH", refName: "main" },
          actions: texts.map((_, n) => ({
            ...{ name: `Step ${n}`, type: "PING", triggerTime: "ON_EVERY_EXECUTION" },
            destination: "example.com",
          })),
        },
      },
    },
  },
});

const ALLOWED = ["--yes", "--allow-delete", "**", "--max-deletes", "1000", "--max-delete-share", "100"];

// Concurrently, because each of them mostly waits for its processes.
it.each(["accept", "revert"])(
  "drift %s settles strings of every form, and up then writes nothing",
  { timeout: 300_000 },
  async (settling) => {
    const world = await setUp(FILE, { strictBodies: true, rateLimit: 1_000_000 }, { PULUMI_STACK: "dev" });
    const expectOk = async (...argv: string[]) => {
      const { code, stdout, stderr } = await world.run(...argv);
      expect(code, stdout + stderr).toBe(0);
    };
    await expectOk("up", "--create-stack", ...ALLOWED);
    const changed = await editEach(world);
    expect(changed.length).toBeGreaterThan(2 * texts.length);
    expect(await findingsIn(world)).toEqual(changed.toSorted());

    world.emulator.journal.clear();
    if (settling === "accept") await expectOk("drift", "accept", "--all");
    else await expectOk("drift", "revert", "--all", ...ALLOWED);
    if (settling === "accept") expect(world.emulator.journal.writes()).toEqual([]);
    world.emulator.journal.clear();
    await expectOk("up", ...ALLOWED);
    expect(world.emulator.journal.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(await findingsIn(world)).toEqual([]);
  },
);

/** Changes each object to its string, and returns the names of those for which the service took it. */
async function editEach({ emulator }: Setup): Promise<string[]> {
  const { all } = await Snapshot.of(emulator);
  const changed: string[] = [];
  for (const object of all) {
    const edit = editOf(object);
    if (edit === undefined) continue;
    const path = `/workspaces/${emulator.workspace}/${edit.path}`;
    const { status } = await emulator.edit({ method: "PATCH", path, body: edit.body });
    if (status < 300) changed.push(object.name);
  }
  return changed;
}

function editOf({ type, id, names, says }: Shown) {
  const [, first = "", second = ""] = id.split("/");
  const text = texts[Number(/\d+$/.exec(names.at(-1) ?? "")?.[0])];
  if (text === undefined) return undefined;
  if (type === "Group") return { path: `groups/${first}`, body: { description: text } };
  if (type === "Variable") return { path: `variables/${first}`, body: { key: says["key"], value: text } };
  if (type === "Action")
    return { path: `projects/web/pipelines/${first}/actions/${second}`, body: { name: text } };
  return undefined;
}

async function findingsIn({ run, folder }: Setup): Promise<string[]> {
  const { code, stderr } = await run("drift", "--format", "json=drift.json");
  expect([0, 7], stderr).toContain(code);
  const { findings } = JSON.parse(readFileSync(join(folder, "drift.json"), "utf8")) as {
    findings: { name: string; class: string }[];
  };
  return [
    ...new Set(findings.filter((one) => one.class !== "unverifiable").map(({ name }) => name)),
  ].toSorted();
}
