/**
 * The program of this repository's Pulumi.yaml: loads the workspace file that the stack's configuration names
 * (`workspace-automation:file`, relative to Pulumi.yaml; `workspace.yaml` when it names none), with the overlays that it names
 * (`workspace-automation:overlays`, a list) after the one of the stack.
 */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { loadWorkspace } from "./load-workspace.js";

const config = new pulumi.Config("workspace-automation");
const resolveNextTo = (file: string) => (isAbsolute(file) ? file : join(findProjectFolder(), file));
loadWorkspace(resolveNextTo(config.get("file") ?? "workspace.yaml"), {
  overlays: config.getObject<string[]>("overlays")?.map(resolveNextTo),
  allowPaths: config.getObject<string[]>("allowPaths")?.map(resolveNextTo),
});

/** The folder of Pulumi.yaml. Older language hosts do not provide it: then it is at or above the working directory. */
function findProjectFolder(): string {
  const root = pulumi.runtime.getRootDirectory();
  if (isAbsolute(root)) return root;
  let folder = process.cwd();
  while (folder !== dirname(folder) && !existsSync(join(folder, "Pulumi.yaml"))) folder = dirname(folder);
  return folder;
}
