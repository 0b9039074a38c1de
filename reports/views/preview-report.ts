/** Builds the report of a preview: the published data with its schema, and the view for people. */
import { z } from "zod";
import type { CheckedPlan } from "../../automation/policy/checked-plan.js";
import { listRefusals } from "../../automation/policy/guards/refusals.js";
import { judgeSufficiency } from "../../automation/policy/request-budget.js";
import { describeChecks, report, reportHeader } from "../../automation/report/plan-report.js";
import { count, object, place, runParts, stackParts } from "../../automation/report/report-schemas.js";
import type { Remedy, Report } from "../../automation/report/report-view.js";
import {
  publishedDriftSchema,
  publishedStepSchema,
  savedRequests,
  savedVerdict,
  takenName,
  unmanagedContent,
} from "../../automation/saved-plan/schema.js";
import type { OpenStack } from "../../automation/stack/open-stack.js";
import { formatCommandLine } from "../../text/safe-text.js";
import { readVersion } from "../../toolchain/locations.js";
import { planView, type PreviewFacts } from "./preview-view.js";

const impact = z.strictObject({
  kind: z
    .string()
    .describe("What happens: gains, loses, joins, leaves, invited, removed, administrator, ..."),
  person: z.string().optional().describe("Absent for everyone who is not known by name."),
  project: z.string().optional(),
  group: z.string().optional(),
  area: z.string().optional().describe("repository or pipelines."),
  level: z.string().optional().describe("Level that is gained or lost."),
  other: z.string().optional().describe("Level before or after, if there is one."),
  cause: z.string().optional(),
  permissionSet: z.string().optional(),
  admin: z.boolean().optional().describe("The person is and stays an administrator."),
});

const unverifiable = z
  .array(z.strictObject({ ...object, path: z.string().describe("The argument.") }))
  .describe("Declared values that the service never returns.");

/** What a plan would do, or what was done. */
export const plannedChanges = z.strictObject({
  steps: z.array(publishedStepSchema).describe("The operations."),
  drift: z.array(publishedDriftSchema).describe("What was changed outside of Pulumi since the last run."),
  unchanged: count.describe("Number of unchanged objects."),
  unverifiable,
  notWatched: z
    .array(z.strictObject({ ...object, paths: z.array(z.string()).describe("The properties.") }))
    .optional()
    .describe("Properties whose changes are ignored (ignoreChanges)."),
});

/** What was checked before a plan may be applied. */
export const planChecks = {
  taken: z.strictObject({
    objects: z.array(takenName).describe("Names that other objects already have."),
    remedies: z.array(z.string()),
  }),
  guards: z
    .array(savedVerdict)
    .describe("Guards that refuse the plan, and rules of policies that it breaks."),
  fingerprintWithoutSecrets: z
    .string()
    .optional()
    .describe(
      "The fingerprint without the values of secrets to which the file refers; the same as `fingerprint` if this run lacks one of them.",
    ),
  notCovered: z
    .array(
      z.strictObject({
        reason: z
          .enum(["missing", "no-passphrase", "program"])
          .describe(
            "missing: this run lacks one of the secrets; no-passphrase: there is no key for them; program: Pulumi hides them.",
          ),
        objects: z.array(z.string()).describe("Logical names."),
      }),
    )
    .optional()
    .describe("Objects with secret values that the fingerprint does not cover."),
  unmanagedContents: z
    .array(unmanagedContent)
    .describe("What no file declares in the objects that would be deleted, and so is deleted with them."),
  loosened: z
    .array(
      z.strictObject({
        setting: z
          .string()
          .describe("Setting of `guards`; or what an entry sets, such as protect, retain or ignoreChanges."),
        before: z.unknown().describe("Its value at the last `up`; null for what was not set."),
        now: z.unknown(),
        objects: z
          .array(z.string())
          .optional()
          .describe("Logical names of the objects whose entries set it."),
      }),
    )
    .describe("Guards that allow something that they refused at the last `up`."),
  access: z.array(impact).describe("Who gains or loses what."),
  possibleRenames: z
    .array(
      z.strictObject({
        ...object,
        former: z.string().describe("Logical name of the object that is deleted."),
        write: z.string().describe("The line that renames it instead."),
        place: place.describe("The entry to write it in."),
      }),
    )
    .optional()
    .describe("Created objects that look like a deleted one of the same list."),
  only: z
    .strictObject({
      patterns: z.array(z.string()),
      objects: z.array(z.string()).describe("Logical names of the selected objects."),
      needed: z.array(z.string()).describe("Objects that they need."),
      following: z
        .array(z.string())
        .describe("Objects in those that are renamed, and what depends on those."),
      others: count.describe("Number of objects outside the selection."),
    })
    .optional()
    .describe("The objects to which the plan is limited (--only)."),
  runs: z
    .array(
      z.strictObject({
        ...object,
        runs: z.string().describe("When it runs."),
        before: z.string().optional().describe("When it ran before; absent for a new object."),
      }),
    )
    .describe("What runs after the plan that did not run before."),
  requests: savedRequests.extend({
    sufficiency: z
      .enum(["enough", "short", "too-much"])
      .describe("Whether the remaining requests are enough."),
  }),
};

export const previewReportSchema = z
  .strictObject({
    ...runParts(2),
    ...stackParts,
    file: z.string().optional().describe("The workspace file."),
    result: z
      .enum(["nothing", "changes", "refused"])
      .describe("nothing: the workspace matches the file; refused: `up` would refuse the plan."),
    fingerprint: z
      .string()
      .describe("The same for the same operations on the same workspace: `up --approved` accepts it."),
    plan: plannedChanges,
    ...planChecks,
  })
  .meta({ title: "Preview report", description: "What `workspacectl preview --format json` prints." });

/** Reports whether `up` would refuse the plan. */
export function isRefused({ taken, verdicts, budget }: CheckedPlan): boolean {
  return taken.length > 0 || listRefusals(verdicts).length > 0 || judgeSufficiency(budget) !== "enough";
}

/** @param again the options that the next command on the same stack needs as well */
export function planReport(
  open: OpenStack,
  plan: CheckedPlan,
  exitCode: number,
  now: Date,
  again: readonly string[] = [],
): Report {
  const { connection, name, file } = open;
  const { steps, drift, loosened, milliseconds } = plan;
  const changes = steps.length > 0 || drift.length > 0 || loosened.length > 0;
  const run: PreviewFacts = {
    tool: { name: "workspacectl", version: readVersion() },
    generatedAt: now.toISOString(),
    seconds: Math.round(milliseconds / 100) / 10,
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    stack: name,
    ...(file.declared === undefined ? {} : { file: file.file }),
    result: isRefused(plan) ? "refused" : changes ? "changes" : "nothing",
    exitCode,
  };
  const { exitCode: _, ...published } = run;
  return {
    value: {
      version: 2,
      ...reportHeader(open),
      ...published,
      fingerprint: plan.fingerprint,
      plan: report(plan),
      ...describeChecks(plan),
    },
    view: {
      ...planView(plan, run, file.declared),
      ...(run.result === "changes" ? { remediesForAll: [createApplyRemedy(plan, again)] } : {}),
    },
  };
}

function createApplyRemedy({ fingerprint }: CheckedPlan, again: readonly string[]): Remedy {
  const words = ["workspacectl", "up", ...again, "--approved", fingerprint];
  return { label: "apply exactly this plan", command: formatCommandLine(words) };
}
