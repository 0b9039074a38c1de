/** Shows the module in plain Pulumi; `workspacectl up -f workspace.ts` needs no program. */
import { loadWorkspace } from "pulumi-workspace-automation";

loadWorkspace("workspace.ts");
