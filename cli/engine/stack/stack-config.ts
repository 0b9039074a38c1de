/** Reads the configuration of a stack, which Pulumi decrypts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { getShortName } from "../../../workspace-file/load/files.js";
import { CliError } from "../../errors.js";
import {
  readGeneralConfig,
  qualifyConfig,
  stackFile,
  stackSettings,
  type PulumiProjectFolder,
} from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import { createEmptyState, locateStateFile } from "./state.js";

/** Lets Pulumi decrypt the configuration of an existing stack. @returns the values by full key */
export async function readConfig(cli: PulumiCli, stack: string): Promise<Record<string, string>> {
  const text = await runPulumi(cli, ["config", "--json", "--show-secrets", "--stack", stack]);
  const config = JSON.parse(text) as Readonly<Record<string, { readonly value?: string }>>;
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
  );
}

/**
 * Reads the configuration of a stack that does not exist yet. Pulumi only reads that of existing stacks, but the first run must not use another
 * account than the second.
 * @throws {CliError} when the file contains what only an existing stack can resolve
 */
export async function readConfigOfNewStack(
  stack: string,
  project: PulumiProjectFolder,
  cli: PulumiCli,
): Promise<Record<string, string>> {
  const { config, environment, encryptionsalt, secretsprovider } = stackSettings(project, stack);
  if (environment !== undefined)
    throw new CliError(
      `stack ${stack} does not exist yet, and its "environment:" can only be read for an existing stack`,
      `create it first ("workspacectl pulumi -- stack init ${stack}")`,
    );
  const values = { ...readGeneralConfig(project), ...qualifyConfig(config, project) };
  if (!Object.values(values).some(isEncrypted))
    return Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) =>
        // `allowInsecure: true` is a boolean to YAML, and a text to Pulumi.
        ["string", "boolean", "number"].includes(typeof value) ? [[key, String(value)]] : [],
      ),
    );
  if (encryptionsalt === undefined && secretsprovider === undefined)
    throw new CliError(
      `stack ${stack} does not exist, and the secrets in ${stackFile(project, stack) ?? ""} were encrypted for an earlier one`,
      'set them again with "workspacectl config set --secret", or remove them',
    );
  const trial = createEmptyStack(stack, project.name, cli);
  return readConfig(trial, getShortName(stack));
}

/** Makes an empty stack of the same name and settings, whose state is discarded with the private folder. The CLI takes half a second for one. */
export function createEmptyStack(stack: string, project: string, cli: PulumiCli): PulumiCli {
  const state = join(cli.cwd, "state");
  const name = getShortName(stack);
  const file = locateStateFile(join(state, ".pulumi"), { project, stack: name });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(state, ".pulumi", "meta.yaml"), "version: 1\n");
  writeFileSync(file, createEmptyState({ project, stack: name }));
  return { ...cli, env: { ...cli.env, PULUMI_BACKEND_URL: pathToFileURL(state).href } };
}

function isEncrypted(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEncrypted);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => (key === "secure" && typeof inner === "string") || isEncrypted(inner),
  );
}
