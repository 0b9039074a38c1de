/** Builds the report of a preview: the published data, and the view for people. */
import type { CheckedPlan } from "../../policies/checked-plan.js";
import type { OpenStack } from "../../engine/stack/open-stack.js";
import { listRefusals } from "../../policies/guards/print.js";
import { judgeSufficiency } from "../../policies/request-budget.js";
import { describeChecks, report, reportHeader } from "../../reporters/plan-json.js";
import { formatCommandLine } from "../../terminal/command-line.js";
import type { Remedy, Report } from "../../reporters/report-view.js";
import { readVersion } from "../../version.js";
import { planView, type PreviewFacts } from "./view.js";

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
