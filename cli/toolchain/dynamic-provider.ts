/**
 * The host of dynamic providers that Pulumi starts when a workspace file is worked on: @pulumi/pulumi's own, of this package.
 * Pulumi starts hosts in the folder of the project, and they look for everything from there; but a workspace file is data, and
 * nothing that lies beside it may run. From the folder of this package the text in the state (`providerText`) finds this package.
 */
import { createRequire } from "node:module";
import { isAbsolute, resolve } from "node:path";
import { packageRoot } from "./locations.js";

const PATHS = ["WORKSPACE_AUTOMATION_CREDENTIALS", "WORKSPACE_AUTOMATION_JOURNAL"];
for (const name of PATHS) {
  const path = process.env[name];
  if (path && !isAbsolute(path)) process.env[name] = resolve(path);
}
process.chdir(packageRoot());
createRequire(import.meta.url)("@pulumi/pulumi/cmd/dynamic-provider");
