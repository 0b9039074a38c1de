/** The authorization servers of others that the nightly test logs in to, and what each of them does. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { createServer, request as createRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { freePort } from "../../cli/service-support.js";

/** Every printable character of ASCII. */
export const secret = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
  .join("")
  .trim();
export const scopes = ["WORKSPACE", "USER_INFO", "EXECUTION_INFO"];

export interface OAuthServerOfOthers {
  readonly name: string;
  readonly version: string;
  readonly command: readonly string[];
  /** Clients with a secret, by the one way to send it that the server accepts. */
  readonly clients: readonly ("form" | "header")[];
  readonly registers: boolean;
  readonly revokes: "all" | "refresh tokens" | "nothing";
  /** Whether a refresh token that is used twice ends the whole grant. */
  readonly detectsReuse: boolean;
  /** A client that may not have all scopes, and what the server says then. */
  readonly narrow?: readonly [client: string, description: string];
}

const oidc = { name: "oidc-provider", version: "9.13.3", registers: true, detectsReuse: true } as const;
export const servers: readonly OAuthServerOfOthers[] = [
  {
    ...oidc,
    command: ["node", "oidc-provider.mjs", "PORT", "opaque"],
    clients: ["form", "header"],
    revokes: "all",
    narrow: ["narrow", "requested scope is not allowed"],
  },
  {
    ...oidc,
    name: "oidc-provider with JWT",
    command: ["node", "oidc-provider.mjs", "PORT", "jwt"],
    clients: ["form"],
    revokes: "refresh tokens",
  },
  {
    name: "@node-oauth/oauth2-server",
    version: "5.3.0",
    command: ["node", "node-oauth.mjs", "PORT"],
    clients: ["form", "header"],
    registers: false,
    revokes: "nothing",
    detectsReuse: false,
  },
  {
    name: "Authlib",
    version: "1.9.10",
    command: ["venv/bin/python", "authlib_server.py", "PORT"],
    clients: ["form", "header"],
    registers: true,
    revokes: "all",
    detectsReuse: false,
  },
];

/** Installs the servers, and what starts them, into a folder. */
export async function installServers(folder: string): Promise<void> {
  cpSync(join(import.meta.dirname, "servers"), folder, { recursive: true });
  const packages = ["oidc-provider@9.13.3", "@node-oauth/oauth2-server@5.3.0"];
  await execa("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages], {
    cwd: folder,
  });
  await execa("python3", ["-m", "venv", "venv"], { cwd: folder });
  const pip = ["install", "--quiet", "Authlib==1.9.10", "Flask==3.1.3", "requests==2.34.2"];
  await execa(join(folder, "venv/bin/pip"), pip, { cwd: folder });
}

/** Starts a server until the test ends. @returns its base address, and the port for redirects that it knows */
export async function startServer({ command, version }: OAuthServerOfOthers, folder: string) {
  const [port, redirectPort] = [await freePort(), await freePort()];
  const base = await startService(port);
  const words = command.map((word) => (word === "PORT" ? String(port) : word));
  const program = words[0] === "node" ? process.execPath : join(folder, words[0] ?? "");
  const redirect = `http://127.0.0.1:${redirectPort}/callback`;
  const more = { BASE: base, SCOPES: scopes.join(" "), SECRET: secret, REDIRECT: redirect };
  const env = { ...process.env, ...more };
  const child = spawn(program, words.slice(1), { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ready = await readLine(child);
  if (ready !== `ready ${version}`) throw new Error(`expected version ${version}, got "${ready}"`);
  const baseUrl = `${base}/api`;
  return { baseUrl, authorizeUrl: `${baseUrl}/oauth2/authorize`, redirect, port: String(redirectPort) };
}

async function readLine(child: ChildProcess): Promise<string> {
  let printed = "";
  child.stderr?.on("data", (part: Buffer) => (printed += part.toString()));
  const line = once(child.stdout as NodeJS.ReadableStream, "data").then(([part]) => String(part).trim());
  const end = once(child, "exit").then(([code]) => `exit ${String(code)}: ${printed}`);
  const first = await Promise.race([line, end]);
  return first.split("\n")[0] ?? "";
}

const answers: Readonly<Record<string, object>> = {
  "/api/user": { id: 1, name: "Ann" },
  "/api/workspaces": { workspaces: [{ id: 1, name: "Acme", domain: "acme" }] },
  "/api/workspaces/acme": { id: 1, name: "Acme", domain: "acme" },
  "/api/workspaces/acme/members/1": { id: 1, name: "Ann", admin: false },
};

/** A service in front of an authorization server. It knows the tokens that the server has issued. */
async function startService(behind: number): Promise<string> {
  const issued = new Set<string>();
  const service = createServer((request, response) => {
    const { url = "", method = "", headers } = request;
    const answer = answers[url.split("?")[0] ?? ""];
    if (answer !== undefined) {
      const isKnown = issued.has((headers.authorization ?? "").replace(/^Bearer /, ""));
      const challenge = isKnown ? {} : { "www-authenticate": 'Bearer error="invalid_token"' };
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json", ...challenge });
      return void response.end(isKnown ? JSON.stringify(answer) : "");
    }
    const passed = createRequest(
      { host: "127.0.0.1", port: behind, path: url, method, headers },
      (theirs) => {
        void text(theirs).then((body) => {
          const token = /"access_token": ?"([^"]+)"/.exec(body)?.[1];
          if (token !== undefined) issued.add(token);
          response.writeHead(theirs.statusCode ?? 500, theirs.headers);
          response.end(body);
        });
      },
    );
    request.pipe(passed);
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void service.close());
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}
