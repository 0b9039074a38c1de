/** All commands, in the order of the help: by group, and within a group in the order in which they are needed. */
import { accessCommand } from "./access/access-command.js";
import { adoptCommand } from "./adopt/adopt-command.js";
import { compareCommand } from "./compare/compare-command.js";
import { completeCommand, completionCommand } from "./completion/completion-command.js";
import type { CommandDefinition } from "./define-command.js";
import { destroyCommand } from "./destroy/destroy-command.js";
import { doctorCommand } from "./doctor/doctor-command.js";
import { driftCommand } from "./drift/drift-command.js";
import { demoCommand, emulatorCommand } from "./emulator/emulator-command.js";
import { executionsCommand, runCommand } from "./executions/executions-command.js";
import { exportCommand } from "./export/export-command.js";
import { fleetCommand } from "./fleet/fleet-command.js";
import { fmtCommand } from "./fmt/fmt-command.js";
import { graphCommand } from "./graph/graph-command.js";
import { historyCommand } from "./history/history-command.js";
import { importCommand } from "./import/import-command.js";
import { initCommand } from "./init/init-command.js";
import { lintCommand, validateCommand } from "./lint/lint-command.js";
import { loginCommand, logoutCommand, whoamiCommand } from "./login/login-command.js";
import { oauthClientCommand } from "./oauth-client/oauth-client-command.js";
import { ownersCommand } from "./owners/owners-command.js";
import { pluginCommand } from "./plugin/plugin-command.js";
import { previewCommand } from "./preview/preview-command.js";
import { probeCommand } from "./probe/probe-command.js";
import { refreshCommand } from "./refresh/refresh-command.js";
import { renderCommand } from "./render/render-command.js";
import { replicateCommand } from "./replicate/replicate-command.js";
import { sandboxCommand } from "./sandbox/sandbox-command.js";
import { schemaCommand } from "./schema/schema-command.js";
import { configCommand, pulumiCommand, stackCommand } from "./stack/stack-command.js";
import { outputCommand, stateCommand } from "./state/state-command.js";
import { upCommand } from "./up/up-command.js";
import { versionCommand } from "./version/version-command.js";
import { whatRunsCommand } from "./what-runs/what-runs-command.js";

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
