/**
 * The kinds that only programs have, on plain Pulumi: a random program is applied, changed, and applied again after changes by hand. A preview
 * announces each request, and the service then has what the program declares. Executions and restarts are never undone, and they cannot drift.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { type Random, randomOf } from "../chaos/random.js";
import {
  clone,
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  stateIn,
  temporaryFolder,
} from "../e2e/support.js";

export const programKinds = [
  "User",
  "UserKey",
  "UserEmail",
  "OAuthClient",
  "Execution",
  "SandboxRestart",
] as const;
type Kind = (typeof programKinds)[number];

interface Declared {
  readonly type: Kind;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Where the requests of a kind go. */
const paths: readonly (readonly [RegExp, Kind])[] = [
  [/\/user$/, "User"],
  [/\/user\/keys/, "UserKey"],
  [/\/user\/emails/, "UserEmail"],
  [/\/oauth2\/register/, "OAuthClient"],
  [/\/executions/, "Execution"],
  [/\/restart$/, "SandboxRestart"],
];
/** Objects of these kinds stay when they are deleted from a program. */
const stays: readonly string[] = ["User", "Execution", "SandboxRestart"];

const WORDS = ["alpha", "beta", "gamma", "delta"];

export function randomProgram(random: Random): Declared[] {
  const some = (type: Kind, args: (word: string) => Declared["args"]): Declared[] =>
    random.some(WORDS, 0.5).map((word) => ({ type, name: `${type} ${word}`, args: args(word) }));
  const triggers = () => ({ triggers: { release: random.below(3) } });
  return [
    {
      type: "User",
      name: "me",
      args: { name: `Owner ${random.pick(WORDS)}`, title: random.pick(["", ...WORDS]) },
    },
    ...some("UserKey", (word) => ({
      content: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG${word.slice(0, 3)} ${word}@example.com`,
      title: `${word} ${random.below(2)}`,
    })),
    ...some("UserEmail", (word) => ({ email: `${word}${random.below(2)}@example.com` })),
    ...some("OAuthClient", (word) => ({
      clientName: `${word} ${random.below(3)}`,
      redirectUris: random.shuffled(["https://a.example.com/callback", "https://b.example.com/callback"]),
      grantTypes: ["authorization_code", "refresh_token"],
      responseTypes: ["code"],
      tokenEndpointAuthMethod: "client_secret_basic",
      ...(random.chance(0.5) ? { description: `for ${random.pick(WORDS)}` } : {}),
    })),
    ...some("Execution", () => ({ revision: "HEAD", ...triggers() })),
    ...some("SandboxRestart", () => ({ sandbox: "sandbox-1", ...triggers() })),
  ];
}

const PROGRAM = `import { readFileSync } from "node:fs";
import * as kinds from "pulumi-workspace-automation";
const project = new kinds.Project("web", { name: "web", displayName: "Web shop" }, { protect: false });
const readme = new kinds.RepositoryFile("readme", { project, path: "README.md", content: "# Web shop\\n" });
const pipeline = new kinds.Pipeline("deploy", { project, name: "deploy", triggerMode: "MANUAL", refName: "main" });
for (const { type, name, args } of JSON.parse(readFileSync("declared.json", "utf8")))
  new kinds[type](name, type === "Execution" ? { ...args, pipeline } : args, { dependsOn: readme });
`;

/** Checks one random program. */
export async function checkProgram(seed: number): Promise<void> {
  const random = randomOf(seed);
  const folder = temporaryFolder();
  const root = join(folder, "clone");
  const emulator = await emulatorForTests({
    ...{ strictBodies: true, actionSeconds: 0 },
    seed: {
      users: [{ email: "owner@example.com" }],
      workspaces: [{ domain: "acme", sandboxes: [{ id: "sandbox-1", identifier: "sandbox-1" }] }],
    },
  });
  const env = isolated(folder, {
    ...{ ...connected(emulator), ...stateIn(folder) },
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
  });
  clone(root);
  writeFileSync(
    join(root, "Pulumi.yaml"),
    "name: truth\nruntime: { name: nodejs, options: { typescript: false } }\nmain: truth.js\n",
  );
  writeFileSync(join(root, "truth.js"), PROGRAM);
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await pulumi(argv, root, env);
    expect(code, `seed ${seed}: ${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  const expectApplied = async (declared: readonly Declared[]) => {
    writeFileSync(join(root, "declared.json"), JSON.stringify(declared));
    emulator.journal.clear();
    const announced = announcedIn(await run("preview", "--refresh", "--json"));
    expect(writesOf(emulator), `seed ${seed}: a preview writes nothing`).toEqual([]);
    await run("up", "--refresh", "--yes", "--skip-preview");
    expect(writesOf(emulator), `seed ${seed}: up sends what preview announced`).toEqual(announced);
    await expectDeclared(emulator, declared);
    emulator.journal.clear();
    await run("up", "--refresh", "--yes", "--skip-preview", "--expect-no-changes");
    expect(writesOf(emulator), `seed ${seed}: a second up writes nothing`).toEqual([]);
  };

  await run("stack", "init", "dev");
  await expectApplied(randomProgram(random));
  await editByHand(emulator, random);
  await expectApplied(randomProgram(random));
}

/** The requests that a plan leads to, as kinds. */
function announcedIn(json: string): string[] {
  const { steps } = JSON.parse(json) as {
    readonly steps: readonly { readonly op: string; readonly urn: string }[];
  };
  return (
    steps
      .map(({ op, urn }) => ({ op, type: urn.split("::").at(-2)?.split(":").at(-1) ?? "" }))
      .filter(({ type }) => (programKinds as readonly string[]).includes(type))
      .flatMap(({ op, type }) => {
        const removal = stays.includes(type) ? [] : [`delete ${type}`];
        if (op === "replace") return [`create ${type}`, ...removal];
        if (op === "delete") return removal;
        return ["create", "update"].includes(op) ? [`${op} ${type}`] : [];
      })
      // The profile already exists.
      .map((step) => (step === "create User" ? "update User" : step))
      .toSorted()
  );
}

function writesOf({ journal }: Emulator): string[] {
  const verbs: Readonly<Record<string, string>> = {
    POST: "create",
    PATCH: "update",
    PUT: "update",
    DELETE: "delete",
  };
  return journal.requests
    .flatMap(({ method, path }) => {
      const [, kind] = paths.find(([pattern]) => pattern.test(path)) ?? [];
      const verb = verbs[method];
      return kind === undefined || verb === undefined ? [] : [`${verb} ${kind}`];
    })
    .toSorted();
}

type Json = Readonly<Record<string, unknown>>;

async function read(emulator: Emulator, path: string): Promise<Json> {
  return (await emulator.edit({ method: "GET", path })).body as Json;
}

/** The service has exactly the declared keys and addresses, and the declared profile. */
async function expectDeclared(emulator: Emulator, declared: readonly Declared[]): Promise<void> {
  const argsOf = (kind: Kind) => declared.filter(({ type }) => type === kind).map(({ args }) => args);
  const { name, title } = await read(emulator, "/user");
  expect({ name, title: title ?? "" }).toEqual(argsOf("User")[0]);
  const { keys } = await read(emulator, "/user/keys");
  const shown = (keys as Json[]).map(({ content, title: of }) => ({ content, title: of }));
  expect(shown).toHaveLength(argsOf("UserKey").length);
  expect(shown).toEqual(expect.arrayContaining(argsOf("UserKey")));
  const { emails } = await read(emulator, "/user/emails");
  const addresses = (emails as Json[])
    .map(({ email }) => ({ email }))
    .filter(({ email }) => email !== "owner@example.com");
  expect(addresses).toHaveLength(argsOf("UserEmail").length);
  expect(addresses).toEqual(expect.arrayContaining(argsOf("UserEmail")));
}

/** Changes the profile, and deletes a key and an address. */
async function editByHand(emulator: Emulator, random: Random): Promise<void> {
  await emulator.edit({ method: "PATCH", path: "/user", body: { title: `by hand ${random.below(100)}` } });
  const [key] = (await read(emulator, "/user/keys"))["keys"] as { readonly id: number }[];
  if (key !== undefined) await emulator.edit({ method: "DELETE", path: `/user/keys/${key.id}` });
  const emails = (await read(emulator, "/user/emails"))["emails"] as { readonly email: string }[];
  const other = emails.find(({ email }) => email !== "owner@example.com");
  if (other !== undefined) await emulator.edit({ method: "DELETE", path: `/user/emails/${other.email}` });
}
