/** Declares `workspacectl demo`. */
import { defineCommand } from "../command.js";

export const demoCommand = defineCommand({
  name: "demo",
  group: "Getting started",
  description: "Run a one-minute demonstration on this machine",
  example: "workspacectl demo",
  run: async () => (await import("./run.js")).runDemo,
});
