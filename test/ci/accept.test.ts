/** Plays the scripts that propose accepted drift, with the shell of the runners, real Git, and a stand-in for `gh`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../cli/support.js";
import { component, readGitLab } from "./gitlab-file.js";
import { readWorkflow } from "./workflow.js";

const report = "## Drift of acme\n\n- groups/QA description\n";
const github = readWorkflow("github/workflows/accept.yml").jobs["propose"]?.steps.find(
  ({ id }) => id === "propose",
);
const { propose: gitlab } = readGitLab(component) as { propose: { script: readonly string[] } };

/** A repository with a workspace file, and the artifact of the job before. */
async function makeWorld(change: ((text: string) => string) | undefined, open = "") {
  const folder = temporaryFolder();
  const [origin, trusted, accept] = ["origin.git", "trusted", "accept"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${pathToFileURL(origin).href}.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://git.example.com/o/r",
  };
  const git = (cwd: string, ...words: string[]) => execa("git", words, { cwd, env });
  await git(folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  await git(origin, "config", "receive.advertisePushOptions", "true");
  await git(folder, "clone", "--quiet", origin, trusted);
  const file = join(trusted, "workspace.yaml");
  writeFileSync(file, "groups:\n  QA:\n    description: Testers\n");
  await git(trusted, "add", "--all");
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  await git(trusted, ...author, "commit", "--quiet", "--message", "Begin");
  await git(trusted, "push", "--quiet", "origin", "HEAD:main");
  let patch = "";
  if (change !== undefined) {
    writeFileSync(file, change(readFileSync(file, "utf8")));
    writeFileSync(join(trusted, "evil.sh"), "echo evil\n");
    await git(trusted, "add", "--intent-to-add", "evil.sh");
    patch = `${(await git(trusted, "diff")).stdout}\n`;
  }
  await git(trusted, "reset", "--quiet", "--hard");
  mkdirSync(accept);
  writeFileSync(join(accept, "accept.patch"), patch);
  writeFileSync(join(accept, "drift.md"), report);
  mkdirSync(join(folder, "bin"));
  const asked = join(folder, "asked");
  writeFileSync(
    join(folder, "bin/gh"),
    `#!/bin/sh\necho "gh $*" >> "${asked}"\ncase "$1 $2" in "pr list") echo "${open}" ;; esac\n`,
  );
  chmodSync(join(folder, "bin/gh"), 0o755);
  return {
    ...{ folder, trusted, accept },
    play: (script: string, more: Record<string, string>) =>
      execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
        cwd: trusted,
        reject: false,
        all: true,
        env: { ...env, ...more },
      }),
    shown: async (branch: string, ...words: string[]) => (await git(origin, "show", ...words, branch)).stdout,
    asked: () => (existsSync(asked) ? readFileSync(asked, "utf8") : ""),
  };
}

const changed = (text: string) => `${text.replace("Testers", "Hobby club")}# more\n`;
const ofGitHub = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "o/r", GH_TOKEN: "t" };

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
    const { exitCode, all } = await world.play(script, {
      ...{ CI_DEFAULT_BRANCH: "main", CI_SERVER_PROTOCOL: "https", CI_PROJECT_PATH: "o/r" },
      ...{ CI_SERVER_FQDN: "git.example.com", GITLAB_PUSH_TOKEN: "t" },
      GIT_CONFIG_VALUE_0: "https://oauth2:t@git.example.com/o/r.git",
    });
    expect([exitCode, all]).toEqual([0, expect.any(String)]);
    const commit = await world.shown("accept-drift-us");
    expect(commit).toContain("+    description: Hobby club");
    expect(commit).not.toContain("evil");
    expect(await world.shown("accept-drift-us", "--no-patch", "--format=%B")).toBe(
      `Accept drift of the workspace (us)\n\n${report}`,
    );
  });
});
