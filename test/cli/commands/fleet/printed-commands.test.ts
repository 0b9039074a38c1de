/** Tests what a fleet changes in the report of one workspace: commands that hold outside of its process, and paths that outlive it. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FleetEntry } from "../../../../cli/commands/fleet/fleet-file.js";
import { listCheckNotes, parseResult } from "../../../../cli/commands/fleet/result.js";
import { createPathMapper, escapeInJson } from "../../../../cli/commands/fleet/shown-path.js";
import { adaptCommands, listChildArguments } from "../../../../cli/commands/fleet/workspace-command.js";
import type { ViewData } from "../../../../reports/view-data.js";

const entry = {
  ...{ name: "eu-web", file: "teams/web.yaml", stack: "eu-web", overlays: [], allowPaths: [] },
  environment: { WORKSPACE_VAR_TOKEN: "WORKSPACE_VAR_EU_TOKEN" },
} as unknown as FleetEntry;
const commands = (
  pinned?: FleetEntry["pinned"],
  fleet = { file: "fleet.yaml", more: ["--added", "all"] },
) => {
  const remedies = ["accept", "revert"].map((label) => ({
    ...{ label, command: `workspacectl drift ${label} 'groups/On call'` },
    objects: ["groups/On call", "groups/On call/members/bob"],
  }));
  const data = { findings: [{ remedies }], notes: [] } as unknown as ViewData;
  return adaptCommands({ ...entry, pinned }, data, fleet).findings[0]?.remedies?.map(
    ({ command }) => command,
  );
};

describe("the commands for drift in a fleet", () => {
  const revert =
    "workspacectl fleet up --only eu-web -- --only 'groups/On call' --only 'groups/On call/members/bob'";

  it("revert by the fleet, which applies its policy, and accept with the variables of the workspace", () => {
    expect(commands()).toEqual([
      "WORKSPACE_VAR_TOKEN=\"$WORKSPACE_VAR_EU_TOKEN\" workspacectl drift accept 'groups/On call'",
      revert,
    ]);
  });

  it("repeat the fleet file and the folders that the caller allows, and no option that up does not have", () => {
    const fleet = { file: "f.yaml", more: ["--added", "all", "--allow-path", "../lib", "--allow-path=x"] };
    expect(commands(undefined, fleet)?.[1]).toMatch(
      /^workspacectl fleet up f.yaml --only eu-web -- --allow-path ..\/lib --allow-path=x --only 'groups/,
    );
  });

  it("do not accept where the file is that of another commit", () => {
    expect(commands({ root: "/repository", folder: "/gone/abc" })).toEqual([revert]);
  });
});

describe("the access in a fleet", () => {
  it("says of nobody more than the file does, and reads the workspace only if the caller says so", () => {
    const rows = [
      { member: "ann@example.com", admin: true, owner: false, projects: {} },
      { member: "dev@example.com", owner: false, projects: {} },
    ];
    expect(listCheckNotes("access", { rows }).map(({ text }) => text)).toEqual([
      "ann@example.com: administrator",
      "dev@example.com: member or administrator",
    ]);
    const { summary } = parseResult("access", 0, JSON.stringify({ rows }), []);
    expect(summary).toBe("2 people, 1 administrator, 1 perhaps administrator");
    const words = (more: string[]) =>
      listChildArguments({ ...entry, connection: "eu" }, { command: "access", more }).join(" ");
    expect(words([])).toContain("--offline");
    expect(words([])).not.toContain("--connection");
    expect(words(["--live"])).toContain("--connection eu --format json --live");
    expect(words(["--live"])).not.toContain("--offline");
  });
});

describe("the paths of an entry with a revision", () => {
  const map = (root: string, text: string, escape?: typeof escapeInJson) =>
    createPathMapper({ pinned: { root, folder: "/gone/abc" } }, escape)(text);

  it("are those of the repository, as seen from the folder of the run", () => {
    const here = process.cwd();
    expect(map(here, "/gone/abc/teams/web.yaml:3:1, /gone/abc/x")).toBe("teams/web.yaml:3:1, x");
    expect(map(join(here, ".."), "/gone/abc/teams/web.yaml")).toBe(join(here, "../teams/web.yaml"));
    expect(map("/other", "in /gone/abc")).toBe("in /other");
    expect(createPathMapper({})("/gone/abc/x")).toBe("/gone/abc/x");
  });

  it("stay JSON in JSON", () => {
    const mapped = map('/a "b"', JSON.stringify({ file: "/gone/abc/x" }), escapeInJson);
    expect(JSON.parse(mapped)).toEqual({ file: '/a "b"/x' });
  });
});
