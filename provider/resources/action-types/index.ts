/** The action types of the spec's table, as variants of one resource type: an entry each. */
import { z } from "zod";
import { lines, nameOrId, opaqueObject, port, text } from "../../../schema/index.js";
import type { Fields, Variants } from "../../definition.js";
import { agent } from "./agent.js";
import { containerImage, executeCommands, notification, pushOptions, virtualMachine } from "./fields.js";

type ActionVariant = Variants["of"][string] & {
  /** Values that choose this variant; the first is the value of `type`. */
  readonly chosen: Fields;
  /** Sends a message: with ON_FAILURE it has to say whether only for the first failure (spec, Actions). */
  readonly notifies?: boolean;
};

const type = (value: string) => z.literal(value).describe("What the action does.");
const pushUrl = text.describe("Address of the Git repository that is pushed to.");

export const actionTypes = {
  BUILD: {
    chosen: { type: "BUILD" },
    description: "Runs commands in a container.",
    args: {
      type: type("BUILD"),
      ...containerImage,
      executeCommands,
      cachedDirs: lines.optional().describe("Directories kept between runs."),
      workingDirectory: z.string().optional().describe("Directory the commands run in."),
      setupCommands: lines.optional().describe("Commands run only the first time."),
      services: z
        .array(z.unknown())
        .optional()
        .describe("Services attached to the container, as the service writes them."),
    },
    examples: {
      create: {
        type: "BUILD",
        containerImageName: "node",
        containerImageTag: "22",
        executeCommands: ["npm test"],
      },
      update: { executeCommands: ["npm ci", "npm test"], workingDirectory: "/app" },
      outside: { containerImageTag: "18" },
    },
  },
  PLATFORM_CLI: {
    chosen: { type: "PLATFORM_CLI" },
    description: "Runs commands of a platform's command line.",
    args: {
      type: type("PLATFORM_CLI"),
      executeCommands,
      integration: nameOrId.describe("Integration of the calling user: its name or number."),
      applicationName: z.string().optional().describe("Application the commands are for."),
    },
    examples: {
      create: { type: "PLATFORM_CLI", executeCommands: ["apps:restart"], integration: "platform-cli" },
      update: { applicationName: "shop" },
      outside: { applicationName: "other" },
    },
  },
  HTTP: {
    chosen: { type: "HTTP" },
    notifies: true,
    description: "Sends an HTTP request.",
    args: {
      type: type("HTTP"),
      notificationUrl: text.describe("Address the request goes to."),
      port: port.optional().describe("Port."),
      ...notification,
      headers: z
        .array(z.strictObject({ name: text, value: z.string() }))
        .optional()
        .describe("Headers of the request."),
      method: z.string().optional().describe("Method of the request."),
      timeout: z.int().min(0).max(600).optional().describe("Seconds to wait for the answer, 0 to 600."),
      login: z.string().optional().describe("User for basic authentication."),
      password: z.string().optional().describe("Password for basic authentication."),
    },
    examples: {
      create: { type: "HTTP", notificationUrl: "https://hooks.example.com/deployed", method: "POST" },
      update: { timeout: 30, headers: [{ name: "X-Source", value: "pipeline" }] },
      outside: { notificationUrl: "https://elsewhere.example.com" },
    },
  },
  PING: {
    chosen: { type: "PING" },
    description: "Checks that a host answers.",
    args: { type: type("PING"), destination: text.describe("Host or address.") },
    examples: {
      create: { type: "PING", destination: "shop.example.com" },
      update: { destination: "www.example.com" },
      outside: { destination: "other.example.com" },
    },
  },
  "PUSH (password)": {
    chosen: { type: "PUSH", gitAuthMode: undefined },
    description: "Pushes to a Git repository, with a password or none.",
    args: {
      type: type("PUSH"),
      pushUrl,
      login: z.string().optional().describe("User."),
      password: z.string().optional().describe("Password."),
      ...pushOptions,
    },
    examples: {
      create: {
        type: "PUSH",
        pushUrl: "https://git.example.com/web.git",
        login: "bot",
        password: "push-password",
      },
      update: { targetBranch: "live", withoutForce: true },
      outside: { targetBranch: "other" },
    },
  },
  "PUSH (private key)": {
    chosen: { type: "PUSH", gitAuthMode: "PRIVATE_KEY" },
    description: "Pushes to a Git repository, with a private key.",
    args: {
      type: type("PUSH"),
      gitAuthMode: z.literal("PRIVATE_KEY").describe("How the push authenticates."),
      pushUrl,
      serverKey: text.describe("Private key."),
      passphrase: z.string().optional().describe("Passphrase of the private key."),
      ...pushOptions,
    },
    examples: {
      create: {
        type: "PUSH",
        gitAuthMode: "PRIVATE_KEY",
        pushUrl: "git@git.example.com:web.git",
        serverKey: "PRIVATE",
      },
      update: { pushTags: true },
      outside: { pushUrl: "git@elsewhere.example.com:web.git" },
    },
  },
  "PUSH (key in variable)": {
    chosen: { type: "PUSH", gitAuthMode: "ENV_KEY" },
    description: "Pushes to a Git repository, with a private key held in a variable.",
    args: {
      type: type("PUSH"),
      gitAuthMode: z.literal("ENV_KEY").describe("How the push authenticates."),
      pushUrl,
      envKey: text.describe("Name of the variable that holds the key."),
      passphrase: z.string().optional().describe("Passphrase of the private key."),
      ...pushOptions,
    },
    examples: {
      create: {
        type: "PUSH",
        gitAuthMode: "ENV_KEY",
        pushUrl: "git@git.example.com:web.git",
        envKey: "DEPLOY_KEY",
      },
      update: { envKey: "OTHER_KEY" },
      outside: { envKey: "STRANGE_KEY" },
    },
  },
  "CLOUD_VM (key in variable)": {
    chosen: { type: "CLOUD_VM", authenticationMode: "ENV_KEY" },
    description: "Sends files to a virtual machine, with a private key held in a variable.",
    args: {
      type: type("CLOUD_VM"),
      authenticationMode: z.literal("ENV_KEY").describe("How the action authenticates."),
      envKey: text.describe("Name of the variable that holds the key."),
      ...virtualMachine,
    },
    examples: {
      create: {
        type: "CLOUD_VM",
        authenticationMode: "ENV_KEY",
        host: "vm.example.com",
        login: "deploy",
        port: 22,
        envKey: "DEPLOY_KEY",
      },
      update: { remotePath: "/srv/web", port: "2222" },
      outside: { host: "other.example.com" },
    },
  },
  "CLOUD_VM (key and password)": {
    chosen: { type: "CLOUD_VM", authenticationMode: "PRIVATE_KEY_AND_PASS" },
    description: "Sends files to a virtual machine, with a private key and a password.",
    args: {
      type: type("CLOUD_VM"),
      authenticationMode: z.literal("PRIVATE_KEY_AND_PASS").describe("How the action authenticates."),
      password: text.describe("Password of the user."),
      serverKey: text.describe("Private key."),
      ...virtualMachine,
    },
    examples: {
      create: {
        type: "CLOUD_VM",
        authenticationMode: "PRIVATE_KEY_AND_PASS",
        host: "vm.example.com",
        login: "deploy",
        port: "22",
        password: "vm-password",
        serverKey: "PRIVATE",
      },
      update: { inputType: "BUILD_ARTIFACTS", localPath: "dist" },
      outside: { login: "root" },
    },
  },
  CHAT: {
    chosen: { type: "CHAT" },
    notifies: true,
    description: "Sends a message to a chat channel.",
    args: {
      type: type("CHAT"),
      channel: text.describe("Id of the channel."),
      integration: nameOrId.describe("Integration of the calling user: its name or number."),
      ...notification,
      attachments: lines.optional().describe("Attachments of the message."),
    },
    examples: {
      create: { type: "CHAT", channel: "C01", integration: "chat-main", content: "Deployed" },
      update: { content: "Deployed again", attachments: ["log"] },
      outside: { channel: "C99" },
    },
  },
  SMS: {
    chosen: { type: "SMS" },
    notifies: true,
    description: "Sends text messages.",
    args: { type: type("SMS"), recipients: text.describe("Phone numbers, one per line."), ...notification },
    examples: {
      create: { type: "SMS", recipients: "+15550100", content: "Failed" },
      update: { recipients: "+15550100\n+15550101" },
      outside: { content: "Changed by hand" },
    },
  },
  SSH_COMMAND: {
    chosen: { type: "SSH_COMMAND" },
    description: "Runs commands on a server over SSH.",
    args: {
      type: type("SSH_COMMAND"),
      authenticationMode: z.literal("PASS").describe("How the action authenticates."),
      commands: lines.min(1).describe("Commands."),
      host: text.describe("Host name or address of the server."),
      login: text.describe("User on the server."),
      password: text.describe("Password of the user."),
      port: port.describe("Port of the SSH server."),
      runAsScript: z.boolean().optional().describe("Run all commands as one script instead of one by one."),
      shell: z.enum(["SH", "BASH"]).optional().describe("Shell that runs the commands. Default: BASH."),
      workingDirectory: z.string().optional().describe("Directory the commands run in."),
      ignoreErrors: z.boolean().optional().describe("Go on when a command fails."),
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
  },
  AGENT: agent,
} satisfies Record<string, ActionVariant>;

/** Any other type: the spec says there are more and does not show their fields. */
export const otherType = {
  description:
    "An action of a type this library does not know. Its fields are passed to the service untouched.",
  args: {
    type: text.describe("Type, in the service's words."),
    fields: opaqueObject.describe("Fields of the action, under the service's own names (snake_case)."),
  },
  examples: {
    create: { type: "CUSTOM_SCAN", fields: { scan_target: "src" } },
    update: { fields: { scan_target: "src", scan_depth: 3 } },
    outside: { fields: { scan_target: "elsewhere" } },
  },
};

const known: readonly (readonly [string, ActionVariant])[] = Object.entries(actionTypes);
const knownTypes = [...new Set(known.map(([, variant]) => String(variant.chosen["type"])))];

export const OTHER = "other";

/** Name of the variant that the arguments choose. */
export function selectActionType(args: Fields, isUnknown: (value: unknown) => boolean): string | undefined {
  const type = args["type"];
  if (typeof type !== "string" || type === "" || isUnknown(type)) return undefined;
  const ofType = known.filter(([, variant]) => variant.chosen["type"] === type);
  if (ofType.length === 0) return OTHER;
  const only = ofType.length === 1 ? ofType[0] : undefined;
  if (only) return only[0];
  return ofType.find(([, { chosen }]) =>
    Object.entries(chosen).every(([name, value]) => args[name] === value),
  )?.[0];
}

export function isNotification(args: Fields): boolean {
  return known.some(([, variant]) => variant.notifies === true && variant.chosen["type"] === args["type"]);
}

/** The types a misspelled one could have meant: a passthrough takes anything, so a near miss is worth a word. */
export function knownActionTypes(): readonly string[] {
  return knownTypes;
}
