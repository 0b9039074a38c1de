/** Plays workflows of GitHub Actions with act (https://github.com/nektos/act), on this machine and without containers. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { globSync } from "tinyglobby";
import { listCacheFolders } from "../../toolchain/locations.js";
import { missingGo } from "../e2e/language-hosts.js";

const VERSION = "v0.2.89";
const actions = join(import.meta.dirname, "actions");

/** Returns why workflows cannot be played here. ACT names a program that already exists. */
export async function missingAct(): Promise<string | undefined> {
  return process.env["ACT"] ? undefined : missingGo();
}

/** Returns the program, which is built with Go unless it was before. */
export async function actProgram(): Promise<string> {
  if (process.env["ACT"]) return process.env["ACT"];
  const folder = join(listCacheFolders().base, `act-${VERSION}`);
  const program = join(folder, "act");
  if (!existsSync(program))
    await execa("go", ["install", `github.com/nektos/act@${VERSION}`], { env: { GOBIN: folder } });
  return program;
}

export interface Played {
  readonly code: number | undefined;
  /** What the runner printed, in which it has masked the secrets. */
  readonly log: string;
}

/**
 * Plays the jobs of one workflow that an event starts. Small actions stand in for those of GitHub.
 *
 * @param repository the checkout whose workflows are played
 * @param event file with the event
 * @param published repositories whose actions the workflows use by their addresses and a commit: `OWNER/NAME@COMMIT` and its folder
 */
export async function play(
  workflow: string,
  {
    repository,
    trigger,
    event,
    secrets,
    variables,
    env,
    published = {},
  }: {
    readonly repository: string;
    readonly trigger: string;
    readonly event: string;
    readonly secrets: Readonly<Record<string, string>>;
    readonly variables: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
    readonly published?: Readonly<Record<string, string>>;
  },
): Promise<Played> {
  const pairs = (option: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);
  const { exitCode, all } = await execa(
    await actProgram(),
    [
      ...[trigger, "--workflows", join(repository, ".github/workflows", workflow), "--eventpath", event],
      ...["--directory", repository, "--platform", "ubuntu-latest=-self-hosted", "--no-skip-checkout"],
      ...["--no-cache-server", "--insecure-secrets"],
      ...pairs("--local-repository", { ...standIns(repository, Object.values(published)), ...published }),
      ...pairs("--secret", secrets),
      ...pairs("--var", variables),
      ...pairs("--env", env),
    ],
    {
      all: true,
      reject: false,
      stdin: "ignore",
      extendEnv: false,
      env: { PATH: env["PATH"], HOME: env["HOME"] },
    },
  );
  return { code: exitCode, log: stripVTControlCharacters(all) };
}

/** Returns the folders that stand in for GitHub's actions, which workflows and the actions that they use need. */
function standIns(repository: string, others: readonly string[]): Record<string, string> {
  const files = [
    ...globSync(".github/**/*.yml", { cwd: repository, dot: true, absolute: true }),
    ...others.flatMap((cwd) => globSync("examples/ci/github/actions/*/action.yml", { cwd, absolute: true })),
  ];
  const used = files.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/uses: (actions\/([\w-]+))[\w/-]*(@\w+)/g),
  ]);
  return Object.fromEntries(
    used.map(([, name = "", short = "", version = ""]) => [`${name}${version}`, join(actions, short)]),
  );
}
