// Runs a measurement (npm run bench -- NAME), a search for failures with random input (npm run fuzz -- NAME), or a long test of
// everything (npm run stress -- NAME). Further arguments are passed on. Without a name, the first one runs.
import { spawnSync } from "node:child_process";

const tsx = (script) => ["tsx", script];
const vitest = (...files) => ["vitest", "run", ...files];

/** By kind and name: the command, whether it needs a build, and environment variables. */
const tasks = {
  bench: {
    commands: [tsx("scripts/bench/commands.ts"), true],
    client: [tsx("scripts/bench/client.ts"), true],
    emulator: [tsx("scripts/bench/emulator.ts"), true],
    engine: [tsx("scripts/bench/engine.ts"), true],
    export: [tsx("scripts/bench/export.ts"), true],
    fleet: [tsx("scripts/bench/fleet.ts"), true],
    growth: [tsx("scripts/bench/growth.ts"), true],
    loader: [tsx("scripts/bench/loader.ts"), false],
    peer: [tsx("scripts/bench/peer.ts"), true],
  },
  fuzz: {
    emulator: [tsx("scripts/fuzz/emulator.mjs"), false],
    export: [tsx("scripts/fuzz/export.ts"), false],
    loader: [tsx("scripts/fuzz/loader.ts"), false],
  },
  stress: {
    chaos: [tsx("scripts/chaos.ts"), true],
    partial: [tsx("scripts/partial.ts"), true],
    attack: [vitest("test/e2e/attack/attack.long.test.ts", "test/trust/plays"), true, { ATTACK: "all" }],
    canary: [vitest("test/e2e/canary.long.test.ts"), true, { CANARY: "all" }],
    emulator: [vitest("test/emulator/kill.long.test.ts"), false, { EMULATOR_KILLS: "60" }],
    interleave: [vitest("test/e2e/changed-state.nightly.test.ts"), true],
    kubernetes: [vitest("test/kubernetes"), true],
    mutate: [tsx("scripts/mutate.ts"), false],
    services: [tsx("scripts/services.ts"), false],
    stores: [tsx("scripts/stores.ts"), true],
    unchanged: [
      vitest("test/truth/unchanged.nightly.test.ts"),
      false,
      { SEEDS: process.env["SEEDS"] ?? "200" },
    ],
    world: [
      vitest(
        "test/e2e/other-runtimes.nightly.test.ts",
        "test/e2e/package-managers.nightly.test.ts",
        "test/e2e/newest-pulumi.nightly.test.ts",
        "test/e2e/database-roles.nightly.test.ts",
        "test/e2e/oauth",
        "test/resources/cron/schedulers.nightly.test.ts",
        "test/packages/other-validators.nightly.test.ts",
        "test/packages/type-generators.nightly.test.ts",
        ...["github", "github-action", "gitlab", "pre-commit"].map(
          (name) => `test/ci/${name}.nightly.test.ts`,
        ),
      ),
      true,
    ],
    languages: [vitest("test/e2e/languages.nightly.test.ts"), true, { LANGUAGES: "all" }],
  },
};

const [kind, ...given] = process.argv.slice(2);
const named = given[0] !== undefined && !given[0].startsWith("-");
const [name, rest] = named ? [given[0], given.slice(1)] : [Object.keys(tasks[kind])[0], given];
const task = Object.hasOwn(tasks[kind], name) ? tasks[kind][name] : undefined;
if (task === undefined) {
  console.error(`There is no "${name}": npm run ${kind} -- ${Object.keys(tasks[kind]).join("|")}`);
  process.exit(1);
}
const [command, needsBuild, env = {}] = task;
const run = (...argv) => {
  const { status } = spawnSync("npx", argv, {
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
};
if (needsBuild) run("npm", "run", "--silent", "build");
run(...command, ...rest);
