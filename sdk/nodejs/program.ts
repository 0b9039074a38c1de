/**
 * The program of this repository's Pulumi.yaml: loads the workspace file that the stack's configuration names
 * (`workspace-automation:file`, relative to Pulumi.yaml; `workspace.yaml` when it names none).
 */
import { isAbsolute, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { loadWorkspace } from "./load-workspace.js";

const file = new pulumi.Config("workspace-automation").get("file") ?? "workspace.yaml";
loadWorkspace(isAbsolute(file) ? file : join(pulumi.runtime.getRootDirectory(), file));
