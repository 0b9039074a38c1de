/** Lets the OAuth clients of others get, renew and revoke tokens at the emulator. */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { beforeAll, expect, it, vi } from "vitest";
import { startEmulator } from "../../../emulator/index.js";
import { missingGo } from "../language-hosts.js";
import { temporaryFolder } from "../support.js";
import { consent } from "./browser.js";
import { clients, installClients } from "./clients.js";
import { secret } from "./servers.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 600_000 });

const folder = temporaryFolder();
const noGo = await missingGo();
beforeAll(() => installClients(folder, noGo === undefined));

const id = "my app-1/%41";
const redirect = "http://127.0.0.1/callback";

it.for(clients)("$name $version works with the emulator", async ({ command, version, name }, { skip }) => {
  if (name.startsWith("golang.org") && noGo !== undefined) skip(noGo);
  const emulator = await startEmulator({
    seed: {
      users: [{ email: "owner@example.com", name: "Olga Owner", tokens: [{}] }],
      workspaces: [{ domain: "acme" }],
      oauth_clients: [{ client_id: id, client_secret: secret, redirect_uris: [redirect] }],
    },
  });
  const story = {
    base: emulator.baseUrl,
    authorize: emulator.authorizeUrl,
    id,
    secret,
    redirect: "http://127.0.0.1:9/callback",
    scope: "USER_INFO",
  };
  const [program = "", ...args] = command;
  const running = execa(program === "node" ? process.execPath : join(folder, program), args, {
    cwd: folder,
    env: { STORY: JSON.stringify(story) },
    reject: false,
  });
  const printed: string[] = [];
  for await (const line of createInterface({ input: running.stdout })) {
    if (line.startsWith("open "))
      running.stdin.write(`${(await consent(line.slice("open ".length))).href}\n`);
    else printed.push(line);
  }
  const { exitCode, stderr } = await running;
  await emulator.close();
  expect({ exitCode, printed }, stderr).toEqual({ exitCode: 0, printed: [`done ${version}`] });
});
