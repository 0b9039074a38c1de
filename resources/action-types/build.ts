/** BUILD and PLATFORM_CLI: run commands. */
import { emptyOrText, nameOrId, optional } from "../definition/primitives.js";
import {
  type ActionVariant,
  cachedDirs,
  containerImage,
  executeCommands,
  servicesOnly,
  setupCommands,
  type,
  workingDirectory,
} from "./fields.js";

export const build = {
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
} satisfies ActionVariant;

export const platformCli = {
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
} satisfies ActionVariant;
