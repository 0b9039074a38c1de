/** Tests a workspace whose names try to control terminals and CI runners: no command may print them unescaped. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { buildCommandTree, runMain } from "../../cli/program.js";
import type { Emulator } from "../../emulator/index.js";
import { testIo } from "../cli/support.js";
import { chooseStories } from "../stories.js";
import {
  connected,
  emulatorForTests,
  type Ended,
  isolated,
  start,
  stateIn,
  temporaryFolder,
} from "./support.js";

const ATTACK =
  "\u001b[2J\u001b]8;;https://evil.example\u0007\r\u009b31m\u202Ex\u200b\n::error::pwned ##[error]y ##vso[a]z";
const bad = (word: string) => `${word}${ATTACK}`;

const folder = temporaryFolder();
const file = join(folder, "workspace.yaml");
const there = ["-f", file, "-s", "dev"];
let emulator: Emulator;
let env: NodeJS.ProcessEnv;
let [pipeline, variable] = ["", ""];
const BUILT = /^(preview|up|refresh|destroy|import|drift|fleet|stack|config|compare|replicate|emulator)/;
/** The commands that were run. */
const ran = new Set<string>();

beforeAll(async () => {
  emulator = await emulatorForTests({
    actionSeconds: 0,
    seed: {
      users: [
        { email: "owner@example.com", name: bad("Owner"), tokens: [{}] },
        { email: "dev@example.com", name: bad("Dev") },
      ],
      workspaces: [
        {
          domain: "acme",
          name: bad("Acme"),
          members: [{ email: "dev@example.com" }],
          groups: [{ name: bad("QA"), description: bad("Testers"), members: ["dev@example.com"] }],
          permission_sets: [
            {
              name: bad("set"),
              description: bad("d"),
              repository_access_level: "READ_ONLY",
              pipeline_access_level: "READ_ONLY",
            },
          ],
          variables: [{ key: "PLAIN", value: bad("value"), description: bad("about") }],
          projects: [
            {
              name: "web",
              display_name: bad("Web"),
              files: { "a.txt": "x" },
              members: [{ email: "dev@example.com", permission_set: bad("set") }],
              pipelines: [
                {
                  name: bad("pipe"),
                  trigger_mode: "MANUAL",
                  ref_name: "main",
                  ref_type: "BRANCH",
                  actions: [
                    {
                      name: bad("act"),
                      type: "BUILD",
                      trigger_time: "ON_EVERY_EXECUTION",
                      container_image_name: "node",
                      container_image_tag: "20",
                      execute_commands: [bad("echo")],
                    },
                  ],
                },
              ],
            },
          ],
          sandboxes: [{ id: "sb1", identifier: "box", name: bad("Box"), project: "web" }],
        },
      ],
    },
  });
  env = isolated(folder, {
    ...connected(emulator),
    ...stateIn(folder),
    WORKSPACE_AUTOMATION_CREDENTIALS: join(temporaryFolder(), "credentials.json"),
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
    CI: "true",
    GITHUB_ACTIONS: "true",
  });
  const all = await emulator.edit({ method: "GET", path: "/workspaces/acme/variables" });
  variable = `variables/${(all.body as { variables: { id: number }[] }).variables[0]?.id}`;
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web/pipelines" });
  pipeline = `web/${(body as { pipelines: { id: number }[] }).pipelines[0]?.id}`;
});

/** Runs commands that use Pulumi or run until they are stopped as built, and others in this process, which is faster. */
async function carriedOut(name: string, words: readonly string[]): Promise<Ended> {
  if (!BUILT.test(name)) {
    const { io, written } = testIo({ ...env });
    (io.stdin as PassThrough).end(`${emulator.token}\n`);
    return { code: await runMain(words, io), ...written() };
  }
  const child = start(words, folder, env);
  if (name === "emulator") {
    await sleep(3000);
    child.kill("SIGTERM");
  }
  const { exitCode: code, stdout, stderr } = await child;
  return { code, stdout, stderr };
}

