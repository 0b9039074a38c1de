/** Tests that a command applies nothing when another run has ended between its plan and the moment when its engine takes the lock. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseStories } from "../stories.js";
import { interleave } from "./interleaved.js";
import { setUp, workspacectl } from "./support.js";

const withGroups = (...names: string[]) =>
  `version: 1\nworkspace: acme\ngroups:\n${names.map((name) => `  ${name}: { description: x }\n`).join("")}`;

/** Each command, with what it would have deleted, created or stored. */
const commands: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ["up", ["up", "--yes"]],
  ["destroy", ["destroy", "--yes", "--allow-delete", "**"]],
  ["refresh", ["refresh"]],
  ["import", ["import"]],
  ["up --only", ["up", "--yes", "--only", "groups/B"]],
  ["up --plan", ["up", "--yes", "--plan", "plan.json"]],
  ["up --approved", ["up", "--yes", "--approved"]],
  ["drift revert", ["drift", "revert", "--yes", "groups/A"]],
  ["up --no-refresh", ["up", "--yes", "--no-refresh"]],
];

it.each(chooseStories(commands, 1))(
  "writes nothing when the state has changed since the plan of %s",
  async (name, argv) => {
    const { folder, file, env, emulator, run, edit, get } = await setUp(withGroups("A"));
    expect((await run("up", "--yes", "--create-stack")).code).toBe(0);
    const { groups } = await get<{ groups: { id: number }[] }>("/groups");
    if (name === "drift revert") await edit("PATCH", `/groups/${groups[0]!.id}`, { description: "by hand" });
    if (name === "import") await edit("POST", "/groups", { name: "B", description: "x" });
    const other = join(folder, "other.yaml");
    writeFileSync(other, withGroups("A", "C"));
    writeFileSync(file, withGroups("A", "B"));
    const preview = await run("preview", "--save-plan", "plan.json");
    const [fingerprint = ""] = /sha256:[0-9a-f]{64}/.exec(preview.stdout) ?? [];
    const between = await interleave(["up", "--yes", "--no-refresh", "-f", other], folder, env);
    emulator.journal.clear();

    const words = [...argv, ...(name === "up --approved" ? [fingerprint] : []), "-f", file];
    const ended = await workspacectl(words, folder, between.env);

    expect({ other: between.code(), code: ended.code, stderr: ended.stderr }).toEqual({
      other: 0,
      code: 1,
      stderr: expect.stringMatching(
        /has changed since the plan.*Nothing was written.*run the command again/s,
      ) as string,
    });
    // The other run has created C.
    expect(emulator.journal.writes()).toMatchObject([{ method: "POST", path: "/workspaces/acme/groups" }]);
    const exported = await run("stack", "export");
    expect(exported.stdout).toContain("groups/C");
    expect(exported.stdout).not.toContain("groups/B");
    expect(readFileSync(file, "utf8")).toContain("B");
  },
);
