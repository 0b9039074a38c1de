// Fuzzes the emulator over HTTP. Begins with requests that have broken it before (test/emulator/hostile.ts). Then runs schemathesis
// (from PyPI, in a virtual environment in the cache folder) on its OpenAPI description, with the same texts among the generated
// ones. No request may take longer than the limit.
//   npm run fuzz [-- --examples 100] [-- --seed 1] [-- further arguments of `st run`]
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const version = "4.32.5";
const { values, positionals } = parseArgs({
  options: { examples: { type: "string", default: "50" }, seed: { type: "string", default: "1" } },
  allowPositionals: true,
});

const cache = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "workspace-emulator-fuzz",
  version,
);
const st = join(cache, process.platform === "win32" ? "Scripts/st.exe" : "bin/st");
if (!existsSync(st)) {
  process.stdout.write(`Installing schemathesis ${version} into ${cache}\n`);
  execFileSync("python3", ["-m", "venv", cache], { stdio: "inherit" });
  execFileSync(join(st, "../python"), ["-m", "pip", "install", "-q", `schemathesis==${version}`], {
    stdio: "inherit",
  });
}

/** Maximum seconds of a request. */
const requestTimeout = 20;

const { startEmulator } = await import("../../emulator/index.ts");
const { attack, createFixtures, hostileRequests, hostileTexts, unreadable } =
  await import("../../test/emulator/hostile.ts");
const attacked = await startEmulator({ rateLimit: 1e9, control: true });
const requestsSent = hostileRequests(await createFixtures(attacked));
const failures = await attack(attacked, requestsSent, requestTimeout * 1000);
failures.push(...(await unreadable(attacked)));
await attacked.close();
process.stdout.write(`${requestsSent.length} hostile requests, ${failures.length} failures\n`);
for (const failure of failures) process.stdout.write(`${failure}\n`);

const emulator = await startEmulator({
  rateLimit: 1e9,
  seed: {
    users: [
      {
        email: "owner@example.com",
        name: "Olga",
        tokens: [{ token: "fuzz" }],
        integrations: [{ name: "chat", type: "CHAT" }],
      },
      { email: "bob@example.com", name: "Bob" },
    ],
    workspaces: [
      {
        domain: "acme",
        members: [{ email: "bob@example.com" }],
        groups: [{ name: "QA", members: ["bob@example.com"] }],
        permission_sets: [
          {
            name: "p",
            description: "d",
            repository_access_level: "READ_ONLY",
            pipeline_access_level: "READ_ONLY",
          },
        ],
        variables: [{ key: "A", value: "1", encrypted: true }],
        sandboxes: [{ id: "sb1", identifier: "box" }],
        projects: [
          {
            name: "web",
            members: [{ email: "bob@example.com", permission_set: "READ_ONLY" }],
            files: { "README.md": "# Web\n", "src/a.txt": "a\n" },
            commits: [{ message: "On a branch", branch: "dev", files: { "src/a.txt": "b\n" } }],
            branches: { dev: "main" },
            tags: { v1: "main" },
            pull_requests: [{ number: 7, name: "Add" }],
            pipelines: [
              {
                name: "p",
                ref_name: "main",
                trigger_mode: "MANUAL",
                actions: [{ name: "a", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "x" }],
              },
            ],
          },
        ],
      },
    ],
  },
});

/** Returns real values for path parameters: with random ones nearly every request would end at a 404. */
async function pathValues() {
  const get = async (path) => (await emulator.edit({ method: "GET", path })).body;
  const ws = "/workspaces/acme";
  const [, bob] = (await get(`${ws}/members`)).members;
  const [pipeline] = (await get(`${ws}/projects/web/pipelines`)).pipelines;
  const PP = `${ws}/projects/web/pipelines/${pipeline.id}`;
  const run = { method: "POST", path: `${PP}/executions`, body: { to_revision: { revision: "HEAD" } } };
  return {
    domain: "acme",
    workspace: "acme",
    project_name: "web",
    pipeline_id: pipeline.id,
    action_id: (await get(PP)).actions[0].id,
    execution_id: (await emulator.edit(run)).body.id,
    member_id: bob.id,
    group_id: (await get(`${ws}/groups`)).groups[0].id,
    permission_set_id: (await get(`${ws}/permissions`)).permission_sets[2].id,
    variable_id: (await get(`${ws}/variables`)).variables[0].id,
    integration_id: (await get("/user/integrations")).integrations[0].id,
    sandbox_id: "sb1",
    number: 7,
    base: "main",
    head: "dev",
  };
}

const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
const config = join(folder, "schemathesis.toml");
// A lone surrogate cannot be written in the UTF-8 of JSON: the requests above contain those texts.
const texts = join(folder, "texts.json");
writeFileSync(texts, JSON.stringify(hostileTexts.filter((text) => !/\p{Surrogate}/u.test(text))));

// The description cannot express what a rule of the spec decides beyond types (SCHEDULED requires a cron expression, a name may
// be taken, ...), so valid data may still be refused. Tokens are tested elsewhere.
const options = {
  header: "Authorization: Bearer fuzz",
  "max-examples": values.examples,
  seed: values.seed,
  "request-timeout": requestTimeout,
  "generation-database": "none",
  warnings: "off",
  phases: "examples,coverage,fuzzing",
  "exclude-checks": "positive_data_acceptance,ignored_auth,use_after_free,ensure_resource_availability",
};
const environment = {
  ...process.env,
  SCHEMATHESIS_HOOKS: fileURLToPath(new URL("emulator-hooks.py", import.meta.url)),
  HOSTILE_TEXTS: texts,
};
const renames = "/workspaces/{domain}/projects/{project_name}";
// The first requests leave the objects of the paths unchanged. Those that rename or remove them follow, each after a fresh start.
const runs = [
  { args: ["--exclude-method", "DELETE", "--exclude-path", renames] },
  { args: ["--exclude-method", "DELETE", "--include-path", renames] },
  { args: ["--include-method", "DELETE"], random: true },
];
let failed = failures.length > 0;
let requests = 0;
const broken = [];
for (const { args, random } of runs) {
  const lines = Object.entries(random ? {} : await pathValues()).map(
    ([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`,
  );
  writeFileSync(config, ["[parameters]", ...lines, ""].join("\n"));
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const description = `${new URL(emulator.baseUrl).origin}/app/-/openapi.json`;
  const command = ["--config-file", config, "run", description, "--continue-on-failure", ...flags];
  const child = spawn(st, [...command, ...args, ...positionals], {
    stdio: "inherit",
    cwd: folder,
    env: environment,
  });
  const [code] = await once(child, "exit");
  failed ||= code !== 0;
  requests += emulator.journal.requests.length;
  broken.push(...emulator.journal.requests.filter(({ status }) => status >= 500));
  await emulator.reset();
}
process.stdout.write(`${requests} requests, ${broken.length} of them with a 5xx response\n`);
for (const { method, path, query, status } of broken.slice(0, 20))
  process.stdout.write(`${status} ${method} ${path}?${query}\n`);
await emulator.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed || broken.length > 0 ? 1 : 0;
