/** Runs `workspacectl render`. */
import { readOptions } from "../../../automation/connection/file-facts.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { Io } from "../../../reports/io.js";
import { printJson, printYaml } from "../../../reports/output.js";
import { readDeclarations, renderComposed } from "../../../workspace-file/load/load.js";
import { valueText } from "../../../workspace-file/write/write.js";
import type { RenderOptions } from "./render-command.js";

/**
 * Prints a workspace file with includes, overlays, templates, defaults and placeholders resolved, except for secrets.
 * @throws {WorkspaceFileError} with all problems
 */
export function render(options: RenderOptions, io: Io): number {
  const value = renderComposed(readDeclarations(options.file, readOptions(options, io)));
  if (options.format === "json") printJson(io, value);
  else printYaml(io, valueText(value));
  return exitCodes.ok;
}
