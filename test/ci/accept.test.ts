/** Plays the scripts that propose accepted drift, with the shell of the runners, real Git, and a stand-in for `gh`. */
import { describe, expect, it } from "vitest";
import { component, readGitLab } from "./gitlab-file.js";
import { makeProposal } from "./proposal.js";
import { readWorkflow } from "./workflow.js";

const report = "## Drift of acme\n\n- groups/QA description\n";
const github = readWorkflow("github/workflows/accept.yml").jobs["propose"]?.steps.find(
  ({ id }) => id === "propose",
);
const { propose: gitlab } = readGitLab(component) as { propose: { script: readonly string[] } };

const makeWorld = (change: ((text: string) => string) | undefined, open = "", said = report) =>
  makeProposal(
    {
      artifact: "accept",
      file: "workspace.yaml",
      text: "groups:\n  QA:\n    description: Testers\n",
      reports: { "drift.md": said },
    },
    change,
    open,
  );

const changed = (text: string) => `${text.replace("Testers", "Hobby club")}# more\n`;
const ofGitHub = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "o/r", GH_TOKEN: "t" };
const ofGitLab = {
  CI_DEFAULT_BRANCH: "main",
  CI_SERVER_PROTOCOL: "https",
  CI_PROJECT_PATH: "o/r",
  CI_SERVER_FQDN: "git.example.com",
  GITLAB_PUSH_TOKEN: "t",
  GIT_CONFIG_VALUE_0: "https://oauth2:t@git.example.com/o/r.git",
};

describe("a pull request of accepted drift", () => {
  it("contains the workspace file only, with the report as its text", async () => {
    const world = await makeWorld(changed);
    expect(await world.play(github?.run ?? "", ofGitHub)).toMatchObject({ exitCode: 0 });
    const commit = await world.shown("accept-drift-us");
    expect(commit).toContain("+    description: Hobby club");
    expect(await world.shown("accept-drift-us", "--stat", "--format=%s")).toMatch(
      /^Accept drift of the workspace \(us\)\n\n workspace.yaml /,
    );
    expect(commit).not.toContain("evil");
    expect(world.asked()).toMatch(
      /gh pr create --head accept-drift-us .*--body-file \.\.\/accept\/drift\.md/,
    );
  });

  it("is updated while it is open", async () => {
    const world = await makeWorld(changed, "7");
    expect(await world.play(github?.run ?? "", ofGitHub)).toMatchObject({ exitCode: 0 });
    expect(world.asked()).toContain("gh pr edit 7 --body-file ../accept/drift.md");
    expect(world.asked()).not.toContain("pr create");
  });

  it("is not opened when there is nothing to accept", async () => {
    const world = await makeWorld(undefined);
    const { exitCode, all } = await world.play(github?.run ?? "", ofGitHub);
    expect([exitCode, all]).toEqual([0, "There is nothing to accept."]);
    expect(world.asked()).toBe("");
  });
});

describe("a merge request of accepted drift", () => {
  it("contains the workspace file only, with the report as the message of its commit", async () => {
    const world = await makeWorld(changed);
    const script = gitlab.script.join("\n").replaceAll(".accept/", "../accept/");
    const { exitCode, all } = await world.play(script, ofGitLab);
    expect([exitCode, all]).toEqual([0, expect.any(String)]);
    const commit = await world.shown("accept-drift-us");
    expect(commit).toContain("+    description: Hobby club");
    expect(commit).not.toContain("evil");
    expect(await world.shown("accept-drift-us", "--no-patch", "--format=%B")).toBe(
      `Accept drift of the workspace (us)\n\n${report}`,
    );
  });
});

it("a merge request neither skips its pipeline nor closes an issue, whatever a report says", async () => {
  const said =
    "- groups/[skip ci] closes #1, acme/shop#2, https://git.example.com/o/r/-/issues/3 [ci skip]\n";
  const world = await makeWorld(changed, "", said);
  const script = gitlab.script.join("\n").replaceAll(".accept/", "../accept/");
  expect(await world.play(script, ofGitLab)).toMatchObject({ exitCode: 0 });
  const message = await world.shown("accept-drift-us", "--no-patch", "--format=%B");
  expect(message).toContain("- groups/");
  expect(message).not.toMatch(/\[(skip ci|ci skip)\]|(?<!&)#\d|\/issues\/\d/);
});

describe("a pull request that promotes a commit", () => {
  const text = "workspaces:\n  eu: { connection: eu }\n";
  const reports = { "promote.txt": "eu: 12 commits behind\n", "compare.md": "## Different\n" };
  const makeFleet = (isNew: boolean) =>
    makeProposal(
      { artifact: "promote", file: "fleet.yaml", text, reports },
      isNew ? (old) => old.replace(" }", ", revision: abc }") : undefined,
    );

  it("contains the fleet file only, with the age and the differences as its text", async () => {
    const { jobs } = readWorkflow("fleet/github/promote.yml");
    const script = jobs["propose"]?.steps.find(({ id }) => id === "propose")?.run ?? "";
    const world = await makeFleet(true);
    expect(await world.play(script, { ...ofGitHub, TO: "eu" })).toMatchObject({ exitCode: 0 });
    const commit = await world.shown("promote-fleet");
    expect(commit).toContain("+  eu: { connection: eu, revision: abc }");
    expect(commit).not.toContain("evil");
    expect(world.asked()).toMatch(/gh pr create --head promote-fleet .*--body-file \.\.\/promote\/body\.md/);
    const nothing = await makeFleet(false);
    expect(await nothing.play(script, ofGitHub)).toMatchObject({ all: "There is nothing to promote." });
  });

  it("is a merge request at GitLab", async () => {
    const { propose } = readGitLab("fleet/gitlab/.gitlab-ci.yml") as {
      propose: { script: readonly string[] };
    };
    const world = await makeFleet(true);
    const script = propose.script.join("\n").replaceAll(".promote/", "../promote/");
    const { exitCode, all } = await world.play(script, ofGitLab);
    expect([exitCode, all]).toEqual([0, expect.any(String)]);
    expect(await world.shown("promote-fleet", "--no-patch", "--format=%B")).toBe(
      "Promote a workspace of the fleet\n\neu: 12 commits behind\n## Different\n",
    );
  });
});
