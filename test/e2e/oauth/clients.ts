/** The OAuth clients of others that the nightly test lets talk to the emulator. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";

export interface OAuthClientOfOthers {
  readonly name: string;
  readonly version: string;
  readonly command: readonly string[];
  /** The ways to send a secret that are tried. */
  readonly ways: string;
}

export const clients: readonly OAuthClientOfOthers[] = [
  {
    name: "openid-client",
    version: "6.9.0",
    command: ["node", "openid-client.mjs"],
    ways: "escaped header, form",
  },
  {
    name: "simple-oauth2",
    version: "5.1.0",
    command: ["node", "simple-oauth2.mjs"],
    ways: "escaped header, plain header, form",
  },
  {
    name: "Authlib",
    version: "1.9.10",
    command: ["venv/bin/python", "authlib_client.py"],
    ways: "plain header, form",
  },
  {
    name: "golang.org/x/oauth2",
    version: "0.38.0",
    command: ["x-oauth2/story"],
    ways: "found out by itself, escaped header, form",
  },
];

/** Installs the clients, and what tells their story, into a folder. Without Go, the one in Go is missing. */
export async function installClients(folder: string, hasGo: boolean): Promise<void> {
  cpSync(join(import.meta.dirname, "clients"), folder, { recursive: true });
  const packages = ["openid-client@6.9.0", "simple-oauth2@5.1.0"];
  await execa("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages], {
    cwd: folder,
  });
  await execa("python3", ["-m", "venv", "venv"], { cwd: folder });
  await execa(join(folder, "venv/bin/pip"), ["install", "--quiet", "Authlib==1.9.10", "requests==2.34.2"]);
  if (!hasGo) return;
  const cwd = join(folder, "x-oauth2");
  const env = { GOFLAGS: "-mod=mod", GOWORK: "off" };
  await execa("go", ["mod", "tidy"], { cwd, env });
  await execa("go", ["build", "-o", "story", "."], { cwd, env });
}
