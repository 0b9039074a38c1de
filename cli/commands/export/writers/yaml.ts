/** Exports a workspace file, or a folder with a file per project. */
import { createExportedFiles, formatHeadOf } from "../divide-document.js";
import { proveExport } from "../lint-exported.js";
import type { Writer } from "../writer.js";

const main = "workspace.yaml";

export const yaml: Writer = {
  main,
  own: /\.ya?ml$/,
  patched: true,
  write: ({ document, declared, address }, split) =>
    proveExport(createExportedFiles(main, document, split, formatHeadOf(address, declared))),
};
