/** Defines `drift-ignore.yaml`: known findings that are suppressed, each with its reason. */
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { getValue, type Tree } from "../../../workspace-file/index.js";
import { locateBeside } from "../../config-files/yaml-file.js";
import { readSuppressionFile, type SuppressionEntry } from "../../reporters/suppressions.js";

/** Classes that can be ignored. Deletions are always reported. */
export const ignorable = ["changed", "added", "pending", "unverifiable"] as const;

export const driftIgnoreFile = readSuppressionFile({
  noun: "ignore file",
  option: "--ignore",
  list: ["ignore", "What is ignored."],
  meta: { title: "Ignored drift", description: "Findings of `workspacectl drift` that are not reported." },
  classes: ignorable,
  usual: "all but deleted, which cannot be ignored",
  explain: explainDeleted,
});

/** Reads the named file, or the one next to the workspace file if it exists. */
export function readIgnoreFile(named: string | undefined, workspaceFile: string): SuppressionEntry[] {
  return driftIgnoreFile.read(named, locateBeside(workspaceFile, "drift-ignore.yaml"));
}

function explainDeleted(tree: Tree, path: PropertyPath): string {
  if (!path.includes("class")) return "";
  const written = JSON.stringify(getValue(tree));
  return written.includes('"deleted"') ? ". Deletions cannot be ignored" : "";
}
