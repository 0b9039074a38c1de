/** Plain Pulumi takes the module as well; `workspacectl up -f workspace.ts` needs no program. */
import { loadWorkspace } from "pulumi-workspace-automation";

loadWorkspace("workspace.ts");
