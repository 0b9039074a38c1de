/** Options of the commands that run Pulumi's engine on a workspace file and its stack. */
import { connectionOption, engineOption, jsonOption, quietOption, stackOption } from "./common.js";
import { fileOptions } from "./document.js";

export const engineOptions = () => [
  ...fileOptions(),
  stackOption(),
  connectionOption(),
  engineOption(),
  quietOption(),
  jsonOption(),
];
