/** The action types of the spec's table, each as a variant of one resource type. */
import { z } from "zod";
import {
  agentTriggerTime,
  choice,
  emptyOrText,
  flag,
  lines,
  nameOrId,
  only,
  opaqueObject,
  optional,
  text,
} from "../../definition/primitives.js";
import { port, requestAddress } from "../../definition/formats.js";
import { nonSecretArg } from "../../definition/define-resource.js";
import type { Fields } from "../../definition/definition.js";
import { UNKNOWN } from "../../../diff/values.js";
import { agent } from "./agent.js";
import { cloudVm } from "./cloud-vm.js";
import {
  cachedDirs,
  containerImage,
  executeCommands,
  notification,
  password,
  servicesOnly,
  setupCommands,
  shells,
  type,
  workingDirectory,
  type ActionVariant,
  type ModeName,
} from "./fields.js";
import { push } from "./push.js";

const header = z.strictObject({
  name: text.describe("Name of the header.").meta({ examples: ["Content-Type"] }),
  value: z
    .string()
    .describe("Value of the header.")
    .meta({ examples: ["application/json"] }),
});

export const actionTypes = {
  BUILD: {
    chosen: { type: "BUILD" },
    description: "Runs commands in a container.",
    args: {
      type: type("BUILD"),
      ...containerImage,
      executeCommands,
      cachedDirs,
      workingDirectory,
      setupCommands,
      ...servicesOnly,
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
      applicationName: optional(emptyOrText, "Application for which the commands run."),
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
      method: optional(emptyOrText, "Method of the request, such as GET or POST."),
      notificationUrl: requestAddress.describe("Address of the request."),
      port: optional(port, "Port of the request, if it is not that of the address.", 8443),
      headers: optional(z.array(header), "Headers of the request."),
      ...notification,
      timeout: optional(z.int().min(0).max(600), "Seconds to wait for the response, 0 to 600."),
      login: optional(emptyOrText, "User for basic authentication.", "monitor"),
      password: optional(emptyOrText, "Password for basic authentication.", "${env:MONITOR_PASSWORD}"),
    },
    examples: {
      create: { type: "HTTP", notificationUrl: "https://hooks.example.com/deployed", method: "POST" },
      update: { timeout: 30, headers: [{ name: "X-Source", value: "pipeline" }] },
      outside: { notificationUrl: "https://elsewhere.example.com" },
    },
  },
  PING: {
    chosen: { type: "PING" },
    description: "Checks that a host responds.",
    args: { type: type("PING"), destination: text.describe("Host name, address or web address.") },
    examples: {
      create: { type: "PING", destination: "shop.example.com" },
      update: { destination: "www.example.com" },
      outside: { destination: "other.example.com" },
    },
  },
  ...push,
  ...cloudVm,
  CHAT: {
    chosen: { type: "CHAT" },
    notifies: true,
    description: "Sends a message to a chat channel.",
    args: {
      type: type("CHAT"),
      channel: text.describe("Id of the channel."),
      integration: nameOrId.describe("Integration of the calling user: its name or number."),
      ...notification,
      attachments: optional(lines, "Attachments of the message."),
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
      ignoreErrors: flag("Go on when a command fails."),
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

/** Any other type. The spec mentions further types without their fields. */
export const otherType = {
  description:
    "An action of a type that this library does not know, or of a known type in an unknown mode. Its fields are sent to the " +
    "service unchanged.",
  args: {
    triggerTime: agentTriggerTime.describe("When in a run the action is carried out."),
    type: text.describe("Type of the action, as the service names it.").meta({ examples: ["CUSTOM_SCAN"] }),
    integration: optional(
      nameOrId,
      "Integration of the calling user, for types that use one: its name or number.",
      "chat-main",
    ),
    fields: opaqueObject.describe("Fields of the action, under the service's own names (snake_case)."),
    nonSecret: nonSecretArg("fields"),
  },
  examples: {
    create: { type: "CUSTOM_SCAN", fields: { scan_target: "src" } },
    update: { fields: { scan_target: "src", scan_depth: 3 } },
    outside: { fields: { scan_target: "elsewhere" } },
  },
};

const known: readonly (readonly [string, ActionVariant])[] = Object.entries(actionTypes);
const knownTypes = [...new Set(known.map(([, { chosen }]) => chosen.type))];

export const OTHER = "other";

/** Arguments whose form the specification does not show. */
export const anyForm: readonly string[] = Object.entries(agent.args)
  .filter(([, schema]) => schema.safeParse({}).success)
  .map(([name]) => name);

/** Arguments that distinguish the variants of one type. */
export const modes: readonly ModeName[] = [
  ...new Set(known.flatMap(([, { chosen }]) => chosen.mode?.name ?? [])),
];

/** The name of the variant that the arguments choose; undefined while they choose none. */
export function selectActionType(args: Fields): string | undefined {
  const { type, fields } = args;
  if (typeof type !== "string" || type === "" || type === UNKNOWN) return undefined;
  const ofType = variantsOf(type);
  if (ofType.length === 0) return OTHER;
  // The specification does not show every mode of these types.
  if (ofType.some(([, { chosen }]) => chosen.mode) && fields !== undefined) return OTHER;
  const [only, ...others] = ofType;
  if (only && others.length === 0) return only[0];
  return ofType.find(
    ([
      ,
      {
        chosen: { mode },
      },
    ]) => mode === undefined || args[mode.name] === mode.value,
  )?.[0];
}

/** The argument that chooses among the variants of a type, and its values. */
export function missingMode(
  type: string,
): { readonly name: ModeName; readonly values: string[] } | undefined {
  const found = variantsOf(type).flatMap(([, { chosen }]) => chosen.mode ?? []);
  const [first] = found;
  return first && { name: first.name, values: found.flatMap(({ value }) => value ?? []) };
}

function variantsOf(type: string): (typeof known)[number][] {
  return known.filter(([, { chosen }]) => chosen.type === type);
}

export function isNotification({ type }: { readonly type?: unknown }): boolean {
  return known.some(([, variant]) => variant.notifies === true && variant.chosen.type === type);
}

/** The known types. A type that is similar to one of them is probably misspelled. */
export function knownActionTypes(): readonly string[] {
  return knownTypes;
}