/** Runs a command, and checks everything that it prints. */
async function runs(name: string, ...argv: readonly string[]): Promise<Ended> {
  ran.add(name);
  const { code, stdout, stderr } = await carriedOut(name, [...name.split(" "), ...argv]);
  for (const [stream, text] of Object.entries({ stdout, stderr })) {
    const told = { name, argv, stream, text };
    expect(told, "steers a terminal").not.toMatchObject({
      text: expect.stringMatching(/[^\P{C}\n\t]|\p{Bidi_Control}/u) as string,
    });
    if (!argv.includes("github"))
      expect(told, "a command for the runner").not.toMatchObject({
        text: expect.stringMatching(/^\s*::/m) as string,
      });
    expect(told, "a command for the runner").not.toMatchObject({
      text: expect.stringMatching(/##\w*\[/) as string,
    });
    expect(told, "a crash").not.toMatchObject({
      text: expect.stringContaining("This is an unexpected error") as string,
    });
  }
  return { code, stdout, stderr };
}

async function works(name: string, ...argv: readonly string[]): Promise<void> {
  const { code, stderr } = await runs(name, ...argv);
  expect([code, stderr]).toEqual([0, stderr]);
}

async function edit(path: string, body: object): Promise<void> {
  const answer = await emulator.edit({ method: "PATCH", path: `/workspaces/acme/${path}`, body });
  expect(answer).toMatchObject({ status: 200 });
}

it("commands for the user and the connection print hostile names safely", async () => {
  expect((await runs("whoami")).stdout).toMatch(/^user +Owner/);
  const told = JSON.parse((await runs("whoami", "--json")).stdout) as { user: { name: string } };
  expect(told.user.name).toBe(bad("Owner"));
  const keys = (await emulator.edit({ method: "GET", path: "/user" })).body;
  expect(keys).toMatchObject({ name: bad("Owner") });
  await runs("login", "--base-url", emulator.baseUrl, "--token", "-");
  await runs("logout", "--local");
  await runs("doctor");
  await runs("doctor", "--json");
  for (const format of ["text", "json", "markdown"]) await runs("probe", "--format", format);
  await runs("version");
  await runs("schema");
  await runs("plugin install");
  await runs("completion", "bash");
  await runs("complete", "up", "--");
  await runs("init", join(folder, "new"), "--workspace", "acme", "--yes");
  await runs("emulator", "--json");
});

it("export and commands that read the file print hostile names safely", async () => {
  await runs("export", "-o", file, "--people", join(folder, "people.yaml"));
  const printed = await runs("export");
  expect(parse(printed.stdout)).toEqual(parse(readFileSync(file, "utf8")));
  expect(readFileSync(file, "utf8")).not.toContain("\u001b");
  await runs("export", "-o", file, "--dry-run");
  const rules = join(folder, "rules");
  mkdirSync(rules);
  const said = JSON.stringify(`object.name + ${JSON.stringify(ATTACK)}`);
  writeFileSync(
    join(rules, "own.yaml"),
    `version: 1\nrules:\n  acme/x: { description: d, remedy: r, type: Group, require: "false", messageExpression: ${said} }\n`,
  );
  for (const format of ["text", "json", "github", "sarif"]) {
    await runs("validate", "-f", file, "--format", format);
    await runs("lint", "-f", file, "--format", format, "--rules", rules);
  }
  const rendered = await runs("render", "-f", file);
  expect(parse(rendered.stdout)).toEqual(
    JSON.parse((await runs("render", "-f", file, "--format", "json")).stdout),
  );
  expect(rendered.stdout).toContain("\\u001b[2J");
  await runs("fmt", "--check", file);
  await runs("fmt", "--diff", file);
  await runs("graph", "-f", file);
  for (const json of [[], ["--json"]])
    await runs("what-runs", "-f", file, "--manual", `web/${bad("pipe")}`, ...json);
  for (const json of [[], ["--json"]]) await runs("owners", file, ...json);
  for (const format of ["table", "json", "markdown", "html"]) {
    await runs("access", "-f", file, "--format", format);
    await runs("access", "--live", "--format", format);
  }
});

it("errors of a file print hostile names safely", async () => {
  const broken = join(folder, "broken.yaml");
  writeFileSync(
    broken,
    `version: 1\ngroups:\n  ${JSON.stringify(bad("QA"))}: { ${JSON.stringify(bad("nonsense"))}: 1 }\n  Ops\u202E: { descripton: 2 }\n`,
  );
  for (const format of ["text", "json", "github", "sarif"])
    await runs("validate", "-f", broken, "--format", format);
  await runs("up", "-f", broken, "--yes");
  await runs("fmt", broken);
  await runs("validate", "-f", bad("no"));
  await runs("preview", `--no-such${ATTACK}`);
});

it("plan, drift and apply commands print hostile names safely", { timeout: 900_000 }, async () => {
  await works("import", ...there, "--create-stack");
  await edit(variable, { key: "PLAIN", value: bad("other"), description: bad("now") });
  await emulator.edit({ method: "POST", path: "/workspaces/acme/groups", body: { name: bad("Extra") } });
  const reports = ["text", "json", "markdown", "html", "junit"];
  const into = reports.flatMap((format) => ["--format", `${format}=${join(folder, `plan.${format}`)}`]);
  await works("preview", ...there, "--details", "--format", "github", ...into);
  for (const format of reports)
    expect(readFileSync(join(folder, `plan.${format}`), "utf8")).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  for (const format of chooseStories(reports, 2)) await works("preview", ...there, "--format", format);
  expect((await runs("up", ...there, "--yes", "--approved", "0".repeat(64))).code).toBe(1);
  const forms = ["json", "markdown", "junit", "sarif", "html"];
  const written = forms.flatMap((format) => ["--format", `${format}=${join(folder, `drift.${format}`)}`]);
  await runs("drift", ...there, "--format", "markdown");
  expect((await runs("drift", ...there, "--format", "junit", ...written)).stdout).toMatch(
    /^(\s*<.*(\n|$))+$/,
  );
  for (const format of forms)
    expect(readFileSync(join(folder, `drift.${format}`), "utf8")).not.toMatch(
      /[^\P{Cc}\n]|\p{Bidi_Control}/u,
    );
  expect(readFileSync(join(folder, "drift.json"), "utf8")).toContain("\\u001b[2J");
  await runs("drift", ...there, "--state-file", join(folder, "found.json"));
  await runs("drift history", ...there, "--state-file", join(folder, "found.json"));
  await runs("drift accept", ...there, "--all", "--dry-run");
  await runs("drift revert", ...there, "--all", "--yes");
  await edit(variable, { key: "PLAIN", value: bad("again") });
  await runs("refresh", ...there);
  await runs("up", ...there, "--yes");
});

it("commands for fleets, regions and stacks print hostile names safely", { timeout: 900_000 }, async () => {
  const fleet = join(folder, "fleet.yaml");
  writeFileSync(
    fleet,
    `version: 1\nworkspaces:\n  ${JSON.stringify(bad("one"))}: { file: workspace.yaml, stack: dev }\n`,
  );
  await runs("fleet preview", fleet);
  await runs("fleet drift", fleet, "--format", "markdown");
  await runs("fleet plan", fleet, "--shards", "2");
  await runs("fleet drift", fleet, "--shard", "1/1", "--format", `json=${join(folder, "shard.json")}`);
  await runs("fleet merge", join(folder, "shard.json"), "--format", "github");
  await runs("fleet up", fleet, "--format", "json", "--yes");
  for (const name of ["validate", "lint", "access"]) await runs(`fleet ${name}`, fleet);
  await runs("fleet compare", fleet, "--with", bad("one"));
  await runs("fleet promote", fleet, "--from", bad("one"), "--to", bad("one"));
  await runs("history", bad("groups/QA"), ...there);
  await runs("compare", file, "default");
  await runs("replicate", "-f", file, "--from", "default", "--to", "default", "--dry-run");
  await runs("stack ls", "-f", file);
  await runs("stack export", ...there);
  for (const name of ["unlock", "repair"]) await runs(`stack ${name}`, ...there, "--yes");
  for (const engine of ["plugin", "dynamic"]) await runs("stack migrate", ...there, "--to", engine, "--yes");
  await runs("stack select", "-f", file, "dev");
  await runs("config set", ...there, "app:note", "x");
  await runs("config get", ...there, "app:note");
  await runs("destroy", ...there, "--yes");
  await runs("stack rm", "-f", file, "dev", "--yes");
});

it("commands for executions, sandboxes and OAuth clients print hostile names safely", async () => {
  await runs("run", pipeline, "--comment", ATTACK, "--watch");
  for (const json of [[], ["--json"]]) {
    await runs("executions list", pipeline, ...json);
    await runs("executions show", pipeline, ...json);
    await runs("executions retry", pipeline, "1", ...json);
    await runs("executions cancel", pipeline, "1", ...json);
    await runs("sandbox restart", "sb1", ...json);
    const named = ["--name", bad("Client"), "--description", ATTACK];
    const made = await runs("oauth-client register", ...named, ...json);
    const id = /(?:client_id|clientId)\W+([\w-]+)/.exec(made.stdout)?.[1] ?? "none";
    await runs("oauth-client show", id, ...json);
    await runs("oauth-client update", id, "--name", bad("New"), ...json);
    await runs("oauth-client delete", id);
  }
});

afterAll(() => {
  const leaves = (command: Command, path: readonly string[]): string[] =>
    command.commands.length === 0
      ? [path.join(" ")]
      : [
          ...(path.length > 0 && command.options.length > 0 ? [path.join(" ")] : []),
          ...command.commands.flatMap((one) => leaves(one, [...path, one.name()])),
        ];
  const all = leaves(
    buildCommandTree(testIo().io, () => () => Promise.resolve()),
    [],
  );
  // `adopt` consists of commands that were run. `demo` starts its own service, and `pulumi` passes the terminal on to Pulumi.
  expect([...ran, "adopt", "demo", "pulumi"].toSorted()).toEqual(all.toSorted());
});
