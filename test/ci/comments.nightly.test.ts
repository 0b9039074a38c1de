/** Plays examples/ci/github/comments with a real runner: comments of people with and without rights, on hostile pull requests. Needs a build. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { missingAct, play, type Played } from "./act.js";
import { FakeGitHub, ghScript } from "./fake-github.js";
import {
  addTool,
  examples,
  expectNoSecret,
  expectNothingForeign,
  git,
  type HostileWorld,
  makeHostileWorld,
} from "./hostile-world.js";

const skip = await missingAct();
const reason = skip === undefined ? "" : ` (skipped: ${skip})`;

let world: HostileWorld;
let gitHub: FakeGitHub;
let api: string;
const artifacts = () => join(world.folder, "artifacts");

beforeAll(async () => {
  if (skip !== undefined) return;
  world = await makeHostileWorld(async (main) => {
    await addTool(main);
    cpSync(join(examples, "github/actions"), join(main, ".github/actions"), { recursive: true });
    cpSync(join(main, "comment.mjs"), join(main, ".github/comment.mjs"));
    mkdirSync(join(main, ".github/workflows"));
    // act 0.2.89 does not know it.
    const text = readFileSync(join(examples, "github/comments/comments.yml"), "utf8");
    writeFileSync(join(main, ".github/workflows/comments.yml"), text.replace(/ +queue: max.*\n/, ""));
  });
  world.write("bin/gh", ghScript(artifacts()), 0o755);
  gitHub = new FakeGitHub(world);
  api = await gitHub.serve();
}, 900_000);

beforeEach(() => {
  if (skip !== undefined) return;
  gitHub.pulls.clear();
  gitHub.sent.splice(0);
  gitHub.onRequest = () => Promise.resolve();
  Object.assign(gitHub.people, { ann: "write", bob: "write", rita: "read" });
  for (const run of Object.keys(gitHub.otherRuns)) delete gitHub.otherRuns[Number(run)];
  gitHub.open(1);
});

/** Plays what a comment starts. */
async function comment(
  body: string,
  login: string,
  number = 1,
  type: "User" | "Bot" = "User",
): Promise<Played> {
  const { folder, main, emulator, secrets, backend, origin, write } = world;
  const event = {
    action: "created",
    issue: { number, state: "open", pull_request: { url: "https://example.com" } },
    comment: { id: 5, body, user: { login, type } },
    repository: { full_name: "acme/workspace", default_branch: "main" },
  };
  write("event.json", JSON.stringify(event));
  const played = await play("comments.yml", {
    ...{ repository: main, trigger: "issue_comment", event: join(folder, "event.json") },
    secrets: {
      GITHUB_TOKEN: secrets.job,
      WORKSPACE_AUTOMATION_TOKEN: secrets.token,
      PULUMI_CONFIG_PASSPHRASE: secrets.passphrase,
    },
    variables: { WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl, PULUMI_BACKEND_URL: backend },
    env: {
      PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
      HOME: process.env["HOME"] ?? "",
      GITHUB_REPOSITORY: "acme/workspace",
      GITHUB_API_URL: api,
      ORIGIN: pathToFileURL(origin).href,
      EVENT_REF: "main",
      ARTIFACTS: artifacts(),
    },
  });
  expectNoSecret({ ...world, sent: gitHub.sent }, [played.log], [artifacts()]);
  expectNothingForeign(world);
  return played;
}

const writes = () => world.emulator.journal.writes().length;

/** Changes the description of the group, as somebody does by hand. */
async function describeGroup(description: string): Promise<void> {
  const { baseUrl, token } = world.emulator;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const list = await fetch(`${baseUrl}/workspaces/acme/groups`, { headers });
  const { groups } = (await list.json()) as { groups: readonly { id: number }[] };
  const address = `${baseUrl}/workspaces/acme/groups/${groups[0]?.id}`;
  const { ok } = await fetch(address, { method: "PATCH", headers, body: JSON.stringify({ description }) });
  expect(ok).toBe(true);
}

/** What was written to the pull request: the last comment, and the reaction. */
const answer = () => gitHub.sent.findLast((line) => /^POST \S+\/issues\/\d+\/comments /.test(line)) ?? "";
const reaction = () =>
  /"content":"(.*?)"/.exec(gitHub.sent.find((line) => line.includes("/reactions ")) ?? "")?.[1];
const approve = (login: string, number = 1, commit_id = world.heads[number - 1] ?? "") =>
  gitHub.pulls.get(number)?.reviews.push({ state: "APPROVED", commit_id, user: { login, type: "User" } });

/** Expects that no job with a secret has started, and that nothing was written to the workspace. */
function expectNothingDone({ log }: Played, before: number): void {
  expect(log).not.toContain("[Comments/plan");
  expect(log).not.toContain("[Comments/apply");
  expect(writes()).toBe(before);
}

