/** Tells the story of a company's fleet: teams by pattern, checks, two regions that are promoted one after the other, and a comparison. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editByHand, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const [us, eu] = [await emulatorForTests(), await emulatorForTests()];
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
const commit = (message: string) => {
  git("add", "--all", ":!state");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", message);
  return git("rev-parse", "HEAD");
};
/** A variable for each region, as the jobs set it. */
const ofRegion = (region: string, { baseUrl, token }: { baseUrl: string; token: string }) => ({
  [`WORKSPACE_AUTOMATION_${region}_BASE_URL`]: baseUrl,
  [`WORKSPACE_AUTOMATION_${region}_TOKEN`]: token,
  [`WORKSPACE_AUTOMATION_${region}_WORKSPACE`]: "acme",
});
const env: NodeJS.ProcessEnv = {
  ...isolated(folder),
  ...ofRegion("US", us),
  ...ofRegion("EU", eu),
  GITHUB_ACTIONS: "true",
  GITHUB_ACTOR: "ann",
  GITHUB_SERVER_URL: "https://github.example.com",
  GITHUB_REPOSITORY: "acme/workspaces",
  GITHUB_RUN_ID: "7",
};
const fleet = (...argv: string[]) =>
  workspacectl(["fleet", ...argv], folder, { ...env, GITHUB_SHA: git("rev-parse", "HEAD") });
const FILE = (description: string, more = "") => `version: 1
workspace: acme
members:
  ann@example.com: { admin: true }
  bob@example.com: {}
groups:
  QA: { description: ${description}, members: [bob@example.com] }
${more}`;

mkdirSync(at("state"));
writeFileSync(at("workspace.yaml"), FILE("Testers"));
const FLEET = `version: 1
defaults: { backend: ./state, allowPaths: [.]}   # as somebody has written it
workspaces:
  us: { connection: us }
  # The second region follows by pull request.
  eu: { connection: eu, owner: platform }
`;
writeFileSync(at("fleet.yaml"), FLEET);
git("init", "--quiet", "--initial-branch=main");
const first = commit("Begin");

describe.sequential("a fleet of two regions", () => {
  it("is checked without the service: equal problems once, with all workspaces", async () => {
    writeFileSync(at("workspace.yaml"), FILE("Testers").replace("description:", "descripton:"));
    const invalid = await fleet("validate", "--quiet");
    expect(invalid.code).toBe(1);
    expect(invalid.stdout).toMatch(/all 2 workspaces: workspace\.yaml:7:\d+: unknown property "descripton"/);
    writeFileSync(at("workspace.yaml"), FILE("Testers"));
    expect(await fleet("validate", "--quiet")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 workspaces: all ok") as string,
    });
    expect(await fleet("lint", "--quiet")).toMatchObject({ code: 0 });
    const access = await fleet("access", "--quiet");
    expect(access.code).toBe(0);
    expect(access.stdout).toContain("all 2 workspaces: ann@example.com: administrator");
    expect([...us.journal.requests, ...eu.journal.requests]).toEqual([]);
  });

  it("is applied, and its regions are the same, people included", async () => {
    expect(await fleet("up", "--yes", "--quiet")).toMatchObject({ code: 0 });
    const { code, stdout } = await fleet("compare", "--with", "us", "--quiet");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/eu .* ok +no difference/) as string,
    });
  });

  it("reports drift with commands that work outside of the fleet", async () => {
    await editByHand(us, ["PATCH", "groups", "QA"], { description: "By hand" });
    const drift = await fleet("drift", "--quiet");
    expect(drift.code).toBe(7);
    const revert = /revert: PULUMI_BACKEND_URL=(\S+) workspacectl (.*)/.exec(drift.stdout);
    const [, backend, command = ""] = revert ?? [];
    const alone = { ...env, PULUMI_BACKEND_URL: backend, GITHUB_SHA: first };
    expect(await workspacectl([...command.split(" "), "--yes"], folder, alone)).toMatchObject({ code: 0 });
    expect(await fleet("drift", "--quiet")).toMatchObject({ code: 0 });
  });

  let second: string;
  it("updates one region, which the other one follows when a revision is promoted", async () => {
    expect(await fleet("promote", "--from", "us", "--to", "eu")).toMatchObject({
      stdout: expect.stringContaining(`us runs ${first.slice(0, 12)}`) as string,
    });
    // Nothing else in the file is changed.
    expect(readFileSync(at("fleet.yaml"), "utf8")).toBe(
      FLEET.replace("owner: platform", `owner: platform, revision: ${first}`),
    );
    commit("Pin eu");
    writeFileSync(at("workspace.yaml"), FILE("Checkers"));
    second = commit("Change QA");
    expect((await fleet("up", "--yes", "--quiet")).stdout).toMatch(/^us .* 1 updated[^]*^eu .* no changes/m);
    const different = await fleet("compare", "--with", "us", "--quiet");
    expect(different.code).toBe(7);
    expect(different.stdout).toMatch(/eu .* different +1 changed/);
    expect(different.stdout).toMatch(/groups\/QA .*description .*"Checkers".*"Testers"/);

    const dry = await fleet("promote", "--from", "us", "--to", "eu", "--dry-run");
    expect(dry.stdout).toMatch(
      new RegExp(
        `us runs ${second.slice(0, 12)} [^]*eu runs ${first.slice(0, 12)} .*: 2 commits, 0 days behind`,
      ),
    );
    expect(await fleet("promote", "--from", "us", "--to", "eu")).toMatchObject({ code: 0 });
    commit("Promote");
    const review = await fleet("preview", "--changed-since", "HEAD~1", "--quiet");
    expect(review.stdout).toMatch(/^eu .* 1 to update/m);
    expect(review.stdout).not.toMatch(/^us /m);
    expect(await fleet("up", "--yes", "--quiet", "--only", "eu")).toMatchObject({ code: 0 });
    expect(await fleet("compare", "--with", "us", "--quiet")).toMatchObject({ code: 0 });
    expect(git("worktree", "list").split("\n")).toHaveLength(1);
  });

  it("is not applied without the history of a pinned commit", async () => {
    writeFileSync(at("fleet.yaml"), readFileSync(at("fleet.yaml"), "utf8").replace(second, "a".repeat(40)));
    const { code, stderr } = await fleet("up", "--yes", "--quiet");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`revision ${"a".repeat(40)} cannot be checked out`),
    ]);
  });
});
