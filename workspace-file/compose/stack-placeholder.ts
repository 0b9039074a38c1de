/** Texts with a special meaning for Pulumi's engine, which cannot be passed to it as plain texts. */
import { createDiagnostic, type Diagnostic } from "../syntax/diagnostics.js";
import type { Position } from "../syntax/source.js";
import type { Tree } from "../syntax/tree.js";

/** The engine's marks for an unknown string, boolean, number, list, asset, archive and map. */
const UNKNOWNS = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Key that distinguishes a secret, an asset or a resource from a map. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Reports every such text in a document. Shared parts are reported once. */
export function listEngineWords(tree: Tree): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const visited = new Set<Tree>();
  const found = (at: Position, text: string, meaning: string) => {
    const message = `"${text}" stands for ${meaning} in Pulumi's engine: use another string`;
    problems.push(createDiagnostic(at, { code: "not-allowed-value", message }));
  };
  const visit = (part: Tree) => {
    if (visited.has(part)) return;
    visited.add(part);
    if (part.kind === "list") part.items.forEach(visit);
    if (part.kind === "map") {
      for (const [key, member] of part.entries) {
        if (key === SIGNATURE) found(member.key, key, "a secret or a file");
        if (UNKNOWNS.has(key)) found(member.key, key, "a value that is not known yet");
        visit(member.value);
      }
    }
    if (part.kind === "leaf" && typeof part.value === "string" && UNKNOWNS.has(part.value))
      found(part.at, part.value, "a value that is not known yet");
  };
  visit(tree);
  return problems;
}
