/** Provides a user's project in a temporary folder with the packed packages installed, and the real Pulumi CLI. */
import { execFile } from "node:child_process";
import {
  chmodSync,
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
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Emulator } from "../../emulator/index.js";
import { ensurePulumi } from "../../toolchain/index.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

export class InstalledProject {
  private constructor(
    readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Creates a project from a program file or a project folder, with its own stack on the emulator. */
  static async create(emulator: Emulator, program: string): Promise<InstalledProject> {
    const folder = mkdtempSync(join(tmpdir(), "installed-project-"));
    await install(folder);
    if (statSync(program).isDirectory()) cpSync(program, folder, { recursive: true });
    else layOut(folder, program);
    const { binDir } = await ensurePulumi({ env: process.env });
    const home = join(folder, ".home");
    mkdirSync(home);
    mkdirSync(join(folder, ".state"));
    const project = new InstalledProject(folder, {
      PATH: `${binDir}${delimiter}${process.env["PATH"] ?? ""}`,
      HOME: home,
      PULUMI_HOME: join(home, ".pulumi"),
      PULUMI_BACKEND_URL: `file://${join(folder, ".state")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: emulator.token,
      WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    });
    await project.pulumi("stack", "init", "test");
    return project;
  }

  /** Runs the CLI, and throws its output if it fails. */
  async pulumi(...args: string[]): Promise<string> {
    return this.pulumiWith({}, ...args);
  }

  async pulumiWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.env, ...env }, maxBuffer: 1 << 26 };
    const { stdout, stderr } = await run("pulumi", [...args, "--non-interactive"], options).catch(
      (error: unknown) => {
        const { stdout: out, stderr: err } = error as { stdout: string; stderr: string };
        throw new Error(`pulumi ${args.join(" ")} failed:\n${out}\n${err}`);
      },
    );
    return stdout + stderr;
  }

  /** Checks the types of the project with its own tsconfig.json. */
  async typecheck(): Promise<void> {
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", this.folder]);
  }

  async state(): Promise<StateResource[]> {
    const exported = JSON.parse(await this.pulumi("stack", "export")) as {
      deployment: { resources?: StateResource[] };
    };
    return (exported.deployment.resources ?? []).filter((r) => r.type.includes("workspace-automation"));
  }

  /** Returns the texts of all files that Pulumi and the program left in the folder. */
  filesLeft(): string {
    return ["Pulumi.test.yaml", ".state", ".home"]
      .map((name) => textsBelow(join(this.folder, name)))
      .join("\n");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function layOut(folder: string, program: string): void {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: installed\nruntime: nodejs\n");
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "installed", type: "module", main: "index.js" }),
  );
  cpSync(program, join(folder, "index.js"));
}

/**
 * Installs the tarballs as `npm install` would, but without a registry: the packed files, and links to their
 * dependencies.
 */
export async function install(folder: string): Promise<void> {
  const pack = ["pack", "--workspaces", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: root });
  for (const { name, filename } of JSON.parse(stdout) as { name: string; filename: string }[]) {
    const target = join(folder, "node_modules", name);
    mkdirSync(target, { recursive: true });
    await run("tar", ["-xzf", join(folder, filename), "-C", target, "--strip-components=1"]);
  }
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin);
  symlinkSync("../workspacectl/bin.js", join(bin, "workspacectl"));
  chmodSync(join(bin, "workspacectl"), 0o755);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name.startsWith(".") || existsSync(join(folder, "node_modules", name))) continue;
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
}

function textsBelow(path: string): string {
  if (!existsSync(path)) return "";
  try {
    return readdirSync(path)
      .map((name) => textsBelow(join(path, name)))
      .join("\n");
  } catch {
    return readFileSync(path, "utf8");
  }
}
