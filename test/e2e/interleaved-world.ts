/** A stack with two groups, on which two users run commands at the same time, and which is as before for each pair of commands. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import type { ProviderEngine } from "../../provider/index.js";
import type { Bucket } from "../../recovery/bucket.js";
import { openBucket } from "../../recovery/open-bucket.js";
import { StateAddress } from "../../trust/state-address.js";
import { otherStores } from "./other-stores.js";
import { objectStoreForTests } from "./s3.js";
import {
  connected,
  type Ended,
  installedPulumi,
  isolated,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";
import { inTerminal } from "./terminal.js";

/** What one of the two users does. */
export interface Act {
  readonly command: CommandName;
  /** The groups that the user's file declares. */
  readonly groups: readonly string[];
  readonly engine: ProviderEngine;
}

type CommandName = keyof typeof COMMANDS;

/** A command of a user: its words, after what has to be done before it. */
type Command = (user: User) => Promise<readonly string[]> | readonly string[];

const COMMANDS = {
  "up --yes": () => ["up", "--yes"],
  "up with a prompt": () => ["up"],
  "up --approved": async ({ run }) => {
    const { stdout } = await run("preview", "--json");
    return ["up", "--yes", "--approved", (JSON.parse(stdout) as { fingerprint: string }).fingerprint];
  },
  "up --plan": async ({ run }) => {
    expect((await run("preview", "--save-plan", "plan.json")).code).toBe(0);
    return ["up", "--yes", "--plan", "plan.json"];
  },
  "up --only": () => ["up", "--yes", "--only", "groups/*"],
  "up --program": () => ["up", "--yes", "--program", "program"],
  destroy: () => ["destroy", "--yes"],
  "drift revert": () => ["drift", "revert", "--yes", "groups/A"],
  refresh: () => ["refresh"],
  import: () => ["import"],
  adopt: () => ["adopt"],
  "fleet up": () => ["fleet", "up", "--yes"],
} satisfies Record<string, Command>;

export const commands = Object.keys(COMMANDS) as CommandName[];

/** A user with a folder, a token and a command. */
interface User {
  readonly email: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: (...argv: string[]) => Promise<Ended>;
}

/** How a command has ended, and by which requests it has written. */
export interface Outcome extends Ended {
  readonly writes: readonly { readonly method: string; readonly path: string }[];
}

interface Store {
  readonly env: NodeJS.ProcessEnv;
  /** Keeps what is stored now. */
  readonly keep: () => Promise<void>;
  /** Stores it again. */
  readonly restore: () => Promise<void>;
}

const EMAILS = ["first@example.com", "second@example.com"] as const;
const tokenOf = (email: string) => `token-of-${email.split("@")[0]!}`;

export class World {
  private ids: readonly number[] | undefined;

  private constructor(
    private emulator: Emulator,
    private readonly store: Store,
    private readonly users: readonly User[],
    /** How long a command takes here. */
    private seconds = 0,
  ) {}

  static async open(place: string, engine: ProviderEngine): Promise<World> {
    const folder = temporaryFolder();
    const emulator = await startWithUsers();
    const store = await openStore(place, folder);
    const world = new World(
      emulator,
      store,
      EMAILS.map((email) => createUser(email, join(folder, email), emulator, store)),
    );
    const [user] = world.users as [User];
    await world.createGroups();
    const began = Date.now();
    declare(user, { command: "up --yes", groups: ["A", "B"], engine });
    const { code, stderr } = await user.run("import", "--create-stack");
    expect(code, stderr).toBe(0);
    await store.keep();
    afterAll(() => world.emulator.close());
    world.seconds = (Date.now() - began) / 1000;
    return world;
  }

  /** Both commands, the second one later. @param delay share of the time that a command takes */
  async perform(acts: readonly [Act, Act], delay: number): Promise<Outcome[]> {
    const { users, store } = this;
    const port = Number(new URL(this.emulator.baseUrl).port);
    await this.emulator.close();
    this.emulator = await startWithUsers(port);
    const { emulator } = this;
    await store.restore();
    const group = await this.createGroups();
    const lines: (readonly string[])[] = [];
    for (const [index, act] of acts.entries()) {
      declare(users[index]!, act);
      lines.push(await COMMANDS[act.command](users[index]!));
    }
    if (acts.some(({ command }) => command === "drift revert"))
      await this.edit("PATCH", `/groups/${group}`, { description: "by hand" });
    // What the state does not contain.
    if (acts.some(({ command }) => command === "import" || command === "adopt"))
      await this.edit("POST", "/groups", { name: "E", description: "x" });
    emulator.journal.clear();
    const ended = await Promise.all(
      acts.map(async ({ command }, index) => {
        await sleep(index * delay * this.seconds * 1000);
        const { folder, env } = users[index]!;
        if (command !== "up with a prompt") return workspacectl(lines[index]!, folder, env);
        const typed = [["Apply this plan?", "y\r"]] as const;
        const { code, raw } = await inTerminal(lines[index]!, folder, env, { columns: 200, typed });
        return { code, stdout: raw, stderr: "" };
      }),
    );
    const writes = emulator.journal.writes();
    return ended.map((one, index) => ({
      ...one,
      writes: writes.filter(({ user }) => user === EMAILS[index]),
    }));
  }

