/** Declares `workspacectl probe`. */
import { Option } from "@commander-js/extra-typings";
import { formatOption } from "../../options/formats.js";
import type { OptionsOf } from "../../options/option-values.js";
import {
  createConnectionOption,
  createJsonOption,
  createOutputOption,
  createWorkspaceOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const formats = ["text", "json", "markdown"] as const;

export type ProbeFormat = (typeof formats)[number];

const options = [
  createConnectionOption(),
  createWorkspaceOption(),
  new Option("--write", "Also check what takes a change, in a scratch project that is removed afterwards"),
  new Option("--project <name>", "Name of the scratch project: a new one, or an empty one"),
  new Option(
    "--save-profile <file>",
    "Write what was measured to this file, for connections and the emulator",
  ),
  new Option("--compare <connection...>", "Check two connections, and show where they behave differently"),
  formatOption(formats),
  createJsonOption(),
  createOutputOption(),
] as const;

export type ProbeOptions = OptionsOf<typeof options>;

export const probeCommand = defineCommand({
  name: "probe",
  group: "Getting started",
  description: "Check what the service does where its specification is silent, and save it as a profile",
  options,
  example: "workspacectl probe --connection us --save-profile us.profile.json",
  run: async () => (await import("./run-probe.js")).probe,
});
