/** Declares `workspacectl doctor`. */
import { createConnectionOption, createJsonOption } from "../../options/common.js";
import { defineCommand } from "../command.js";

export const doctorCommand = defineCommand({
  name: "doctor",
  group: "Getting started",
  description: "Check the installation and the connection, and suggest how to fix problems",
  options: [createConnectionOption(), createJsonOption()],
  example: "workspacectl doctor --connection us",
  run: async () => (await import("./run.js")).diagnose,
});
