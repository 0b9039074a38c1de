/** SSH_COMMAND: runs commands on a server. */
import { port } from "../definition/formats.js";
import { choice, flag, lines, only, text } from "../definition/primitives.js";
import { type ActionVariant, password, shells, type, workingDirectory } from "./fields.js";

export const sshCommand = {
  chosen: { type: "SSH_COMMAND", mode: { name: "authenticationMode", value: "PASS" } },
  description: "Runs commands on a server over SSH.",
  args: {
    type: type("SSH_COMMAND"),
    authenticationMode: only("PASS", "With a password.").describe("How the action authenticates."),
    commands: lines.min(1).describe("Commands, run one after the other."),
    host: text.describe("Host name or address of the server."),
    login: text.describe("User on the server."),
    password,
    port: port.describe("Port of the SSH server."),
    runAsScript: flag("Run all commands as one script."),
    shell: choice(shells).optional().describe("Shell that runs the commands.").meta({ default: "BASH" }),
    workingDirectory,
    ignoreErrors: flag("Continue when a command fails."),
  },
  examples: {
    create: {
      type: "SSH_COMMAND",
      authenticationMode: "PASS",
      commands: ["systemctl restart web"],
      host: "vm.example.com",
      login: "deploy",
      password: "ssh-password",
      port: 22,
    },
    update: { shell: "SH", runAsScript: true },
    outside: { commands: ["true"] },
  },
} satisfies ActionVariant;
