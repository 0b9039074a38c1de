/** Exports a workspace file, or a folder with a file per project. */
import { exportedFiles, headOf } from "../files.js";
import { proven } from "../proof.js";
import type { Writer } from "../writer.js";

const main = "workspace.yaml";

export const yaml: Writer = {
  main,
  own: /\.ya?ml$/,
  patched: true,
  write: ({ document, declared, address }, split) =>
    proven(exportedFiles(main, document, split, headOf(address, declared))),
};
