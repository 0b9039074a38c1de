/**
 * A victim of an attack: a home and an environment full of secrets, a checkout that somebody else has changed, the service, and an address
 * and programs of the attacker that record whatever reaches them.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, request as ask, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import type { Emulator } from "../../../emulator/index.js";
import { ensurePulumi } from "../../../toolchain/index.js";
import type { Random } from "../../chaos/random.js";
import { Secrets } from "../canary/secrets.js";
import { bin, installedPulumi } from "../support.js";

/** Variables of runners, clouds and users that a job may have next to those of the run. */
const VARIABLES = [
  ...["GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_RUNTIME_TOKEN", "GH_TOKEN"],
  ...["CI_JOB_TOKEN", "CI_JOB_JWT_V2", "CI_REGISTRY_PASSWORD", "CI_DEPLOY_PASSWORD", "GITLAB_TOKEN"],
  ...["SYSTEM_ACCESSTOKEN", "BUILDKITE_AGENT_ACCESS_TOKEN", "BITBUCKET_STEP_OIDC_TOKEN"],
  ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_STORAGE_SAS_TOKEN"],
  ...["AZURE_STORAGE_KEY", "ARM_CLIENT_SECRET", "GOOGLE_OAUTH_ACCESS_TOKEN", "VAULT_TOKEN"],
  ...["NPM_TOKEN", "NODE_AUTH_TOKEN", "DOCKER_AUTH_CONFIG", "SONAR_TOKEN", "DATABASE_URL", "MY_SECRET"],
] as const;

/** Files of a home that tools use. */
const HOME_FILES = [
  ".aws/credentials",
  ".ssh/id_ed25519",
  ".npmrc",
  ".netrc",
  ".docker/config.json",
  ".kube/config",
  ".config/gh/hosts.yml",
  ".git-credentials",
] as const;

/** Files that a checkout has on a runner, and that are not the author's. */
const RUNNER_FILES = [".git/config", ".env", ".npmrc"] as const;

export interface Outcome {
  readonly code: number | undefined;
  readonly output: string;
  /** Secrets in the output and in files, as `what in where`. */
  readonly leaks: readonly string[];
  /** Requests to an address of the attacker. */
  readonly foreign: readonly string[];
  /** Programs of the checkout that were started. */
  readonly started: readonly string[];
  /** Files outside the checkout that have changed. */
  readonly changed: readonly string[];
}

/** Part of a hostile checkout. Several fit into one, unless they replace each other's files. */
export interface Attack {
  readonly name: string;
  readonly apply: (target: Target, random: Random) => void;
  /** The environment of the job, where the attack needs a careless one. */
  readonly env?: (target: Target) => NodeJS.ProcessEnv;
}

export class Target {
  readonly secrets = new Secrets();
  readonly home: string;
  readonly checkout: string;
  readonly victim: string;
  /** Folder for programs of the machine. */
  readonly tools: string;
  readonly env: NodeJS.ProcessEnv;
  private readonly trace: string;
  private readonly foreign: string[] = [];
  private readonly before = new Map<string, string>();

