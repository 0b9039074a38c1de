/** Provides a Pulumi project in a folder of its own, an emulator, and the commands of a user. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { stringify } from "yaml";
import type { Deployment } from "../../automation/stack/state.js";
import { parseDeployment } from "../../automation/stack/state-store.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { buildToolchainEnvironment, ensurePulumi } from "../../toolchain/index.js";
import { catchUp, useProfile } from "../services/chosen-service.js";
import type { Plan } from "./plan.js";

const repository = resolve(import.meta.dirname, "../..");

export type Tool = "workspacectl" | "pulumi";

/** How the state is secured while workspacectl changes objects. */
export type Checkpoint = "every" | "journal";

export interface Ended {
  readonly code: number | undefined;
  readonly output: string;
}

export class Stage {
  checkpoint: Checkpoint = "journal";

  private constructor(
    readonly folder: string,
    readonly emulator: Emulator,
    private readonly command: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** @param options settings of the service, which the commands know from its profile */
  static async open(options: EmulatorOptions): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), "chaos-"));
    for (const part of ["Pulumi.yaml", "package.json", "dist"])
      cpSync(join(repository, part), join(folder, part), { recursive: true });
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "dir");
    mkdirSync(join(folder, "state"));
    const emulator = await startEmulator(options);
    const toolchain = await ensurePulumi();
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(PULUMI_(?!BIN$)|WORKSPACE_AUTOMATION_|NODE_OPTIONS$|VITEST|FORCE_COLOR$)/.test(name),
    );
    const own = {
      ...Object.fromEntries(inherited),
      PULUMI_HOME: join(folder, "pulumi-home"),
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
      PULUMI_CONFIG_PASSPHRASE: "chaos",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
      WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
      WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: emulator.token,
      WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
      ...useProfile(emulator, folder),
    };
    const env = { ...own, ...(await buildToolchainEnvironment(toolchain, own)) };
    const stage = new Stage(folder, emulator, toolchain.command, env);
    await stage.pulumi("stack", "init", "chaos");
    return stage;
  }

  declare(plan: Plan): void {
    writeFileSync(join(this.folder, "workspace.yaml"), stringify(plan, { aliasDuplicateObjects: false }));
  }

  /** Starts to apply the workspace file. */
  startUp(tool: Tool) {
    if (tool === "pulumi") return this.start(this.command, ["up", "--yes", "--skip-preview", "--refresh"]);
    // Random workspaces can lose whole sections.
    const allowed = ["--max-deletes", "1000", "--max-delete-share", "100", "--allow-delete", "**"];
    return this.startOurs("up", "--create-stack", "--yes", ...allowed, "--checkpoint", this.checkpoint);
  }

  /** Starts to delete everything. */
  startDestroy() {
    const allowed = ["--include-protected", "--allow-delete", "**"];
    return this.startOurs("destroy", "--yes", ...allowed, "--checkpoint", this.checkpoint);
  }

  /** Folder of the journals of workspacectl's runs. */
  get journals(): string {
    return join(this.folder, "state/.pulumi/workspacectl/journal/workspace-automation/chaos");
  }

  /** The text of all journals; undefined when there are none. */
  get journal(): string | undefined {
    if (!existsSync(this.journals)) return undefined;
    const files = readdirSync(this.journals).filter((name) => name.endsWith(".jsonl"));
    const texts = files.map((name) => {
      const file = join(this.journals, name);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    });
    return texts.length > 0 ? texts.join("") : undefined;
  }

  /** Names, times and sizes of the files of the state, its locks and the journal, to see when one is written. */
  filesOfState(): string {
    const base = join(this.folder, "state/.pulumi");
    const folders = ["stacks/workspace-automation", "locks/organization/workspace-automation/chaos"];
    const files = folders.flatMap((folder) => {
      const path = join(base, folder);
      return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
    });
    return files
      .map((file) => {
        const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
        return `${file} ${mtimeMs} ${size}`;
      })
      .join("\n");
  }

  async up(tool: Tool): Promise<Ended> {
    await catchUp(this.emulator);
    return ended(await this.startUp(tool));
  }

  async destroy(): Promise<Ended> {
    await catchUp(this.emulator);
    return ended(await this.startDestroy());
  }

  async workspacectl(...args: string[]): Promise<Ended> {
    await catchUp(this.emulator);
    return ended(await this.startOurs(...args));
  }

  /** Runs the CLI, and throws if it fails. */
  async pulumi(...args: string[]): Promise<string> {
    const { exitCode, all, stdout } = await this.start(this.command, args);
    if (exitCode !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${all}`);
    return stdout;
  }

  /** Counts the pending operations in the state file, which the CLI may be unable to read after a kill. */
  pending(): number {
    return this.state().pending_operations?.length ?? 0;
  }

  /** The state, as its file has it. */
  state(): Deployment {
    const file = join(this.folder, "state/.pulumi/stacks/workspace-automation/chaos.json");
    return parseDeployment(readFileSync(file, "utf8")) ?? {};
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  startOurs(...args: string[]) {
    const bin = join(this.folder, "dist/bin/workspacectl.js");
    return this.start(process.execPath, [bin, ...args, "--stack", "chaos"]);
  }

  private start(command: string, args: readonly string[]) {
    const own = command === this.command ? [...args, "--non-interactive"] : args;
    const { folder: cwd, env } = this;
    // Creates a process group, so that a signal reaches only the intended processes.
    const options = { cwd, env, extendEnv: false, reject: false, all: true, detached: true } as const;
    return execa(command, own, { ...options, stdin: "ignore" });
  }
}

function ended({ exitCode, all }: { exitCode?: number | undefined; all: string }): Ended {
  return { code: exitCode, output: all };
}
