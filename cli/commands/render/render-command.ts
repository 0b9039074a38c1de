/** Declares `workspacectl render`. */
import { Option } from "@commander-js/extra-typings";
import { createDocumentOptions } from "../../options/document.js";
import type { OptionsOf } from "../../options/option-values.js";
import { defineCommand } from "../define-command.js";

const options = [
  ...createDocumentOptions(),
  new Option("--format <format>", "Output format").choices(["yaml", "json"]).default("yaml"),
] as const;

export type RenderOptions = OptionsOf<typeof options>;

export const renderCommand = defineCommand({
  name: "render",
  group: "Common commands",
  description: "Print the file with includes, overlays, templates, defaults and placeholders resolved",
  options,
  example: "workspacectl render -f workspace.yaml --stack eu",
  run: async () => (await import("./run-render.js")).render,
});
