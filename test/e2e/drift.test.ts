/** Tests `workspacectl drift` on the real engine: its findings, unreadable objects, and that it never writes. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompareReport } from "../../automation/compare/compare-report.js";
import type { DriftReport } from "../../automation/drift/drift-report.js";
import type { Scope } from "../../emulator/index.js";
import { repository, setUp, workspacectl } from "./support.js";

const READ: readonly Scope[] = [
  "WORKSPACE",
  "EXECUTION_INFO",
  "VARIABLE_INFO",
  "REPOSITORY_READ",
  "USER_INFO",
];
const schema = JSON.parse(
  readFileSync(join(repository, "schema/drift-report.schema.json"), "utf8"),
) as object;
const isReport = new Ajv2020({ validateFormats: false }).compile(schema);
const declared = `version: 1
workspace: acme
members: { ann@example.com: {}, bob@example.com: {} }
groups:
  QA: { description: Testers, members: [ann@example.com, bob@example.com] }
  Ops: { description: Operators, members: [ann@example.com] }
variables:
  REGION: us-east
  API_KEY: { value: "\${env:API_KEY}", encrypted: true }
projects:
  web:
    members: { ann@example.com: { permissionSet: Developer } }
    pipelines:
      nightly:
        triggerMode: SCHEDULED
        cron: 0 2 * * *
        refType: BRANCH
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
          - { name: Pong, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }
  old: {}
permissionSets:
  Developer: { external: true }
`;

const { folder, file, emulator, env, run } = await setUp(
  declared,
  { echoMemberEmail: true },
  { WORKSPACE_VAR_API_KEY: "api-key-in-clear" },
);

beforeAll(async () => {
  const { code, stderr } = await run("up", "--create-stack", "--yes");
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
});

interface Ran {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command, and checks that it writes nothing. */
async function drift(argv: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  emulator.journal.clear();
  const before = stateFiles();
  const ran = await workspacectl(["drift", "-f", file, ...argv], folder, { ...env, ...more });
  expect(emulator.journal.writes()).toEqual([]);
  expect(stateFiles()).toEqual(before);
  expect(ran.stdout + ran.stderr).not.toMatch(/in-clear/);
  return ran;
}

async function report(
  argv: readonly string[] = [],
  more: NodeJS.ProcessEnv = {},
): Promise<DriftReport & Ran> {
  const ran = await drift(["--json", ...argv], more);
  const value = JSON.parse(ran.stdout) as DriftReport;
  isReport(value);
  expect(isReport.errors ?? []).toEqual([]);
  expect(value.exitCode).toBe(ran.code);
  return { ...ran, ...value };
}

const short = ({ findings }: DriftReport) =>
  findings.map((one) => `${one.class} ${one.name} ${one.path}`.trim());

/** Returns hashes of the state and of all files that Pulumi keeps next to it. */
function stateFiles(): Record<string, string> {
  const root = join(folder, ".pulumi-state");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(root, name)).isFile(),
  );
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(root, name)))
        .digest("hex"),
    ]),
  );
}

async function get<T>(path: string): Promise<T> {
  return (await emulator.edit({ method: "GET", path: `/workspaces/acme${path}` })).body as T;
}

