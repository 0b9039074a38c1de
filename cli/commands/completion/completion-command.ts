/** Declares `workspacectl completion`. */
import { Argument } from "@commander-js/extra-typings";
import { defineCommand } from "../define-command.js";

const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

export const completionCommand = defineCommand({
  name: "completion",
  group: "Stacks and tools",
  description: "Print a completion script for a shell",
  arguments: { shell: new Argument("<shell>", "Shell").choices(shells) },
  example: 'eval "$(workspacectl completion bash)"',
  run: async () => (await import("./run-completion.js")).runCompletion,
});

/** The completion scripts call it at every TAB. */
export const completeCommand = defineCommand({
  name: "complete",
  hidden: true,
  description: "",
  arguments: { words: new Argument("[words...]") },
  run: async () => (await import("./run-completion.js")).complete,
});
