/**
 * The folder in which Pulumi runs for a workspace file. It holds only what was read from the checkout (trust/project.ts), so Pulumi reads no
 * file that a pull request can change, and a Pulumi home without its logs. What Pulumi changes in the settings of a stack is written back.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEBUG_VARIABLE } from "../../provider/index.js";
import { isWritable } from "../../toolchain/account.js";
import { readText } from "../../trust/checkout-files.js";
import { removeFile, writeFile } from "../../trust/output-files.js";
import { refuseEnvironments, refuseSecretsProvider } from "../../trust/project.js";
import { isAllowed } from "../../trust/variables.js";
import { getShortName } from "../../workspace-file/load/files.js";
import { makeTemporaryFolder } from "../temporary-folders.js";
import { type Backend, loginFolder } from "./backend.js";
import {
  getSettingsFolder,
  listSettingsFolders,
  makePrivate,
  type PulumiProjectFolder,
  qualifyConfig,
  readGeneralConfig,
  stackFile,
  stackSettings,
} from "./project.js";
import { applyChanges, asPulumiSaves, type Content, diffSettings } from "./settings-file.js";

export class PrivateFolder {
  readonly path = makeTemporaryFolder();
  /** The settings of stacks as they were written, by short name. */
  private readonly written = new Map<string, Content>();

  /** @param env of the user */
  constructor(
    private readonly project: PulumiProjectFolder,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    writeFileSync(join(this.path, "Pulumi.json"), JSON.stringify({ name: project.name, runtime: "nodejs" }));
  }

  /** Returns the variables with which Pulumi uses the backend and this folder. */
  variables({ url }: Pick<Backend, "url">): Record<string, string> {
    const home = join(this.path, "home");
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // Pulumi writes values of secrets into its logs. Where `logs` is a file, it continues without them.
    if (!this.env[DEBUG_VARIABLE]) writeFileSync(join(home, "logs"), "");
    return {
      PULUMI_BACKEND_URL: url.whole,
      PULUMI_HOME: home,
      ...(url.isOfService ? { PULUMI_CREDENTIALS_PATH: loginFolder(this.env) } : {}),
    };
  }

  /**
   * Writes the settings of a stack, with the configuration of the project for all stacks.
   * @param providerInState the secrets provider of the state, if its backend was named outside the checkout
   * @throws {TrustError} for settings that only somebody outside the checkout may make
   */
  writeStack(stack: string, providerInState?: string): void {
    const settings = stackSettings(this.project, stack);
    const file = stackFile(this.project, stack);
    refuseEnvironments(settings, file ?? "", (name) => isAllowed(name, this.env));
    refuseSecretsProvider(settings.secretsprovider, file ?? "", providerInState);
    const given = { ...readGeneralConfig(this.project), ...qualifyConfig(settings.config, this.project) };
    const config = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, asPulumiSaves(value)]),
    );
    const content = { ...settings, config };
    this.written.set(getShortName(stack), content);
    if (file !== undefined || Object.keys(config).length > 0)
      writeFileSync(this.fileOf(stack), JSON.stringify(content, null, 2));
  }

  /** Writes the settings of every stack that has a file, for a command of the user's own. */
  writeAllStacks(): void {
    for (const stack of new Set(listSettingsFolders(this.project).flatMap(listStacksWithFile)))
      this.writeStack(stack);
  }

  /** Writes back what a command of the user's own has changed, in any stack. */
  saveAllStacks(): void {
    for (const stack of new Set([...this.written.keys(), ...listStacksWithFile(this.path)]))
      this.saveStack(stack);
  }

  /** Writes what Pulumi has changed in the settings of a stack into the user's file, whose comments stay. */
  saveStack(stack: string): void {
    const before = this.written.get(getShortName(stack)) ?? {};
    const after = this.read(stack);
    const there = stackFile(this.project, stack);
    if (after === undefined) {
      if (there !== undefined) removeFile(there);
      return;
    }
    const changed = diffSettings(before, after);
    if (changed.length === 0) return;
    const isInState = changed.every(({ path: [key] }) => IN_STATE.has(key));
    const isPrivate = this.project.own && isInState;
    const folder = isPrivate ? this.project.root : getSettingsFolder(this.project);
    // What is set belongs to the repository, and takes a key along that was alone in our own folder.
    const moves = there !== undefined && !isPrivate && dirname(there) !== folder;
    const own = moves ? undefined : there;
    const file = own ?? join(folder, `Pulumi.${getShortName(stack)}.yaml`);
    const text = applyChanges(
      own === undefined ? "" : readText(own),
      moves ? diffSettings({}, after) : changed,
      { namespace: this.project.name, json: file.endsWith(".json") },
    );
    const place = dirname(file);
    if (!isInState || isWritable(existsSync(place) ? place : dirname(place))) {
      if (place === this.project.root && this.project.own) makePrivate(place);
      writeFile(file, text);
      if (moves) removeFile(there);
    }
    this.written.set(getShortName(stack), after);
  }

  /** The key of a stack's secrets that Pulumi has made from the passphrase, as it does in the first preview. */
  saltOf(stack: string): string | undefined {
    const { encryptionsalt, secretsprovider = "passphrase" } = this.read(stack) ?? {};
    return typeof encryptionsalt === "string" && secretsprovider === "passphrase"
      ? encryptionsalt
      : undefined;
  }

  private fileOf(stack: string): string {
    return join(this.path, `Pulumi.${getShortName(stack)}.json`);
  }

  private read(stack: string): Content | undefined {
    const file = this.fileOf(stack);
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Content) : undefined;
  }
}

/** Keys of settings that the state contains too, so that a file in a container's image need not have them. */
const IN_STATE: ReadonlySet<string | undefined> = new Set(["encryptionsalt", "encryptedkey"]);

/** Lists the stacks that have a settings file in a folder. */
function listStacksWithFile(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((name) => /^Pulumi\.(.+)\.(?:ya?ml|json)$/.exec(name)?.[1] ?? []);
  return [...new Set(names)];
}
