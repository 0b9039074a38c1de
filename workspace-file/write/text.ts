/** Prints a document as the text of a workspace file. */
import { Document, isScalar, visit } from "yaml";
import { definitions } from "../../resources/index.js";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";
import { printOrdered } from "../format/format.js";
import { asWritten } from "../format/print-document.js";

/**
 * Returns the document in YAML: keys in the order of `workspacectl fmt`, texts quoted where YAML (also version 1.1, which other
 * parsers still implement) would read them as something else.
 */
export function documentText(document: WorkspaceDocument): string {
  return printOrdered(createDocument(document), definitions);
}

/** Returns any value in YAML, with the same quotes. */
export function valueText(value: unknown): string {
  return createDocument(value).toString({ lineWidth: 0 });
}

function createDocument(value: unknown): Document {
  const options = { aliasDuplicateObjects: false, compat: "yaml-1.1", customTags: asWritten } as const;
  const written = new Document(value, options);
  visit(written, {
    Pair(_key, { key }) {
      // Unquoted, this name would be a merge key.
      if (isScalar(key) && key.value === "<<") key.type = "QUOTE_DOUBLE";
    },
  });
  return written;
}
