/** Reads the declarations of a workspace file, without Pulumi. */
import { maskTexts } from "../../client/index.js";
import { dropRepeated } from "../compose/compose.js";
import { createDiagnostic } from "../syntax/diagnostics.js";
import { getLocation } from "../syntax/source.js";
import { getPositionAt } from "../syntax/tree.js";
import { WorkspaceFileError } from "./errors.js";
import type { LoadedFile } from "./loaded-file.js";
import { type LoadOptions, readDocument } from "./read-document.js";
import { toDeclarations } from "./to-declarations.js";

export { createPlainDeclaration, type ResourceDeclaration } from "./resource-declaration.js";
export type { LoadedFile } from "./loaded-file.js";
export { mapRefs, Ref } from "./resolve-names.js";
export { collectNeeds } from "./dependency-order.js";
export { WorkspaceFileError } from "./errors.js";
export { hasOverlays, findOverlay } from "./files.js";
export { hideAllSecrets, hideSecrets } from "./hide-secrets.js";
export { renderComposed, withoutPlacedSecrets, withoutSecrets } from "./render.js";
export { stackNamedIn } from "./named-stack.js";
export { readDocument, ReadOnce, type ReadDocument, type LoadOptions } from "./read-document.js";

/**
 * Returns the declarations of a workspace file.
 * @param file file, folder of files, or `-` for standard input
 * @throws {WorkspaceFileError} with all problems of the file
 */
export function readDeclarations(file: string, options: LoadOptions = {}): LoadedFile {
  const { tree, sources, problems, secretFile, valueFiles } = readDocument(file, options);
  const textOf = (name: string) => sources.get(name)?.text;
  // A document that is too large is not checked further.
  if (tree === undefined || problems.some(({ code }) => code === "too-large"))
    throw new WorkspaceFileError(file, problems, textOf);
  const { problems: further, ...declared } = toDeclarations(tree);
  const hidden = further.flatMap(({ hides = [] }) => hides);
  const placed = further.map(({ path, atKey, at, code, message }) =>
    createDiagnostic(
      at ?? getPositionAt(tree, path, atKey),
      { code, message: maskTexts(message, hidden) },
      path,
    ),
  );
  const all = dropRepeated([...problems, ...placed]);
  if (all.length > 0) throw new WorkspaceFileError(file, all, textOf);
  const locate: LoadedFile["locate"] = (path, atKey) => getLocation(getPositionAt(tree, path, atKey));
  return { ...declared, tree, sources, locate, secretFile, valueFiles };
}

/** Returns the remedy when the file names another connection than the run uses. */
export function formatCredentialsHint(file: string, wanted: string, configured: string | undefined): string {
  const has = configured === undefined ? "the stack names none" : `the stack's is "${configured}"`;
  return (
    `${file} says "connection: ${wanted}", but ${has}: run "workspacectl config set workspace-automation:connection ${wanted}", ` +
    `or remove the line from the file`
  );
}
