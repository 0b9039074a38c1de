/** Generates the JSON Schemas of reports and of files besides the workspace file. */
import { format } from "prettier";
import { z } from "zod";
import { exceptionsFile } from "../../cli/commands/compare/suppressions.js";
import { compareReportSchema as compareReport } from "../../cli/commands/compare/model.js";
import { driftIgnoreFile } from "../../cli/commands/drift/ignore-file.js";
import { driftReportSchema as driftReport } from "../../cli/commands/drift/model.js";
import { peopleSchema } from "../../cli/commands/export/people-file.js";
import { fleetSchema } from "../../cli/commands/fleet/fleet-file.js";
import { importReport } from "../../cli/commands/import/report.js";
import { previewReportSchema as previewReport } from "../../cli/commands/preview/model.js";
import { mappingSchema } from "../../cli/commands/replicate/mapping-file.js";
import { errorReportSchema as errorReport } from "../../cli/reporters/error-schema.js";
import { lintCasesSchema } from "../../cli/config-files/lint-cases.js";
import { lintRulesSchema } from "../../cli/config-files/lint-rules.js";
import { policySchema } from "../../cli/policies/policy-file/schema.js";
import { accessReportSchema } from "../../cli/commands/access/model.js";
import { destroyReportSchema } from "../../cli/commands/destroy/model.js";
import { diagnosticsReportSchema } from "../../cli/reporters/problem-schema.js";
import { doctorReportSchema } from "../../cli/commands/doctor/model.js";
import { executionsReportSchema } from "../../cli/commands/executions/model.js";
import { fleetReportSchema } from "../../cli/commands/fleet/model.js";
import { ownersReportSchema } from "../../cli/commands/owners/model.js";
import { probeComparisonSchema, probeReportSchema } from "../../cli/commands/probe/model.js";
import { recordingSchema } from "../../cli/commands/probe/recording/recording.js";
import { refreshReportSchema } from "../../cli/commands/refresh/model.js";
import { upReportSchema } from "../../cli/commands/up/model.js";
import { runsReportSchema } from "../../cli/commands/what-runs/model.js";
import { whoamiReportSchema } from "../../cli/commands/whoami/model.js";
import { profileSchema } from "../../assumptions/profile.js";
import { receipt, savedPlan } from "../../cli/saved-plan/schema.js";

interface Published {
  readonly schema: z.ZodType;
  /** Source file of the schema. */
  readonly from: string;
  /** Whether users write the file and may omit properties with a default. */
  readonly written?: boolean;
}

const published: Readonly<Record<string, Published>> = {
  "compare-exceptions": {
    schema: exceptionsFile.schema,
    from: "cli/commands/compare/suppressions.ts",
    written: true,
  },
  "compare-report": { schema: compareReport, from: "cli/commands/compare/model.ts" },
  "drift-ignore": {
    schema: driftIgnoreFile.schema,
    from: "cli/commands/drift/ignore-file.ts",
    written: true,
  },
  "drift-report": { schema: driftReport, from: "cli/commands/drift/model.ts" },
  "error-report": { schema: errorReport, from: "cli/reporters/error-schema.ts" },
  fleet: { schema: fleetSchema, from: "cli/commands/fleet/fleet-file.ts", written: true },
  "import-report": { schema: importReport, from: "cli/commands/import/report.ts" },
  "lint-cases": { schema: lintCasesSchema, from: "cli/config-files/lint-cases.ts", written: true },
  "lint-rules": { schema: lintRulesSchema, from: "cli/config-files/lint-rules.ts", written: true },
  people: { schema: peopleSchema, from: "cli/commands/export/people-file.ts", written: true },
  plan: { schema: savedPlan, from: "cli/saved-plan/schema.ts" },
  policy: { schema: policySchema, from: "cli/policies/policy-file/schema.ts", written: true },
  profile: { schema: profileSchema, from: "assumptions/profile.ts" },
  "preview-report": { schema: previewReport, from: "cli/commands/preview/model.ts" },
  receipt: { schema: receipt, from: "cli/saved-plan/schema.ts" },
  "replicate-mapping": {
    schema: mappingSchema,
    from: "cli/commands/replicate/mapping-file.ts",
    written: true,
  },
  "access-report": { schema: accessReportSchema, from: "cli/commands/access/model.ts" },
  "destroy-report": { schema: destroyReportSchema, from: "cli/commands/destroy/model.ts" },
  "diagnostics-report": { schema: diagnosticsReportSchema, from: "cli/reporters/problem-schema.ts" },
  "doctor-report": { schema: doctorReportSchema, from: "cli/commands/doctor/model.ts" },
  "executions-report": { schema: executionsReportSchema, from: "cli/commands/executions/model.ts" },
  "fleet-report": { schema: fleetReportSchema, from: "cli/commands/fleet/model.ts" },
  "owners-report": { schema: ownersReportSchema, from: "cli/commands/owners/model.ts" },
  "probe-recording": { schema: recordingSchema, from: "cli/commands/probe/recording/recording.ts" },
  "probe-comparison": { schema: probeComparisonSchema, from: "cli/commands/probe/model.ts" },
  "probe-report": { schema: probeReportSchema, from: "cli/commands/probe/model.ts" },
  "refresh-report": { schema: refreshReportSchema, from: "cli/commands/refresh/model.ts" },
  "up-report": { schema: upReportSchema, from: "cli/commands/up/model.ts" },
  "what-runs-report": { schema: runsReportSchema, from: "cli/commands/what-runs/model.ts" },
  "whoami-report": { schema: whoamiReportSchema, from: "cli/commands/whoami/model.ts" },
};

/** Returns the texts of the schemas by path. */
export async function renderSchemas(): Promise<Record<string, string>> {
  const texts = Object.entries(published).map(async ([name, one]): Promise<[string, string]> => [
    `schema/${name}.schema.json`,
    await renderSchema(one),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

function renderSchema({ schema, from, written = false }: Published): Promise<string> {
  const io = written ? "input" : "output";
  const { $schema, ...body } = z.toJSONSchema(schema, { target: "draft-2020-12", io });
  const $comment = `Generated by scripts/generate.ts from ${from}. Do not edit.`;
  return format(JSON.stringify({ $comment, $schema, ...body }), { parser: "json", printWidth: 110 });
}
