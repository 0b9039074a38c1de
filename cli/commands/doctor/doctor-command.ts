/** Declares `workspacectl doctor`. */
import type { OptionsOf } from "../../options/option-values.js";
import { createConnectionOption, createJsonOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [createConnectionOption(), createJsonOption()] as const;

export type DiagnoseOptions = OptionsOf<typeof options>;

export const doctorCommand = defineCommand({
  name: "doctor",
  group: "Getting started",
  description: "Check the installation and the connection, and suggest how to fix problems",
  options,
  example: "workspacectl doctor --connection us",
  run: async () => (await import("./run-doctor.js")).diagnose,
});
