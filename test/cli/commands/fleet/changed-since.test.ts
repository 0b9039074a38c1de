/** Tests cli/commands/fleet/git.ts (which workspaces changes affect) and the entries that a pattern makes, with real Git. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFleet, readFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { findChangedEntries } from "../../../../cli/commands/fleet/git.js";
import { temporaryFolder, testIo } from "../../support.js";

const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

/** A repository with a fleet of three teams, of which two include a base. */
function makeFleet() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const team = (more = "") => `version: 1\nworkspace: acme\n${more}`;
  write("base/platform.yaml", "version: 1\ngroups: { QA: {} }\n");
  write("base/notes.txt", "What it is for");
  write("teams/web.yaml", team("include: ../base/*.yaml\n"));
  write("teams/web.web.yaml", "version: 1\nvariables: { REGION: us }\n");
  write("teams/api.yaml", team('variables: { NOTE: "${file:../base/notes.txt}" }\n'));
  write("teams/data/workspace.yaml", team());
  write(
    "fleet.yaml",
    'version: 1\ndefaults: { allowPaths: [base] }\nworkspaces: { from: ["teams/*.yaml", "teams/*/workspace.yaml"], api: { owner: team-api } }\n',
  );
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git(...AUTHOR, "commit", "--quiet", "--message", "Begin");
  const changed = async (ref = "HEAD", more: string[] = []) => {
    const { entries, removed } = await findChangedEntries(
      at("fleet.yaml"),
      readFleet(at("fleet.yaml")),
      ref,
      more,
      testIo({ PATH: process.env["PATH"] }).io,
    );
    return [...entries, ...removed.map(({ name }) => ({ name: `-${name}` }))].map(({ name }) => name);
  };
  return { at, git, write, team, changed };
}

describe("entries from a pattern", () => {
  it("are the workspace files, by what the wildcards stand for, with the settings of entries of that name", () => {
    const { at } = makeFleet();
    const { entries } = readFleet(at("fleet.yaml"));
    expect(entries.map(({ name, file, owner }) => [name, file, owner])).toEqual([
      ["api", at("teams/api.yaml"), "team-api"],
      ["web", at("teams/web.yaml"), undefined],
      ["data", at("teams/data/workspace.yaml"), undefined],
    ]);
  });

  it("are an error if no file matches, or two would be the same", () => {
    const { at, write, team } = makeFleet();
    const fleet = (from: string) => `version: 1\nworkspaces: { from: ${from} }\n`;
    expect(() => parseFleet(at("fleet.yaml"), fleet('"none/*.yaml"'))).toThrow("no file matches none/*.yaml");
    expect(() => parseFleet(at("fleet.yaml"), fleet('"../*.yaml"'))).toThrow("outside");
    write("more/web.yaml", team());
    expect(() => parseFleet(at("fleet.yaml"), fleet('["teams/*.yaml", "more/*.yaml"]'))).toThrow(
      "teams/web.yaml and more/web.yaml would both be the workspace web",
    );
  });
});

describe("--changed-since", () => {
  it.each([
    ["nothing", () => {}, []],
    ["a file of its own", "teams/data/workspace.yaml", ["data"]],
    ["an included file", "base/platform.yaml", ["web"]],
    ["a value", "base/notes.txt", ["api"]],
    ["an overlay", "teams/web.web.yaml", ["web"]],
    ["settings of Pulumi", "teams/Pulumi.api.yaml", ["api"]],
    ["a file that none reads", "README.md", []],
  ] as const)("selects those that read %s", async (_, file, names) => {
    const { write, changed, team } = makeFleet();
    if (typeof file === "string")
      write(
        file,
        file.endsWith("workspace.yaml") ? team("groups: { Dev: {} }\n") : "version: 1\n# changed\n",
      );
    expect(await changed()).toEqual(names);
  });

  it("selects those whose included file was deleted or added, and new ones", async () => {
    const { at, write, changed, team } = makeFleet();
    rmSync(at("base/platform.yaml"));
    write("base/other.yaml", "version: 1\n");
    write("teams/shop.yaml", team());
    expect(await changed()).toEqual(["shop", "web"]);
  });

  it("names entries that were removed, and selects those whose settings have changed", async () => {
    const { at, git, write, changed } = makeFleet();
    rmSync(at("teams/data/workspace.yaml"));
    write(
      "fleet.yaml",
      'version: 1\ndefaults: { allowPaths: [base] }\nworkspaces: { from: "teams/*.yaml" }\n',
    );
    expect(await changed()).toEqual(["api", "-data"]);
    git("add", "--all");
    git(...AUTHOR, "commit", "--quiet", "--message", "Remove");
    expect(await changed()).toEqual([]);
    expect(await changed("HEAD~1")).toEqual(["api", "-data"]);
  });

  it("selects all for a file that an option names", async () => {
    const { write, changed } = makeFleet();
    write("rules/own.yaml", "x: 1\n");
    expect(await changed("HEAD", ["--rules", "teams"])).toEqual([]);
  });

  it("needs a commit of the history, and a repository", async () => {
    const { changed, at } = makeFleet();
    await expect(changed("origin/none")).rejects.toThrow(
      /--changed-since origin\/none names no commit[^]*choose a commit/,
    );
    await expect(changed("--output=x")).rejects.toThrow("names no commit");
    rmSync(at(".git"), { recursive: true });
    await expect(changed()).rejects.toThrow(
      /--changed-since HEAD needs the Git history of [^]*run the command in a clone/,
    );
  });
});
