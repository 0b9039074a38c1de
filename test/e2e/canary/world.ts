/**
 * Provides an isolated home, temporary folder, state and project for commands, and searches everything that they print
 * or leave behind.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { execa } from "execa";
import { afterAll } from "vitest";
import { stringify } from "yaml";
import type { Emulator } from "../../../emulator/index.js";
import { ensurePulumi } from "../../../toolchain/index.js";
import {
  bin,
  emulatorForTests,
  installedPulumi,
  isolated,
  repository,
  stateIn,
  temporaryFolder,
} from "../support.js";
import { type Call, CLIENT, type Disturbance } from "./call.js";
import { Echo } from "./echo.js";
import { literalOverlay, plantedDocument, wrongOverlay } from "./plants.js";
import { Secrets } from "./secrets.js";
import { disturb, seedWith } from "./service.js";
import { Sources } from "./sources.js";
import { watch } from "./watch.js";

/** Files that are supposed to contain secrets, and are not searched. */
const EXCEPTIONS: readonly { readonly file: RegExp; readonly because: string }[] = [
  {
    file: /^project\/(inputs\/|literal\.yaml$|wrong\.yaml$)/,
    because: "what the author wrote, or gave the run to read",
  },
  { file: /^credentials\.json$/, because: "what login and oauth-client keep, for their user alone to read" },
];

/** Files with the spans of Pulumi's last run, by the option that exports them. */
const SPANS = { "otel-traces": "spans.json", tracing: "older-spans.bin" };

/** A secret that was found, its location, and the command that had run before. */
export interface Found {
  readonly secret: string;
  readonly where: string;
  readonly after?: string;
}

/** Files of an export, which contain values that cannot be recognized as secret. */
const EXPORTED = /^project\/(exported\.yaml|program\/)/;

export class World {
  readonly project: string;
  /** Calls of which Pulumi has exported spans, after the option. */
  readonly spans = new Set<string>();
  private readonly hits = new Map<string, Found>();
  /** Time of the last search of each file. */
  private readonly searched = new Map<string, string>();

  private constructor(
    readonly folder: string,
    readonly secrets: Secrets,
    readonly sources: Sources,
    readonly token: string,
    readonly emulator: Emulator,
    private readonly echo: Echo,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.project = join(folder, "project");
  }

  static async create(): Promise<World> {
    const folder = temporaryFolder();
    for (const name of ["home", "tmp", "project", "project/inputs"]) mkdirSync(join(folder, name));
    const secrets = new Secrets();
    const sources = new Sources(secrets, join(folder, "project/inputs"));
    const token = secrets.text("token of the connection");
    const clientSecret = secrets.text("secret of an OAuth client");
    const emulator = await emulatorForTests({
      seed: seedWith(token, clientSecret),
      actionSeconds: 0,
      echoMemberEmail: true,
    });
    const echo = await Echo.create(emulator.baseUrl, secrets);
    afterAll(() => echo.close());
    await ensurePulumi();
    const connection = (name: string, domain: string) => ({
      [`WORKSPACE_AUTOMATION_${name}BASE_URL`]: echo.baseUrl,
      [`WORKSPACE_AUTOMATION_${name}TOKEN`]: token,
      [`WORKSPACE_AUTOMATION_${name}DOMAIN`]: domain,
    });
    const home = join(folder, "home");
    const world = new World(folder, secrets, sources, token, emulator, echo, {
      ...isolated(folder),
      ...stateIn(folder),
      ...connection("", "acme"),
      ...connection("US_", "acme"),
      ...connection("EU_", "acme-eu"),
      WORKSPACE_AUTOMATION_CLIENT_SECRET: clientSecret,
      PULUMI_CONFIG_PASSPHRASE: secrets.text("passphrase of the state"),
      PULUMI_ACCESS_TOKEN: secrets.text("access token of Pulumi"),
      ...installedPulumi(),
      PULUMI_OPTION_OTEL_TRACES: `file://${join(folder, SPANS["otel-traces"])}`,
      PULUMI_OPTION_TRACING: `file:${join(folder, SPANS.tracing)}`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_STATE_HOME: join(home, ".state"),
      XDG_DATA_HOME: join(home, ".data"),
      TMPDIR: join(folder, "tmp"),
    });
    world.write();
    return world;
  }

  /** The base address for `login`. */
  get baseUrl(): string {
    return this.echo.baseUrl;
  }

  /** What the last command wrote last, which explains a failure that nobody expected. */
  lastMessages = "";

  /** Runs a command in isolation, and searches its output. */
  async run(call: Call, disturbance: Disturbance = "none"): Promise<number | undefined> {
    const before = this.found().length;
    if (call.rotates) this.sources.rotate();
    const { argv: generic, stop } = disturb(call, disturbance, this.emulator, this.echo);
    const argv = generic.map((arg) => (arg === CLIENT ? this.client : arg));
    const command = execa(process.execPath, [bin, ...argv, ...(call.raw ? [] : ["--debug"])], {
      cwd: this.project,
      env: { ...this.env, ...this.sources.env },
      extendEnv: false,
      reject: false,
      input: call.input ?? "",
    });
    const watching = watch(command.pid, this.emulator.journal, disturbance === "provider crash");
    const { exitCode, stdout, stderr } = await command;
    this.lastMessages = stderr.slice(-2000);
    const processes = await watching();
    stop();
    this.learn();
    const title = `workspacectl ${argv.join(" ")} (${disturbance})`;
    this.search(stdout, `${title}: standard output`, call.shows);
    this.search(stderr, `${title}: standard error`);
    this.search(processes, `${title}: arguments of a process`);
    this.searchFiles(title);
    this.readSpans();
    const hits = this.found().slice(before);
    if (process.env["CANARY"])
      process.stderr.write(
        `${exitCode} ${title}${hits.map((hit) => `\n  ${JSON.stringify(hit)}`).join("")}\n`,
      );
    return exitCode;
  }

