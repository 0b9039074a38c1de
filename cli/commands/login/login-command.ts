/** Declares `workspacectl login`, `logout` and `whoami`. */
import { Option } from "@commander-js/extra-typings";
import { type OptionsOf, parseWholeNumber } from "../../options/option-values.js";
import { createConnectionOption, createServiceOptions } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const loginOptions = [
  new Option("-c, --connection <name>", "Store the credentials under this name (default: default)"),
  new Option("--base-url <url>", "Base address of the service, such as https://host/api"),
  new Option("-w, --workspace <domain>", "Workspace domain to use by default"),
  new Option("--token <how>", "Personal access token: - reads it from standard input, prompt asks for it"),
  new Option("--client-id <id>", "OAuth client to log in with"),
  new Option(
    "--client-secret <how>",
    "Client secret: - or prompt (default: WORKSPACE_AUTOMATION_CLIENT_SECRET, or the stored one)",
  ),
  new Option("--client-credentials", "Log in as the client itself, without a user's consent"),
  new Option(
    "--authorize-url <url>",
    "Address of the consent page, which the service's API does not provide",
  ),
  new Option("--scopes <list>", "Scopes to request, separated by commas (default: those workspacectl uses)"),
  new Option("--port <n>", "Port of the redirect address http://127.0.0.1:PORT/callback").argParser(
    parseWholeNumber(0, 65535),
  ),
  new Option("--no-browser", "Print the address of the consent page, and ask for the code"),
  new Option("--profile <file>", "How this service behaves (see probe --save-profile)"),
  new Option("--allow-insecure", "Allow http:// to another machine"),
] as const;

export type LoginOptions = OptionsOf<typeof loginOptions>;

export const loginCommand = defineCommand({
  name: "login",
  group: "Getting started",
  description: "Store credentials for a connection: a personal access token or an OAuth login",
  options: loginOptions,
  example: "workspacectl login --connection us --base-url https://host/api",
  run: async () => (await import("./run-login.js")).login,
});

const logoutOptions = [
  createConnectionOption(),
  new Option("--local", "Remove the credentials without revoking the tokens"),
] as const;

export type LogoutOptions = OptionsOf<typeof logoutOptions>;

export const logoutCommand = defineCommand({
  name: "logout",
  group: "Getting started",
  description: "Revoke the tokens of a connection and remove its stored credentials",
  options: logoutOptions,
  example: "workspacectl logout --connection us",
  run: async () => (await import("./run-login.js")).logout,
});

export type WhoamiOptions = OptionsOf<ReturnType<typeof createServiceOptions>>;

export const whoamiCommand = defineCommand({
  name: "whoami",
  group: "Getting started",
  description: "Show the current user, connection, workspace, scopes and remaining requests",
  options: createServiceOptions(),
  example: "workspacectl whoami --connection us",
  run: async () => (await import("./whoami.js")).runWhoami,
});
