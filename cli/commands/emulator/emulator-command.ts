/** Declares `workspacectl emulator`, and `demo`, which shows other commands on it. */
import { Option } from "@commander-js/extra-typings";
import { type OptionsOf, parseWholeNumber } from "../../options/option-values.js";
import { defineCommand } from "../define-command.js";

const options = [
  new Option("--port <n>", "TCP port; 0 picks a free one").argParser(parseWholeNumber(0, 65535)).default(0),
  new Option("--host <address>", "Address to listen on").default("127.0.0.1"),
  new Option("--data <dir>", "Store all data in this folder (default: in memory)"),
  new Option("--seed <file>", "Initial content for the first start, as YAML or JSON"),
  new Option(
    "--token <text>",
    "Access token to accept (default: a random one, which other users of this machine do not see)",
  ),
  new Option("--latency <ms>", "Delay each response").argParser(parseWholeNumber(0)),
  new Option("--rate-limit <n>", "Requests per user and hour (default: 5000)").argParser(parseWholeNumber(1)),
  new Option("--base-path <path>", "Path prefix of the API, such as /api"),
  new Option("--profile <file>", "Behave like the service of this profile (see probe --save-profile)"),
  new Option(
    "--profile-seed <n>",
    "Behave like a random service that the specification allows; the same number, the same service",
  ).argParser(parseWholeNumber(0)),
  new Option("--strict", "Reject request fields that the service does not know"),
  new Option("--public-origin <url>", "Address that clients use, if the emulator listens on another one"),
  new Option("--control", "Serve the control API under /_control: clock, faults, journal, settings"),
  new Option(
    "--key <text>",
    "Require this key for the web pages and /_control (default: none on this machine; random where other machines can connect)",
  ),
  new Option("--json", "Print one line of JSON when ready: baseUrl, token, workspace, webUrl, key, behavior"),
] as const;

export type EmulatorCommandOptions = OptionsOf<typeof options>;

export const emulatorCommand = defineCommand({
  name: "emulator",
  group: "Getting started",
  description: "Run an emulator of the service on this machine, for experiments and tests",
  options,
  example: "workspacectl emulator --port 8080 --data ./emulator-data",
  run: async () => (await import("./run-emulator.js")).runEmulator,
});

export const demoCommand = defineCommand({
  name: "demo",
  group: "Getting started",
  description: "Run a one-minute demonstration on this machine",
  example: "workspacectl demo",
  run: async () => (await import("./demo.js")).runDemo,
});
