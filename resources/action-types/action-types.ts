/** The action types of the spec's table, each as a variant of one resource type. */
import { agent } from "./agent.js";
import { build, platformCli } from "./build.js";
import { cloudVm } from "./cloud-vm.js";
import type { ActionVariant } from "./fields.js";
import { chat, http, ping, sms } from "./notify.js";
import { push } from "./push.js";
import { sshCommand } from "./ssh-command.js";

export const actionTypes = {
  BUILD: build,
  PLATFORM_CLI: platformCli,
  HTTP: http,
  PING: ping,
  ...push,
  ...cloudVm,
  CHAT: chat,
  SMS: sms,
  SSH_COMMAND: sshCommand,
  AGENT: agent,
} satisfies Record<string, ActionVariant>;

/** Arguments whose form the specification does not show. */
export const anyForm: readonly string[] = Object.entries(agent.args)
  .filter(([, schema]) => schema.safeParse({}).success)
  .map(([name]) => name);
