/** Schema of the JSON report of `workspacectl destroy`. */
import { z } from "zod";
import { runParts, stackParts } from "../../reporters/shared-schemas.js";
import { planChecks, plannedChanges } from "../preview/model.js";

const { guards, loosened, unmanagedContents } = planChecks;

export const destroyReportSchema = z
  .strictObject({
    ...runParts(1),
    ...stackParts,
    plan: plannedChanges,
    guards,
    loosened,
    unmanagedContents,
    done: plannedChanges.optional().describe("What was done. Absent if nothing was deleted."),
  })
  .meta({ title: "Report of a destroy", description: "What `workspacectl destroy --json` prints." });
