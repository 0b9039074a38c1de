/** Declares `workspacectl completion`. */
import { Argument } from "@commander-js/extra-typings";
import { defineCommand } from "../command.js";
import { completionShells } from "./scripts.js";

export const completionCommand = defineCommand({
  name: "completion",
  group: "Stacks and tools",
  description: "Print a completion script for a shell",
  arguments: { shell: new Argument("<shell>", "Shell").choices(completionShells) },
  example: 'eval "$(workspacectl completion bash)"',
  run: async () => (await import("./run.js")).runCompletion,
});

/** The completion scripts call it at every TAB. */
export const completeCommand = defineCommand({
  name: "complete",
  hidden: true,
  description: "",
  arguments: { words: new Argument("[words...]") },
  run: async () => (await import("./run.js")).complete,
});