  private constructor(
    readonly folder: string,
    readonly emulator: Emulator,
    private readonly server: Server,
    private readonly service: Service,
    other: Emulator,
    bin: string,
  ) {
    this.home = join(folder, "home");
    this.checkout = join(folder, "checkout");
    this.victim = join(folder, "victim");
    this.tools = join(folder, "tools");
    this.trace = join(folder, "started");
    const planted = Object.fromEntries(
      VARIABLES.map((name) => [name, this.secrets.text(`variable ${name}`)]),
    );
    this.secrets.add(emulator.token, "token of the service");
    if (other.token !== emulator.token) this.secrets.add(other.token, "token of the other service");
    for (const path of HOME_FILES)
      this.write(this.home, path, `[default]\nkey = ${this.secrets.text(path)}\n`);
    for (const path of RUNNER_FILES)
      this.write(this.checkout, path, `token: ${this.secrets.text(`checkout's ${path}`)}\n`);
    this.write(this.victim, "notes.yaml", `notes: ${this.secrets.text("the victim's notes")}\n`);
    this.env = {
      ...planted,
      PATH: [bin, process.env["PATH"]].join(":"),
      CI: "true",
      HOME: this.home,
      TMPDIR: join(folder, "tmp"),
      PULUMI_BIN: bin,
      PULUMI_HOME: join(this.home, ".pulumi"),
      PULUMI_CONFIG_PASSPHRASE: this.secrets.text("passphrase of the state"),
      PULUMI_ACCESS_TOKEN: this.secrets.text("access token of Pulumi"),
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
      ...installedPulumi(),
      WORKSPACE_AUTOMATION_BASE_URL: service.baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: emulator.token,
      WORKSPACE_AUTOMATION_US_BASE_URL: service.baseUrl,
      WORKSPACE_AUTOMATION_US_TOKEN: emulator.token,
      WORKSPACE_AUTOMATION_EU_BASE_URL: other.baseUrl,
      WORKSPACE_AUTOMATION_EU_TOKEN: other.token,
      WORKSPACE_AUTOMATION_CREDENTIALS: join(this.home, "credentials.json"),
      WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
    };
    for (const path of ["tmp", "state"]) mkdirSync(join(folder, path), { recursive: true });
    server.on("request", (request, response) => {
      request.resume();
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
      this.foreign.push([`${request.method ?? ""} ${request.url ?? ""}`, ...headers].join("\n"));
      response.writeHead(404, { "content-type": "application/json" }).end('{"errors":[]}');
    });
    server.on("connection", () => this.foreign.push("connection"));
    this.remember();
  }

  /** @param other the service of another region, to replicate to */
  static async create(folder: string, emulator: Emulator, other: Emulator): Promise<Target> {
    const server = await listening();
    const service = new Service(await listening(), emulator.baseUrl);
    const { binDir } = await ensurePulumi();
    return new Target(folder, emulator, server, service, other, binDir);
  }

  /** The attacker's address. */
  get attacker(): string {
    return addressOf(this.server);
  }

  /** Writes a file of the checkout. */
  file(path: string, text: string): void {
    this.write(this.checkout, path, text);
  }

  /** Writes a program of the checkout that leaves a trace when it is started. */
  program(path: string): void {
    this.executable(this.checkout, path);
  }

  /** Writes a program of the machine that would run what a checkout names, and leaves a trace too. */
  tool(name: string): void {
    this.executable(this.tools, name);
  }

  private executable(root: string, path: string): void {
    const trace = `echo '${path}' "$@" >> '${this.trace}'\nenv >> '${this.trace}.env'`;
    this.write(root, path, `#!/bin/sh\n${trace}\nexit 1\n`);
    chmodSync(join(root, path), 0o755);
  }

  /** JavaScript that leaves a trace when it is loaded. */
  script(path: string): string {
    const text = `${path}\n`;
    return `require("fs").appendFileSync(${JSON.stringify(this.trace)}, ${JSON.stringify(text)});\n`;
  }

  /** Runs a command in the checkout, and looks for what it should not have done. */
  async run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    this.foreign.length = 0;
    const written = this.texts();
    const { exitCode, stdout, stderr } = await execa(process.execPath, [bin, ...argv], {
      cwd: this.checkout,
      env: { ...this.env, ...env },
      extendEnv: false,
      reject: false,
      stdin: "ignore",
      timeout: 110_000,
    });
    const output = `${stdout}\n${stderr}`;
    const leaks = [
      ...this.secrets.in(output).map((what) => `${what} in the output`),
      ...this.secrets.in(this.foreign.join("\n")).map((what) => `${what} at the attacker's address`),
      ...this.secrets.in(this.service.texts.splice(0).join("\n")).map((what) => `${what} at the service`),
      ...this.newTexts(written).flatMap(([path, text]) =>
        this.secrets.in(text).map((what) => `${what} in ${path}`),
      ),
    ];
    return {
      code: exitCode,
      output,
      leaks,
      foreign: [...this.foreign],
      started: existsSync(this.trace) ? readFileSync(this.trace, "utf8").trim().split("\n") : [],
      changed: [...this.before].filter(([path, text]) => contentOf(path) !== text).map(([path]) => path),
    };
  }

  async close(): Promise<void> {
    for (const server of [this.server, this.service.server]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  private write(root: string, path: string, text: string): void {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    // Another part of the attack may have made a link there, through which this would write.
    rmSync(file, { force: true });
    writeFileSync(file, text);
  }

  private remember(): void {
    for (const root of [this.home, this.victim])
      for (const file of filesIn(root)) this.before.set(file, contentOf(file));
  }

  /** Texts of files that a command may have written. */
  private texts(): Map<string, string> {
    const roots = ["checkout", "tmp", "journal", "home/.pulumi", "state"].map((path) =>
      join(this.folder, path),
    );
    return new Map(roots.flatMap(filesIn).map((file) => [file, contentOf(file)]));
  }

  private newTexts(before: ReadonlyMap<string, string>): [path: string, text: string][] {
    return [...this.texts()]
      .filter(([file, text]) => before.get(file) !== text)
      .map(([file, text]) => [relative(this.folder, file), text]);
  }
}

/** Passes requests on to the service, and records all of them but the header with the token. */
class Service {
  readonly texts: string[] = [];
  readonly baseUrl: string;

  constructor(
    readonly server: Server,
    target: string,
  ) {
    this.baseUrl = addressOf(server);
    server.on("request", (incoming, response) => {
      const pass = async () => {
        const body = await buffer(incoming);
        const { method = "GET", url = "/", headers } = incoming;
        const { authorization: _token, ...others } = headers;
        this.texts.push(
          `${method} ${decodeURIComponent(url)}`,
          JSON.stringify(others),
          body.toString("utf8"),
        );
        const passed = ask(`${target}${url}`, { method, headers }, (answered) => {
          response.writeHead(answered.statusCode ?? 502, answered.headers);
          answered.pipe(response);
        });
        passed.on("error", () => incoming.socket.destroy());
        passed.end(body);
      };
      pass().catch(() => incoming.socket.destroy());
    });
  }
}

async function listening(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Lists the files below a folder. Follows no links. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function contentOf(file: string): string {
  return existsSync(file) && lstatSync(file).isFile() ? readFileSync(file, "latin1") : "";
}
