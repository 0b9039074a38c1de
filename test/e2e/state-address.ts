/** Runs the commands that open a state at an address with user, password and parameters, and searches all that they write for these. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll } from "vitest";
import { type Ended, type Setup, setUp } from "./support.js";

/** Stands in each place of an address where a credential can be. */
export const SECRETS = ["user-Zx81mKp", "password-Qw72nRt", "parameter-Lp93vBx"];
const [user = "", password = "", parameter = ""] = SECRETS;

const DATABASE = "canary_states";

/**
 * Lets a database accept the user and the password.
 * @param owner address of a database, with a user who may create both
 * @returns an address that it accepts, and one with another password
 */
export async function startAccepting(owner: string): Promise<{ accepted: string; refused: string }> {
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query(`CREATE ROLE "${user}" LOGIN PASSWORD '${password}'`);
  await client.query(`CREATE DATABASE ${DATABASE} OWNER "${user}"`);
  afterAll(async () => {
    await client.query(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
    await client.query(`DROP ROLE "${user}"`);
    await client.end();
  });
  const url = new URL(owner);
  const settings = `sslmode=${url.searchParams.get("sslmode") ?? "disable"}&application_name=${parameter}`;
  const addressWith = (word: string) => `postgres://${user}:${word}@${url.host}/${DATABASE}?${settings}`;
  return { accepted: addressWith(password), refused: addressWith(`${password}-${parameter}`) };
}

/** A port at which nothing listens. */
const CLOSED = "127.0.0.1:9";

/** Addresses of each kind, by the place of the server. */
export const addressesAt = (host: string): Readonly<Record<string, string>> => ({
  postgres: `postgres://${user}:${password}@${host}/states?sslmode=disable&application_name=${parameter}`,
  https: `http://${user}:${password}@${host}/api?token=${parameter}`,
  s3: `s3://bucket/states?endpoint=http://${host}&region=eu&s3ForcePathStyle=true&sig=${parameter}`,
  azblob: `azblob://container?storage_account=acme&protocol=http&domain=${host}&sas=${parameter}`,
});

/** Addresses whose servers do not answer. */
export const unreachable = addressesAt(CLOSED);

/** Addresses of a server that refuses each request, and repeats it. */
export async function startRefusing(): Promise<Readonly<Record<string, string>>> {
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ code: 403, message: `refused: ${url} ${JSON.stringify(headers)}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  return addressesAt(`127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const formats = (name: string, ...forms: string[]) =>
  forms.flatMap((form) => ["--format", `${form}=${name}.${form}`]);

/** The commands that open a state, in an order in which each finds what it needs. */
export const calls: Readonly<Record<string, readonly string[]>> = {
  "up --debug": ["up", "--stack", "dev", "--yes", "--create-stack", "--debug", "--receipt", "receipt.json"],
  preview: [
    "preview",
    "--stack",
    "dev",
    ...formats("preview", "markdown", "html", "github", "junit", "json"),
  ],
  drift: [
    "drift",
    "--stack",
    "dev",
    ...formats("drift", "markdown", "html", "github", "junit", "sarif", "json"),
  ],
  history: ["history", "variables/A", "--stack", "dev"],
  "stack ls": ["stack", "ls"],
  "stack select": ["stack", "select", "dev"],
  "stack export": ["stack", "export", "--stack", "dev"],
  "config set": ["config", "set", "a", "b", "--stack", "dev"],
  "config get": ["config", "get", "--stack", "dev", "--json"],
  compare: ["compare", "workspace.yaml", "stack:dev@workspace.yaml"],
  refresh: ["refresh", "--stack", "dev", "--json"],
  destroy: ["destroy", "--stack", "dev", "--yes", "--json"],
  "stack unlock": ["stack", "unlock", "--stack", "dev", "--yes"],
  "stack rm": ["stack", "rm", "dev", "--yes"],
};

/** Those with texts of their own about a state that does not open: reports of every form, and what is read without Pulumi. */
const TELLING = ["up --debug", "preview", "drift", "history"];

/** The commands for one of several kinds of address: those that tell most for each of them, and every other one for one of them. */
export function chooseCalls(kind: number, kinds: number): typeof calls {
  const others = Object.keys(calls).filter((name) => !TELLING.includes(name));
  const chosen = [...TELLING, ...others.filter((_, index) => index % kinds === kind)];
  return Object.fromEntries(Object.entries(calls).filter(([name]) => chosen.includes(name)));
}

/** A workspace file, and nothing else in its folder. */
export const prepare = () => setUp("version: 1\nworkspace: acme\nvariables: { A: one }\n");

/** Runs commands one after the other. @returns where each has written a part of the address, without those that have not */
export async function listLeaks(
  setup: Setup,
  run: (argv: readonly string[], folder: string, env: NodeJS.ProcessEnv) => Promise<Ended>,
  address: string,
  chosen: typeof calls,
): Promise<Record<string, readonly string[]>> {
  const leaks: Record<string, readonly string[]> = {};
  for (const [name, argv] of Object.entries(chosen)) {
    const found = await findLeaks(setup, run, address, argv);
    if (found.length > 0) leaks[name] = found;
  }
  return leaks;
}

/** Returns where a part of an address was written. */
export async function findLeaks(
  { folder, file, env }: Setup,
  run: (argv: readonly string[], folder: string, env: NodeJS.ProcessEnv) => Promise<Ended>,
  address: string,
  argv: readonly string[],
): Promise<string[]> {
  const { stdout, stderr } = await run([...argv, ...(argv[0] === "compare" ? [] : ["-f", file])], folder, {
    ...env,
    ...{ PULUMI_BACKEND_URL: address, PULUMI_ACCESS_TOKEN: "token-of-the-test", CI: "true" },
    ...{
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
      AWS_MAX_ATTEMPTS: "1",
      AZURE_STORAGE_KEY: "YQ==",
    },
  });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.includes("pulumi-home"))
    .map((one): [string, string] => [one.name, readFileSync(join(one.parentPath, one.name), "latin1")]);
  const written: readonly (readonly [string, string])[] = [["stdout", stdout], ["stderr", stderr], ...files];
  return written.flatMap(([where, text]) =>
    SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
  );
}