async function edit(method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<void> {
  const { status } = await emulator.edit({ method, path: `/workspaces/acme${path}`, body });
  expect(status).toBeLessThan(300);
}

async function groupId(name: string): Promise<number> {
  const { groups } = await get<{ groups: { id: number; name: string }[] }>("/groups");
  return groups.find((group) => group.name === name)?.id ?? 0;
}

describe.sequential("drift", () => {
  it("reports only write-only values in an unchanged workspace", async () => {
    const clean = await report();
    expect(clean.stderr).toContain("No drift: ");
    expect({
      code: clean.code,
      result: clean.result,
      found: short(clean),
      incomplete: clean.incomplete,
    }).toEqual({
      code: 0,
      result: "clean",
      found: ["unverifiable projects/web/pipelines/nightly cron"],
      incomplete: [],
    });
    expect(await report(["--fail-on", "unverifiable", "--added", "all"])).toMatchObject({
      code: 7,
      result: "drift",
    });
  });

  it("works on a state that can be compared with file and workspace without decrypting a secret", async () => {
    const compare = async (left: string, right: string) => {
      emulator.journal.clear();
      const before = stateFiles();
      const argv = ["compare", left, right, "-f", file, "--json"];
      const { PULUMI_CONFIG_PASSPHRASE: _none, ...known } = env;
      const { code, stdout } = await workspacectl(argv, folder, known);
      expect(stateFiles()).toEqual(before);
      expect(emulator.journal.writes()).toEqual([]);
      expect(stdout).not.toMatch(/in-clear/);
      const { findings } = JSON.parse(stdout) as CompareReport;
      return { code, found: findings.map(({ class: of, name, path }) => `${of} ${name} ${path}`.trim()) };
    };
    const hidden = [
      "unverifiable projects/web/pipelines/nightly cron",
      "unverifiable variables/API_KEY value",
    ];
    expect(await compare("dev", "connection:")).toEqual({ code: 0, found: hidden });
    expect(await compare(file, "stack:dev")).toEqual({ code: 0, found: hidden.slice(1) });
    expect(await compare("dev", `stack:dev@${file}`)).toEqual({ code: 0, found: hidden.slice(1) });
    const { stderr } = await workspacectl(["compare", "dev", "prod", "-f", file], folder, env);
    expect(stderr).toContain("there is no stack prod of project workspace-automation");
    expect(stderr).toContain('nor is "prod" a file or a connection');
  });

  it("requires an existing stack, and creates none", async () => {
    const { code, stderr } = await drift(["--stack", "other"]);
    expect(code).toBe(1);
    expect(stderr).toContain("stack other (named with --stack) does not exist yet");
  });

  it("distinguishes outside changes from pending ones, with a read-only token", async () => {
    await edit("PATCH", `/groups/${await groupId("QA")}`, { description: "Hobby club" });
    await edit("DELETE", `/groups/${await groupId("Ops")}`);
    await edit("POST", "/groups", { name: "Hackers" });
    const { variables } = await get<{ variables: { id: number; key: string }[] }>("/variables");
    const apiKey = variables.find(({ key }) => key === "API_KEY")?.id;
    await edit("PATCH", `/variables/${apiKey}`, { key: "API_KEY", value: "another-in-clear" });
    const { pipelines } = await get<{ pipelines: { id: number }[] }>("/projects/web/pipelines");
    const path = `/projects/web/pipelines/${pipelines[0]?.id}`;
    const { actions } = await get<{ actions: { id: number }[] }>(path);
    await edit("DELETE", `${path}/actions/${actions[0]?.id}`);
    await edit("POST", `${path}/actions`, {
      name: "Spy",
      type: "PING",
      trigger_time: "ON_EVERY_EXECUTION",
      destination: "x.example",
    });
    writeFileSync(
      file,
      declared
        .replace("us-east", "us-west")
        .replace("  old: {}\n", "")
        .replace("  Ops:", "  New: { members: [bob@example.com] }\n  Ops:"),
    );

    const token = await emulator.createToken({ scopes: READ });
    const found = await report([], { WORKSPACE_AUTOMATION_TOKEN: token });
    expect({ code: found.code, complete: found.complete, counts: found.counts }).toEqual({
      code: 7,
      complete: true,
      counts: { deleted: 3, changed: 2, added: 2, pending: 4, unverifiable: 1 },
    });
    expect(short(found)).toEqual([
      "deleted groups/Ops",
      "deleted groups/Ops/members/ann@example.com",
      "deleted projects/web/pipelines/nightly/actions/Ping",
      "changed groups/QA description",
      "changed variables/API_KEY value",
      "added groups/Hackers",
      "added projects/web/pipelines/nightly/actions/Spy",
      "pending groups/New",
      "pending groups/New/members/bob@example.com",
      "pending projects/old",
      "pending variables/REGION value",
      "unverifiable projects/web/pipelines/nightly cron",
    ]);
    const [changed, secret] = found.findings.filter((one) => one.class === "changed");
    expect(changed).toMatchObject({
      declared: "Testers",
      live: "Hobby club",
      place: { file, line: 5 },
      link: expect.stringMatching(/^http/) as string,
    });
    expect(secret?.secret).toBe(true);
    const mark = { $secret: expect.stringMatching(/^hmac:[0-9a-f]{12}$/) as string };
    expect([secret?.declared, secret?.live]).toEqual([mark, mark]);
    expect(secret?.declared).toEqual(secret?.applied);
    expect(secret?.declared).not.toEqual(secret?.live);
    const again = await report();
    expect(again.fingerprint).toBe(found.fingerprint);
    expect(again.findings).toEqual(found.findings);
  });

  it("continues past unreadable objects, reports them first, and is incomplete then", async () => {
    const token = await emulator.createToken({ scopes: READ.filter((scope) => scope !== "VARIABLE_INFO") });
    const found = await report(["--fail-on", "none"], { WORKSPACE_AUTOMATION_TOKEN: token });
    expect({ code: found.code, result: found.result }).toEqual({ code: 10, result: "incomplete" });
    expect(found.stderr).toMatch(
      /^(State: .*\n)?The token may not read any Variable \(needs WORKSPACE and VARIABLE_INFO\)/,
    );
    expect(found.incomplete.map(({ name, list, scopes }) => ({ name, list, scopes }))).toEqual(
      [
        { name: undefined, list: true },
        { name: "variables/API_KEY", list: false },
        { name: "variables/REGION", list: false },
      ].map((one) => expect.objectContaining({ ...one, scopes: ["WORKSPACE", "VARIABLE_INFO"] }) as unknown),
    );
    expect(short(found)).toContain("deleted groups/Ops");
    expect(short(found)).not.toContain("changed variables/API_KEY value");
  });

  it("fails if nothing can be read", async () => {
    await emulator.setApiEnabled("acme", false);
    const { code, stdout } = await drift();
    await emulator.setApiEnabled("acme", true);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect((await drift([], { WORKSPACE_AUTOMATION_TOKEN: "not-a-token" })).code).toBe(1);
  });

  it("posts its findings only if they have changed, and excludes suppressed ones", async () => {
    const posts: { text: string; report: DriftReport }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        posts.push(JSON.parse(body) as (typeof posts)[number]);
        response.end();
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    afterAll(() => server.close());
    const state = join(folder, "seen.json");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const watch = [
      "--state-file",
      state,
      "--webhook",
      address,
      "--format",
      `html=${join(folder, "drift.html")}`,
    ];

    const first = await drift(watch);
    expect(first.stdout).toContain("The findings have changed since the last run.");
    expect((await drift(watch)).stdout).toContain("The findings are the same as in the last run.");
    expect(posts).toHaveLength(1);
    expect(posts[0]?.text).toContain("deleted: Group groups/Ops is gone from the workspace");
    expect(JSON.stringify(posts)).not.toContain("in-clear");
    expect(readFileSync(join(folder, "drift.html"), "utf8")).toContain("Hobby club");

    const ignore = `version: 1
ignore:
  - { object: groups/QA, path: description, reason: Their own text }
  - { object: groups/**, class: added, reason: Teams make groups, expires: 2020-01-01 }
  - { object: groups/Nobody, reason: Was there once }
`;
    writeFileSync(join(folder, "drift-ignore.yaml"), ignore);
    const less = await report([...watch.slice(0, 4)]);
    expect(posts).toHaveLength(2);
    expect(less.ignored).toMatchObject([{ finding: { name: "groups/QA" }, reason: "Their own text" }]);
    expect(less.warnings.map(({ code, place }) => [code, place?.line])).toEqual([
      ["ignore-expired", 4],
      ["ignore-unused", 5],
    ]);
    expect(short(less)).toContain("added groups/Hackers");
  });
});
