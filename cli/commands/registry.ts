/** All commands, in the order of the help: by group, and within a group in the order in which they are needed. */
import { accessCommand } from "./access/command.js";
import { adoptCommand } from "./adopt/command.js";
import type { CommandDefinition } from "./command.js";
import { compareCommand } from "./compare/command.js";
import { completeCommand, completionCommand } from "./completion/command.js";
import { destroyCommand } from "./destroy/command.js";
import { doctorCommand } from "./doctor/command.js";
import { driftCommand } from "./drift/command.js";
import { demoCommand, emulatorCommand } from "./emulator/command.js";
import { executionsCommand, runCommand } from "./executions/command.js";
import { exportCommand } from "./export/command.js";
import { fleetCommand } from "./fleet/command.js";
import { fmtCommand } from "./fmt/command.js";
import { graphCommand } from "./graph/command.js";
import { historyCommand } from "./history/command.js";
import { importCommand } from "./import/command.js";
import { initCommand } from "./init/command.js";
import { lintCommand, validateCommand } from "./lint/command.js";
import { loginCommand, logoutCommand, whoamiCommand } from "./login/command.js";
import { oauthClientCommand } from "./oauth-client/command.js";
import { ownersCommand } from "./owners/command.js";
import { pluginCommand } from "./plugin/command.js";
import { previewCommand } from "./preview/command.js";
import { probeCommand } from "./probe/command.js";
import { refreshCommand } from "./refresh/command.js";
import { renderCommand } from "./render/command.js";
import { replicateCommand } from "./replicate/command.js";
import { sandboxCommand } from "./sandbox/command.js";
import { schemaCommand } from "./schema/command.js";
import { configCommand, pulumiCommand, stackCommand } from "./stack/command.js";
import { outputCommand, stateCommand } from "./state/command.js";
import { upCommand } from "./up/command.js";
import { versionCommand } from "./version/command.js";
import { whatRunsCommand } from "./what-runs/command.js";

export const commands: readonly CommandDefinition[] = [
  ...[initCommand, adoptCommand, loginCommand, logoutCommand, whoamiCommand],
  ...[demoCommand, emulatorCommand, doctorCommand, probeCommand],
  ...[validateCommand, lintCommand, fmtCommand, renderCommand, graphCommand, whatRunsCommand, accessCommand],
  ...[previewCommand, upCommand, refreshCommand, destroyCommand],
  ...[driftCommand, historyCommand],
  ...[exportCommand, importCommand, compareCommand, replicateCommand, fleetCommand, ownersCommand],
  ...[runCommand, executionsCommand, sandboxCommand, oauthClientCommand],
  ...[stackCommand, stateCommand, outputCommand, configCommand, pulumiCommand, pluginCommand],
  ...[schemaCommand, completionCommand, versionCommand],
  completeCommand,
];
