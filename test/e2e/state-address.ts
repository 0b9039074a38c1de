/** Runs the commands that open a state at an address with user, password and parameters, and searches all that they write for these. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll } from "vitest";
import { setUp, type Setup } from "./support.js";

/** Stands in each place of an address where a credential can be. */
export const SECRETS = ["user-Zx81mKp", "password-Qw72nRt", "parameter-Lp93vBx"];
const [user = "", password = "", parameter = ""] = SECRETS;

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

/** The commands that open a state. */
export const calls: Readonly<Record<string, readonly string[]>> = {
  preview: [
    "preview",
    "--stack",
    "dev",
    ...formats("preview", "markdown", "html", "github", "junit", "json"),
  ],
  "up --debug": ["up", "--stack", "dev", "--yes", "--create-stack", "--debug", "--receipt", "receipt.json"],
  drift: [
    "drift",
    "--stack",
    "dev",
    ...formats("drift", "markdown", "html", "github", "junit", "sarif", "json"),
  ],
  "stack ls": ["stack", "ls"],
  "stack select": ["stack", "select", "dev"],
  "stack export": ["stack", "export", "--stack", "dev"],
  "stack unlock": ["stack", "unlock", "--stack", "dev", "--yes"],
  "stack rm": ["stack", "rm", "dev", "--yes"],
  refresh: ["refresh", "--stack", "dev", "--yes", "--json"],
  destroy: ["destroy", "--stack", "dev", "--yes", "--json"],
  history: ["history", "variables/A", "--stack", "dev"],
  "config get": ["config", "get", "--stack", "dev", "--json"],
  "config set": ["config", "set", "a", "b", "--stack", "dev"],
  compare: ["compare", "workspace.yaml", "stack:dev@workspace.yaml"],
};

/** A workspace file, and nothing else in its folder. */
export const prepare = () => setUp("version: 1\nworkspace: acme\nvariables: { A: one }\n");

/** Returns where a part of an address was written. */
export async function findLeaks(
  { folder, file, env }: Setup,
  run: (
    argv: readonly string[],
    folder: string,
    env: NodeJS.ProcessEnv,
  ) => Promise<{ stdout: string; stderr: string }>,
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