describe.skipIf(skip !== undefined).sequential(`a comment${reason}`, { timeout: 900_000 }, () => {
  it("plans a hostile pull request, and runs nothing of it", async () => {
    const played = await comment("/plan", "ann");
    expect([played.code, played.log]).toEqual([0, expect.stringContaining('"Testers" → "Changed"')]);
    expect(reaction()).toBe("eyes");
    expect(answer()).toContain("Changed");
    expect(gitHub.sent.join("\n")).toContain(
      `/statuses/${world.heads[0]} {"state":"success","context":"plan us"`,
    );
    expect([...gitHub.pulls.get(1)!.labels]).toEqual(["workspace us"]);
    expect(writes()).toBe(1); // the group of `main`
  });

  it("plans one with a plugin of Pulumi, and one that asks for credentials, and shows nothing", async () => {
    for (const number of [2, 3]) {
      gitHub.pulls.clear();
      gitHub.open(number);
      const { log } = await comment("/plan", "ann", number);
      expect(log).toContain("Run Main What would change");
    }
  });

  const refused: Record<string, [() => void, string, ("User" | "Bot")?, string?]> = {
    "of a stranger": [() => approve("bob"), "mallory"],
    "of a member who may only read": [() => approve("bob"), "rita"],
    "of an app": [() => approve("bob"), "ann", "Bot"],
    "with commands of a shell after it": [
      () => approve("bob"),
      "ann",
      "User",
      "/apply $(touch evil); `touch evil`",
    ],
    "with commands of a shell before it": [() => approve("bob"), "ann", "User", '"; touch evil #\n/apply'],
  };
  it.each(Object.entries(refused))(
    "%s applies nothing, without a word",
    async (_, [prepare, who, type, text]) => {
      prepare();
      const before = writes();
      expectNothingDone(await comment(text ?? "/apply", who, 1, type), before);
      expect(answer()).toBe("");
      expect(reaction()).toBe(["mallory", "rita"].includes(who) ? "-1" : undefined);
    },
  );

  const answered: Record<string, [(pull: ReturnType<FakeGitHub["open"]>) => void, string]> = {
    "without an approval": [() => undefined, "nobody who may write has approved"],
    "that the author approved": [() => approve("ann"), "The approval of the author does not count"],
    "that somebody approved who may only read": [() => approve("rita"), "nobody who may write has approved"],
    "whose approval was dismissed": [
      (pull) => {
        approve("bob");
        pull.reviews.push({ ...pull.reviews[0]!, state: "DISMISSED" });
      },
      "nobody who may write has approved",
    ],
    "that was pushed to after the approval": [
      () => approve("bob", 1, "0".repeat(40)),
      "nobody who may write has approved",
    ],
    "of a fork": [(pull) => (pull.repository = "mallory/workspace"), "is of a fork"],
    "into another branch": [(pull) => (pull.base = "evil"), "is not into the default branch"],
    "whose checks failed": [(pull) => (pull.state = "blocked"), "(its state is `blocked`)"],
    "with conflicts": [(pull) => (pull.mergeable = false), "conflicts"],
    "whose newest commit GitHub has not merged yet": [
      (pull) => (pull.head = world.heads[1]!),
      "Comment again",
    ],
    "while another one has the workspace": [
      () => (approve("bob"), gitHub.open(2).labels.add("workspace us")),
      "#2 has the label",
    ],
  };
  it.each(Object.entries(answered))("applies no pull request %s, and says so", async (_, [prepare, why]) => {
    prepare(gitHub.pulls.get(1)!);
    const before = writes();
    expectNothingDone(await comment("/apply", "ann"), before);
    expect(answer()).toContain("Nothing was done: ");
    expect(answer()).toContain(why);
  });

  it("applies no plan that a workflow of a branch has stored", async () => {
    approve("bob");
    const stored = join(artifacts(), `plan-us-${world.heads[0]}`);
    const real = join(world.folder, "kept");
    cpSync(stored, real, { recursive: true });
    rmSync(stored, { recursive: true });
    gitHub.otherRuns[666] = "push";
    const before = writes();
    expectNothingDone(await comment("/apply", "ann"), before);
    expect(answer()).toContain("has no plan. Comment `/plan`");
    cpSync(real, stored, { recursive: true });
  });

  it("applies nothing when the workspace was changed after the plan", async () => {
    approve("bob");
    await describeGroup("Changed by hand");
    const before = writes();
    const { log } = await comment("/apply", "ann");
    expect(log).toContain("Failure - Main The plan that was shown, or nothing");
    expect(answer()).toContain("Not applied, or not all of it");
    // GitHub would call the commit unstable, and the next /apply would be refused.
    expect(gitHub.sent.join("\n")).not.toContain('"context":"apply us"');
    expect(writes()).toBe(before);
    await describeGroup("Testers");
  });

  it("applies the plan of the approved commit, and not what is pushed after the comment", async () => {
    approve("bob");
    // The last request of the job that decides, after which the author pushes something else.
    gitHub.onRequest = async (line) => {
      if (!line.includes("/actions/runs/")) return;
      gitHub.onRequest = () => Promise.resolve();
      await git(world.origin, "update-ref", "refs/pull/1/merge", "refs/pull/3/merge");
      gitHub.pulls.get(1)!.head = world.heads[2]!;
    };
    const before = writes();
    const played = await comment("/apply", "ann");
    expect([played.code, played.log]).toEqual([0, expect.stringContaining("Done: 0 created, 1 updated")]);
    expect(writes()).toBe(before + 1);
    expect(answer()).toContain("Applied. Merge this pull request now");
    expect(existsSync(join(world.folder, "evil"))).toBe(false);
  });
});
