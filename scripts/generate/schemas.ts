/** Generates the JSON Schemas of reports and of files besides the workspace file. */
import { format } from "prettier";
import { z } from "zod";
import { profileSchema } from "../../assumptions/profile.js";
import {
  compareReportSchema as compareReport,
  exceptionsFile,
} from "../../automation/compare/compare-report.js";
import { mappingSchema } from "../../automation/compare/mapping-file.js";
import { driftIgnoreFile, driftReportSchema as driftReport } from "../../automation/drift/drift-report.js";
import { exportReportSchema } from "../../automation/export/export-report.js";
import { peopleSchema } from "../../automation/export/people-file.js";
import { policySchema } from "../../automation/policy/policy-file/policy.js";
import { accessReportSchema } from "../../automation/report/access-report.js";
import {
  diagnosticsReportSchema,
  errorReportSchema as errorReport,
} from "../../automation/report/report-schemas.js";
import { whoamiReportSchema } from "../../automation/report/whoami-report.js";
import { receipt, savedPlan } from "../../automation/saved-plan/schema.js";
import { destroyReportSchema } from "../../cli/commands/destroy/run-destroy.js";
import { doctorReportSchema } from "../../cli/commands/doctor/run-doctor.js";
import { executionsReportSchema } from "../../cli/commands/executions/show.js";
import { fleetSchema } from "../../cli/commands/fleet/fleet-file.js";
import { fleetReportSchema } from "../../cli/commands/fleet/fleet-report.js";
import { lintRulesSchema } from "../../cli/commands/lint/read-lint-rules.js";
import { ownersReportSchema } from "../../cli/commands/owners/owners-report.js";
import { probeComparisonSchema, probeReportSchema } from "../../cli/commands/probe/probe-report.js";
import { refreshReportSchema } from "../../cli/commands/refresh/run-refresh.js";
import { runsReportSchema } from "../../cli/commands/what-runs/runs-report.js";
import { importReport } from "../../cli/operations/import.js";
import { upReportSchema } from "../../cli/operations/up.js";
import { previewReportSchema as previewReport } from "../../reports/views/preview-report.js";

interface Published {
  readonly schema: z.ZodType;
  /** Source file of the schema. */
  readonly from: string;
  /** Whether users write the file and may omit properties with a default. */
  readonly written?: boolean;
}

export const published: Readonly<Record<string, Published>> = {
  "compare-exceptions": {
    schema: exceptionsFile.schema,
    from: "automation/compare/compare-report.ts",
    written: true,
  },
  "compare-report": { schema: compareReport, from: "automation/compare/compare-report.ts" },
  "drift-ignore": {
    schema: driftIgnoreFile.schema,
    from: "automation/drift/drift-report.ts",
    written: true,
  },
  "drift-report": { schema: driftReport, from: "automation/drift/drift-report.ts" },
  "error-report": { schema: errorReport, from: "automation/report/report-schemas.ts" },
  "export-report": { schema: exportReportSchema, from: "automation/export/export-report.ts" },
  fleet: { schema: fleetSchema, from: "cli/commands/fleet/fleet-file.ts", written: true },
  "import-report": { schema: importReport, from: "cli/operations/import.ts" },
  "lint-rules": { schema: lintRulesSchema, from: "cli/commands/lint/read-lint-rules.ts", written: true },
  people: { schema: peopleSchema, from: "automation/export/people-file.ts", written: true },
  plan: { schema: savedPlan, from: "automation/saved-plan/schema.ts" },
  policy: { schema: policySchema, from: "automation/policy/policy-file/policy.ts", written: true },
  profile: { schema: profileSchema, from: "assumptions/profile.ts" },
  "preview-report": { schema: previewReport, from: "reports/views/preview-report.ts" },
  receipt: { schema: receipt, from: "automation/saved-plan/schema.ts" },
  "replicate-mapping": {
    schema: mappingSchema,
    from: "automation/compare/mapping-file.ts",
    written: true,
  },
  "access-report": { schema: accessReportSchema, from: "automation/report/access-report.ts" },
  "destroy-report": { schema: destroyReportSchema, from: "cli/commands/destroy/run-destroy.ts" },
  "diagnostics-report": { schema: diagnosticsReportSchema, from: "automation/report/report-schemas.ts" },
  "doctor-report": { schema: doctorReportSchema, from: "cli/commands/doctor/run-doctor.ts" },
  "executions-report": { schema: executionsReportSchema, from: "cli/commands/executions/show.ts" },
  "fleet-report": { schema: fleetReportSchema, from: "cli/commands/fleet/fleet-report.ts" },
  "owners-report": { schema: ownersReportSchema, from: "cli/commands/owners/owners-report.ts" },
  "probe-comparison": { schema: probeComparisonSchema, from: "cli/commands/probe/probe-report.ts" },
  "probe-report": { schema: probeReportSchema, from: "cli/commands/probe/probe-report.ts" },
  "refresh-report": { schema: refreshReportSchema, from: "cli/commands/refresh/run-refresh.ts" },
  "up-report": { schema: upReportSchema, from: "cli/operations/up.ts" },
  "what-runs-report": { schema: runsReportSchema, from: "cli/commands/what-runs/runs-report.ts" },
  "whoami-report": { schema: whoamiReportSchema, from: "automation/report/whoami-report.ts" },
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
