/** Options of the commands that call the service directly, without a stack. */
import { Argument, Option } from "@commander-js/extra-typings";
import { createConnectionOption, createJsonOption, createWorkspaceOption } from "./common.js";

export const createServiceOptions = () =>
  [createConnectionOption(), createWorkspaceOption(), createJsonOption()] as const;

export const createPipelineArgument = () =>
  new Argument("<project/pipeline>", "Project, and name or number of the pipeline");

export const watchOption = () =>
  new Option("--watch", "Show progress until the execution ends; exit with code 3 unless it succeeds");