  /** Creates what the state contains, since an emulator that starts begins anew with the ids. @returns the id of the first one */
  private async createGroups(): Promise<number> {
    const ids: number[] = [];
    for (const name of ["A", "B"])
      ids.push(((await this.edit("POST", "/groups", { name, description: "x" })) as { id: number }).id);
    this.ids ??= ids;
    expect(ids).toEqual(this.ids);
    return ids[0]!;
  }

  async names(): Promise<string[]> {
    const { groups } = (await this.edit("GET", "/groups")) as { groups: readonly { name: string }[] };
    return groups.map(({ name }) => name).toSorted();
  }

  private async edit(method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<unknown> {
    const whole = `/workspaces/acme${path}`;
    const response = await this.emulator.edit({ method, path: whole, body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response)}`);
    return response.body;
  }
}

/** @param port of the emulator that it replaces */
function startWithUsers(port = 0): Promise<Emulator> {
  const [owner, other] = EMAILS;
  const users = EMAILS.map((email) => ({ email, tokens: [{ token: tokenOf(email) }] }));
  const workspaces = [{ domain: "acme", owner, members: [{ email: other, admin: true }] }];
  return startEmulator({ port, token: tokenOf(owner), seed: { users, workspaces } as never });
}

function createUser(email: string, folder: string, emulator: Emulator, store: Store): User {
  mkdirSync(join(folder, "program"), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(folder, "program/node_modules"), "dir");
  const env = isolated(folder, {
    ...connected({ ...emulator, baseUrl: emulator.baseUrl, token: tokenOf(email) }),
    ...installedPulumi(),
    ...store.env,
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
  });
  return { email, folder, env, run: (...argv) => workspacectl(argv, folder, env) };
}

const GUARDS = `guards: { maxDeletes: 100, maxDeleteShare: 100, sectionDeletion: allow, allowDelete: ["**"] }`;

/** Writes the files of a user, in which a program and a fleet say the same as the workspace file. */
function declare({ folder }: User, { groups, engine, command }: Act): void {
  const list = groups.map((name) => `  ${name}: { description: x }\n`).join("");
  const text = `version: 1\nworkspace: acme\nengine: ${engine}\n${GUARDS}\ngroups:\n${list}`;
  writeFileSync(join(folder, "workspace.yaml"), text);
  const entry = "acme: { file: workspace.yaml, stack: dev }";
  writeFileSync(join(folder, "fleet.yaml"), `version: 1\nworkspaces: { ${entry} }\n`);
  if (command !== "up --program") return;
  const plugin = "{ name: workspace-automation, path: ./node_modules/pulumi-workspace-automation/plugin }";
  writeFileSync(
    join(folder, "program/Pulumi.yaml"),
    `name: workspace-automation\nruntime: nodejs\nplugins: { providers: [${plugin}] }\nconfig: { "workspace-automation:engine": ${engine} }\n`,
  );
  writeFileSync(
    join(folder, "program/package.json"),
    `{ "name": "workspace-automation", "main": "index.js" }`,
  );
  const declared = groups.map(
    (name) => `new Group("groups/${name}", { name: "${name}", description: "x" });`,
  );
  writeFileSync(
    join(folder, "program/index.js"),
    `const { Group } = require("pulumi-workspace-automation");\n${declared.join("\n")}\n`,
  );
}

/** @param place "folder", "S3", or the name of a store that the environment names */
async function openStore(place: string, folder: string): Promise<Store> {
  if (place === "folder") {
    const env = stateIn(folder);
    const [state, kept] = [join(folder, "state"), join(folder, "kept")];
    return {
      env,
      keep: () => Promise.resolve(cpSync(state, kept, { recursive: true })),
      restore: () => {
        rmSync(state, { recursive: true, force: true });
        return Promise.resolve(cpSync(kept, state, { recursive: true }));
      },
    };
  }
  const { env, bucket } = place === "S3" ? await openS3() : await otherStores()[place]!();
  const kept = new Map<string, string>();
  return {
    env,
    keep: async () => {
      for (const key of await bucket.list("")) kept.set(key, (await bucket.text(key)) ?? "");
    },
    restore: async () => {
      await bucket.deleteAll((await bucket.list("")).filter((key) => !kept.has(key)));
      for (const [key, text] of kept) await bucket.put(key, text);
    },
  };
}

async function openS3(): Promise<{ readonly env: NodeJS.ProcessEnv; readonly bucket: Bucket }> {
  const { backend, env } = await objectStoreForTests();
  const bucket = await openBucket(new StateAddress(backend), { ...process.env, ...env });
  return { env: { ...env, PULUMI_BACKEND_URL: backend }, bucket };
}
