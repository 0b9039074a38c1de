// Fuzz the emulator from the outside: first what broke it once (test/emulator/hostile.ts), then schemathesis (from PyPI,
// in a virtual environment in the cache folder) against the OpenAPI description that the emulator serves, with the same
// texts among its own. No request may take longer than the limit.
//   npm run fuzz [-- --examples 100] [-- --seed 1] [-- any more arguments of `st run` after --]
import { execFileSync, spawn } from "node:child_process";
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

/** Seconds that any request may take. */
const requestTimeout = 20;

const { startEmulator } = await import("../emulator/index.ts");
const { attack, createFixtures, hostileRequests, hostileTexts, unreadable } =
  await import("../test/emulator/hostile.ts");
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

/** Real values for path parameters: with random ones nearly everything would end at a 404. */
async function places() {
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

// Half a character cannot stand in JSON's UTF-8: that is for the requests above.
const texts = join(folder, "texts.json");
writeFileSync(texts, JSON.stringify(hostileTexts.filter((text) => !/\p{Surrogate}/u.test(text))));

let requests = 0;
const broken = [];

async function run(parameters, args) {
  const config = join(folder, "schemathesis.toml");
  const lines = Object.entries(parameters).map(
    ([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`,
  );
  writeFileSync(config, ["[parameters]", ...lines, ""].join("\n"));
  const child = spawn(
    st,
    [
      "--config-file",
      config,
      "run",
      `${new URL(emulator.baseUrl).origin}/app/-/openapi.json`,
      "--header",
      "Authorization: Bearer fuzz",
      "--max-examples",
      values.examples,
      "--seed",
      values.seed,
      "--continue-on-failure",
      "--request-timeout",
      String(requestTimeout),
      "--generation-database",
      "none",
      "--warnings",
      "off",
      ...args,
      ...positionals,
    ],
    {
      stdio: "inherit",
      cwd: folder,
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: fileURLToPath(new URL("fuzz-hooks.py", import.meta.url)),
        HOSTILE_TEXTS: texts,
      },
    },
  );
  const code = await new Promise((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
  requests += emulator.journal.requests.length;
  broken.push(...emulator.journal.requests.filter(({ status }) => status >= 500));
  emulator.journal.clear();
  return code;
}

// What a rule of the spec decides beyond types (SCHEDULED needs a cron expression, a name may be taken, ...) cannot be
// said in the description, so sound data may still be refused; and a token is not tried in vain here but in the tests.
const exclude = [
  "--exclude-checks",
  "positive_data_acceptance,ignored_auth,use_after_free,ensure_resource_availability",
];
const renames = "/workspaces/{domain}/projects/{project_name}";
let failed = failures.length > 0 ? 1 : 0;
// First what leaves the places standing, then on a fresh start what takes them away.
failed |= await run(await places(), [
  ...exclude,
  "--phases",
  "examples,coverage,fuzzing",
  "--exclude-method",
  "DELETE",
  "--exclude-path",
  renames,
]);
await emulator.reset();
failed |= await run(await places(), [
  ...exclude,
  "--phases",
  "examples,coverage,fuzzing",
  "--include-path",
  renames,
  "--exclude-method",
  "DELETE",
]);
await emulator.reset();
failed |= await run({}, [...exclude, "--phases", "examples,coverage,fuzzing", "--include-method", "DELETE"]);
process.stdout.write(`${requests} requests, ${broken.length} answered with 5xx\n`);
for (const { method, path, query, status } of broken.slice(0, 20))
  process.stdout.write(`${status} ${method} ${path}?${query}\n`);
await emulator.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed || broken.length > 0 ? 1 : 0;
