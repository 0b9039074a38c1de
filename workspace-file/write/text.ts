/** Prints a document as the text of a workspace file. */
import { Document, isScalar, visit } from "yaml";
import { printOrdered } from "../format/index.js";
import { definitions } from "../../provider/index.js";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";

/**
 * Returns the document in YAML: keys in the order of `workspacectl fmt`, texts quoted where YAML (also version 1.1, which other
 * parsers still implement) would read them as something else.
 */
export function documentText(document: WorkspaceDocument): string {
  const written = new Document(document, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  visit(written, {
    Pair(_key, { key }) {
      // Unquoted, this name would be a merge key.
      if (isScalar(key) && key.value === "<<") key.type = "QUOTE_DOUBLE";
    },
  });
  return printOrdered(written, definitions);
}
