/** `workspacectl version`. */
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { print } from "../../../reports/io.js";
import { readVersion } from "../../../toolchain/locations.js";
import { defineCommand } from "../define-command.js";

export const versionCommand = defineCommand({
  name: "version",
  group: "Stacks and tools",
  description: "Print the version",
  example: "workspacectl version",
  run: () =>
    Promise.resolve((_options, io) => {
      print(io, readVersion());
      return exitCodes.ok;
    }),
});