  /** Returns everything found so far. */
  found(): readonly Found[] {
    return [...this.hits.values()];
  }

  private write(): void {
    const { project, secrets, sources, folder } = this;
    const inputs = join(folder, "project/inputs");
    const write = (file: string, value: object) =>
      writeFileSync(file, stringify(value, { aliasDuplicateObjects: false }));
    writeFileSync(
      join(inputs, "key.pem"),
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${secrets.text("private key in a file")}\n-----END OPENSSH PRIVATE KEY-----\n`,
    );
    write(join(project, "workspace.yaml"), plantedDocument(sources));
    write(join(project, "literal.yaml"), literalOverlay(secrets));
    write(join(project, "wrong.yaml"), wrongOverlay(secrets, sources));
    write(join(project, "Pulumi.yaml"), { name: "canary", runtime: "nodejs" });
    writeProgram(join(project, "code"), secrets.text("secret of a program"), join(inputs, "program"));
    const fleet = { stack: "dev", overlays: ["literal.yaml"] };
    write(join(project, "fleet.yaml"), { version: 1, workspaces: { one: fleet } });
  }

  /** Returns the id of the OAuth client that was registered last. */
  private get client(): string {
    const file = join(this.folder, "credentials.json");
    const { oauthClients = {} } = JSON.parse(existsSync(file) ? readFileSync(file, "utf8") : "{}") as {
      oauthClients?: object;
    };
    return Object.keys(oauthClients).at(-1) ?? "none";
  }

  /** Registers the tokens and secrets that a login received from the service. */
  private learn(): void {
    const file = join(this.folder, "credentials.json");
    if (!existsSync(file)) return;
    JSON.parse(readFileSync(file, "utf8"), (key, value: unknown) => {
      if (
        typeof value === "string" &&
        /token|secret/i.test(key) &&
        value.length > 12 &&
        this.secrets.in(value).length === 0
      )
        this.secrets.add(value, `${key}, kept by a login`);
      return value;
    });
  }

  private readSpans(): void {
    for (const [option, name] of Object.entries(SPANS)) {
      const file = join(this.folder, name);
      const text = existsSync(file) ? readFileSync(file, "latin1") : "";
      for (const [call] of text.matchAll(/pulumirpc\.\w+\/\w+/g)) this.spans.add(`${option}: ${call}`);
    }
  }

  private searchFiles(title: string): void {
    for (const file of filesBelow(this.folder)) {
      const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
      const name = relative(this.folder, file);
      const state = `${mtimeMs} ${size}`;
      if (mtimeMs === undefined || this.searched.get(name) === state) continue;
      this.searched.set(name, state);
      if (EXCEPTIONS.some((one) => one.file.test(name))) continue;
      this.search(readFileSync(file), name, EXPORTED.test(name), title);
    }
  }

  /** @param shows whether the text may contain everything that the service shows */
  private search(bytes: string | Buffer, where: string, shows = false, after?: string): void {
    for (const secret of this.secrets.in(bytes)) {
      const key = `${secret} ${where}`;
      if (this.hits.has(key) || (shows && this.secrets.isShown(secret))) continue;
      this.hits.set(key, { secret, where, ...(after === undefined ? {} : { after }) });
    }
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Writes a program that reads a secret from a file, and gives it to objects of the service and to a resource that is not ours. */
function writeProgram(folder: string, secret: string, file: string): void {
  mkdirSync(folder);
  writeFileSync(file, secret);
  writeFileSync(join(folder, "Pulumi.yaml"), stringify({ name: "canary-program", runtime: "nodejs" }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "canary-program", main: "index.js" }));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(
    join(folder, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
const { BuildAction, Pipeline, Project, Variable } = require("pulumi-workspace-automation");
const text = require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8");
const secret = pulumi.secret(text);
class Other extends pulumi.dynamic.Resource {
  constructor(name) {
    super({ create: async (inputs) => ({ id: "1", outs: inputs }), diff: async () => ({ changes: true }) }, name, { nested: { secret } });
  }
}
const other = new Other("other");
const project = new Project("code", { name: "code", displayName: "Code" });
const pipeline = new Pipeline("run", { project, name: "run", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
new BuildAction("build", {
  pipeline, name: "Build", triggerTime: "ON_EVERY_EXECUTION", containerImageName: "node", containerImageTag: "22",
  executeCommands: ["npm ci", pulumi.interpolate\`deploy \${secret}\`],
});
new Variable("token", { project, key: "TOKEN", value: secret, encrypted: true, description: "A token" });
new Variable("shown", { project, key: "SHOWN", value: other.id, description: "Not known before" });
`,
  );
}
