/** Tests `run`. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Emulator, EmulatorOptions, Seed } from "../../../emulator/index.js";
import { emulated, type Person, personAt } from "../service-support.js";

const action = (name: string) => ({
  name,
  type: "PING",
  trigger_time: "ON_EVERY_EXECUTION",
  destination: "example.com",
});
const pipeline = (name: string, more: object = {}) => ({
  name,
  ref_name: "main",
  ref_type: "BRANCH",
  trigger_mode: "MANUAL",
  actions: [action("Build"), action("Tell")],
  ...more,
});
const fails = { outcomes: [{ status: "FAILED" as const, action: "Tell" }] };

const seed: Seed = {
  users: [{ email: "owner@example.com", name: "Olga Owner", tokens: [{}] }],
  workspaces: [
    {
      domain: "acme",
      sandboxes: [{ id: "5f2c", identifier: "dev", name: "Dev box" }],
      projects: [
        {
          name: "web",
          files: { "README.md": "Web" },
          branches: { feature: "main" },
          pipelines: [
            pipeline("deploy"),
            pipeline("broken", fails),
            pipeline("twice"),
            pipeline("twice"),
            pipeline("wild", { ref_type: "WILDCARD", ref_name: "*" }),
          ],
        },
      ],
    },
  ],
};

let emulator: Emulator;
let ann: Person;
async function begin(options: EmulatorOptions = {}) {
  emulator = await emulated({ seed, actionSeconds: 0.4, ...options });
  ann = personAt(emulator);
}

const posts = () => emulator.journal.writes().filter(({ path }) => path.endsWith("/executions"));
const json = <T>(text: string) => JSON.parse(text) as T;
const runAndGetId = async (...more: string[]) =>
  json<{ id: number }>((await ann.types(["run", "web/deploy", "--json", ...more])).stdout).id;

describe("run", () => {
  beforeEach(() => begin());

  it("shows no secrets of its actions as JSON", async () => {
    const path = `/workspaces/acme/projects/web/pipelines`;
    const { body } = await emulator.edit({ method: "GET", path });
    const { id } = (body as { pipelines: { id: number; name: string }[] }).pipelines.find(
      ({ name }) => name === "deploy",
    )!;
    const call = {
      ...{ name: "Call", type: "HTTP", trigger_time: "ON_EVERY_EXECUTION", method: "GET" },
      notification_url: "https://example.com/",
      headers: [
        { name: "Authorization", value: "words-in-clear" },
        { name: "X-Step", value: "one" },
      ],
    };
    await emulator.edit({ method: "POST", path: `${path}/${id}/actions`, body: call });
    await runAndGetId();
    for (const argv of [
      ["run", "web/deploy"],
      ["executions", "show", "web/deploy"],
    ]) {
      const { stdout } = await ann.types([...argv, "--json"]);
      expect(stdout).not.toContain("in-clear");
      expect(stdout).toContain("[secret]");
      expect(stdout).toContain("X-Step");
    }
  });

  it("starts a pipeline and prints the command to watch it", async () => {
    const { code, stdout, stderr } = await ann.types(["run", "web/deploy"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Execution \d+ of web\/deploy started: INPROGRESS\n$/);
    expect(stderr).toMatch(/To watch it: workspacectl executions show web\/deploy \d+ --watch/);
  });

  it("with --watch reports each status change of the actions, and succeeds with the execution", async () => {
    const { code, stdout, stderr } = await ann.types(["run", "web/deploy", "--watch"]);
    expect(code).toBe(0);
    const told = stderr.split("\n").filter((line) => /SUCCESSFUL/.test(line));
    expect(told).toEqual([
      "Build: SUCCESSFUL",
      "Tell: SUCCESSFUL",
      expect.stringMatching(/^Execution \d+: SUCC/),
    ]);
    expect(stdout).toMatch(/ended: SUCCESSFUL\n$/);
  });

  it("with --watch exits with 3 if the execution fails", async () => {
    const { code, stdout, stderr } = await ann.types(["run", "web/broken", "--watch"]);
    expect(code).toBe(3);
    expect(stderr).toContain("Tell: FAILED\n");
    expect(stdout).toMatch(/ended: FAILED\n$/);
  });

  it("redraws its output on a terminal", async () => {
    emulator.settings.actionSeconds = 0.8;
    const { code, stderr } = await ann.types(["run", "web/deploy", "--watch"], { terminal: true });
    expect(code).toBe(0);
    expect(stderr).toMatch(/ {2}(Build|Tell ) {2}INPROGRESS \d+ %/);
    expect(stderr).toContain("\u001b[1A"); // Moves the cursor up over the previous output.
    expect(stderr).toMatch(/Execution \d+: SUCCESSFUL/);
  });

  it("passes on branch, comment and refresh, and rejects two references", async () => {
    const argv = ["run", "web/wild", "--branch", "feature", "--comment", "Try it", "--refresh", "--json"];
    const { code, stdout } = await ann.types(argv);
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({ branch: { name: "feature" }, comment: "Try it", refresh: true });
    const both = await ann.types(["run", "web/wild", "--branch", "a", "--tag", "b"]);
    expect(both.stderr).toContain("use only one of the two");
  });

  it("does not repeat the request if the response is lost, and tells the user what to check", async () => {
    emulator.faults.add({ kind: "reset-after", method: "POST", path: /executions$/ });
    const { code, stderr } = await ann.types(["run", "web/deploy"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Check the newest executions of pipeline \d+: if none was started just now, run it again/,
    );
    expect(posts()).toHaveLength(1);
    const { stdout } = await ann.types(["executions", "list", "web/deploy", "--json"]);
    expect(json<unknown[]>(stdout)).toHaveLength(1);
  });

  it("suggests a name for a mistyped one", async () => {
    expect((await ann.types(["run", "web/deplo"])).stderr).toContain(
      'no pipeline "deplo". Did you mean "deploy"?',
    );
    expect((await ann.types(["run", "shop/deploy"])).stderr).toContain(
      'there is no project "shop" in workspace acme',
    );
    expect((await ann.types(["run", "deploy"])).stderr).toContain("write PROJECT/PIPELINE");
  });

  it("requires the number of a pipeline whose name is not unique", async () => {
    const { code, stderr } = await ann.types(["run", "web/twice"]);
    expect(code).toBe(1);
    const numbered = /web\/\d+, (web\/\d+)/.exec(stderr)?.[1] ?? "";
    const { stdout } = await ann.types(["run", numbered]);
    expect(stdout).toContain(`of ${numbered} started`);
  });
});

describe("Ctrl-C while watching", () => {
  beforeEach(() => begin({ actionSeconds: 60 }));

  it("stops watching but not the execution, and prints the command to cancel it", async () => {
    const onNote = (text: string) => {
      if (/^Execution \d+: INPROGRESS/.test(text)) process.emit("SIGINT");
    };
    const watching = ann.types(["run", "web/deploy", "--watch"], { onNote });
    const { code, stderr } = await watching;
    expect(code).toBe(130);
    const [, id = ""] = /execution (\d+) continues/.exec(stderr) ?? [];
    expect(stderr).toContain(`To cancel it:   workspacectl executions cancel web/deploy ${id}`);
    const { stdout } = await ann.types(["executions", "show", "web/deploy", "--json"]);
    expect(json(stdout)).toMatchObject({ id: Number(id), status: "INPROGRESS" });
  });
});

describe("executions", () => {
  it("are listed newest first, as a table or as JSON", async () => {
    await begin();
    await ann.types(["run", "web/deploy", "--watch", "--comment", "First"]);
    emulator.settings.actionSeconds = 60;
    await ann.types(["run", "web/deploy", "--comment", "Second"]);
    const { stdout } = await ann.types(["executions", "list", "web/deploy"]);
    const [head, second, first] = stdout.split("\n");
    expect(head).toMatch(/^ID +STATUS +STARTED +TOOK +BRANCH +REVISION +BY +COMMENT$/);
    expect(second).toMatch(/^\d+ +INPROGRESS .* main +[0-9a-f]{8} +Olga Owner +Second$/);
    expect(first).toMatch(/^\d+ +SUCCESSFUL .* First$/);
    const one = await ann.types(["executions", "list", "web/deploy", "--limit", "1", "--json"]);
    expect(json(one.stdout)).toMatchObject([{ comment: "Second" }]);
    expect((await ann.types(["executions", "list", "web/broken"])).stdout).toBe(
      "This pipeline has not run yet.\n",
    );
  });

  it("are shown with their actions", async () => {
    await begin();
    const id = await runAndGetId();
    const { code, stdout } = await ann.types(["executions", "show", "web/deploy", String(id), "--watch"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^status +SUCCESSFUL$/m);
    expect(stdout).toMatch(/^Build +PING +SUCCESSFUL +100 %$/m);
  });

  it("can be cancelled", async () => {
    await begin({ actionSeconds: 60 });
    const id = await runAndGetId();
    const { code, stdout } = await ann.types(["executions", "cancel", "web/deploy", String(id)]);
    expect(code).toBe(0);
    expect(stdout).toBe(`Execution ${id} of web/deploy is cancelled: TERMINATED\n`);
    const again = await ann.types(["executions", "cancel", "web/deploy", String(id)]);
    expect(again.stdout).toContain("had already ended: TERMINATED");
    const watched = await ann.types(["executions", "show", "web/deploy", String(id), "--watch"]);
    expect(watched.code).toBe(3);
  });

  it("can be retried", async () => {
    await begin();
    const { stdout } = await ann.types(["run", "web/broken", "--watch", "--json"]);
    const { id, status } = json<{ id: number; status: string }>(stdout);
    expect(status).toBe("FAILED");
    const retried = await ann.types(["executions", "retry", "web/broken", String(id), "--watch"]);
    expect(retried.code).toBe(0);
    expect(retried.stdout).toBe(`Execution ${id} of web/broken ended: SUCCESSFUL\n`);
  });

  it("are not retried twice if the response is lost", async () => {
    await begin();
    const id = await runAndGetId("--watch");
    emulator.faults.add({ kind: "reset-after", method: "PATCH" });
    const { code, stderr } = await ann.types(["executions", "retry", "web/deploy", String(id)]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Check execution ${id}: if it is not in progress, retry it again`);
    expect(emulator.journal.writes().filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });
});

describe("sandbox restart", () => {
  beforeEach(() => begin());

  it("restarts a sandbox without repeating a lost request", async () => {
    const { code, stdout } = await ann.types(["sandbox", "restart", "5f2c"]);
    expect(stdout).toMatch(/^Sandbox 5f2c \(Dev box\) restarts: [A-Z]+\n$/);
    expect(code).toBe(0);
    emulator.faults.add({ kind: "reset-after", method: "POST" });
    const lost = await ann.types(["sandbox", "restart", "5f2c"]);
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain("if it did not restart just now, restart it again");
    expect(emulator.journal.writes()).toHaveLength(2);
  });
});
