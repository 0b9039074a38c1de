/** Schema of the JSON report of `workspacectl refresh`. */
import { z } from "zod";
import { runParts, stackParts } from "../../reporters/shared-schemas.js";
import { plannedChanges } from "../preview/model.js";

const { drift, unchanged, unverifiable } = plannedChanges.shape;

export const refreshReportSchema = z
  .strictObject({ ...runParts(1), ...stackParts, drift, unchanged, unverifiable })
  .meta({ title: "Report of a refresh", description: "What `workspacectl refresh --json` prints." });
