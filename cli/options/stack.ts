/** Options of the commands that run Pulumi's engine on a workspace file and its stack. */
import {
  createConnectionOption,
  createEngineOption,
  createJsonOption,
  createQuietOption,
  stackOption,
} from "./common.js";
import { createFileOptions } from "./document.js";

export const createEngineOptions = () =>
  [
    ...createFileOptions(),
    stackOption(),
    createConnectionOption(),
    createEngineOption(),
    createQuietOption(),
    createJsonOption(),
  ] as const;
