/** Options of the commands that call the service directly, without a stack. */
import { Argument, Option } from "commander";
import { connectionOption, jsonOption, workspaceOption } from "./common.js";

export const serviceOptions = () => [connectionOption(), workspaceOption(), jsonOption()];

export const pipelineArgument = () =>
  new Argument("<project/pipeline>", "Project, and name or number of the pipeline");

export const watchOption = () =>
  new Option("--watch", "Show progress until the execution ends; exit with code 3 unless it succeeds");
