/**
 * Reads the configuration of a stack that does not exist yet. Pulumi only reads that of existing stacks, but the first run must
 * not use another account than the second.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../../errors.js";
import { generalConfig, stackFile, stackSettings, valuesOf, type PulumiProjectFolder } from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

type Config = Record<string, { value?: string }>;

/** @throws {CliError} when the file contains what only an existing stack can resolve */
export async function configOfNewStack(
  stack: string,
  project: PulumiProjectFolder,
  cli: PulumiCli,
): Promise<Config> {
  const file = stackFile(project, stack);
  if (file === undefined) return generalConfig(project);
  const settings = stackSettings(project, stack);
  if (settings["environment"] !== undefined)
    throw new CliError(
      `stack ${stack} does not exist yet, and its "environment:" can only be read for an existing stack: create it first ` +
        `("pulumi stack init ${stack}" in ${project.root})`,
    );
  const own = /^\s+secure:/m.test(readFileSync(file, "utf8"))
    ? await decrypted(file, stack, project, cli)
    : valuesOf(settings["config"], project);
  return { ...generalConfig(project), ...own };
}

/** Lets Pulumi read a copy of the project with a temporary state, so that nothing of the user's is created or changed. */
async function decrypted(
  file: string,
  stack: string,
  project: PulumiProjectFolder,
  cli: PulumiCli,
): Promise<Config> {
  const { encryptionsalt, secretsprovider } = stackSettings(project, stack);
  if (encryptionsalt === undefined && secretsprovider === undefined)
    throw new CliError(
      `stack ${stack} does not exist, and the secrets in ${file} were encrypted for an earlier one: set them again with ` +
        `"pulumi config set --secret", or remove them`,
    );
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-config-"));
  try {
    const name = stack.split("/").at(-1) ?? stack;
    writeFileSync(join(folder, "Pulumi.yaml"), `name: ${JSON.stringify(project.name)}\nruntime: nodejs\n`);
    copyFileSync(file, join(folder, `Pulumi.${name}.yaml`));
    const env = { ...cli.env, PULUMI_BACKEND_URL: pathToFileURL(folder).href };
    const there = { ...cli, cwd: folder, env };
    await runPulumi(there, ["stack", "init", name, "--no-select"]);
    return JSON.parse(
      await runPulumi(there, ["config", "--json", "--show-secrets", "--stack", name]),
    ) as Config;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
