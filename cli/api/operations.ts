/** The operations of the command, for a program. */
import type { AutomationPort } from "../../automation/automation-port.js";
import { DEFAULT_FILE } from "../../automation/next-command.js";
import type {
  CompareOptions,
  DestroyOptions,
  DriftOptions,
  ExportOptions,
  ImportOptions,
  OperationOptions,
  PreviewOptions,
  UpOptions,
  WorkspaceOptions,
} from "../../automation/options.js";
import type { Report } from "../../automation/report/report-view.js";
import type {
  CompareReport,
  DestroyReport,
  DriftReport,
  ExportReport,
  ImportReport,
  PreviewReport,
  RefreshReport,
  UpReport,
} from "../../automation/report-types.js";
import type { ReportFormat } from "../../automation/workspace.js";
import { copyAsData } from "../../text/json-value.js";
import { parseAllowed } from "../../trust/variables.js";
import { WAITS_FOR_NEXT_HOUR } from "../rate-limit-wait.js";
import { createPortIo } from "../terminal/port-io.js";
import type { Given } from "./check-options.js";
import { withRendering } from "./report-sources.js";

/** One operation, and the workspace that it is of. */
export interface OperationRun<O extends OperationOptions = OperationOptions> {
  readonly workspace: Given<WorkspaceOptions>;
  readonly options: Omit<Given<O>, "signal">;
  readonly port: AutomationPort;
}

const OF_FINDINGS: readonly ReportFormat[] = ["text", "markdown", "html", "junit", "sarif", "github"];
const OF_PLANS: readonly ReportFormat[] = ["text", "markdown", "html", "junit", "github"];
const OF_RESULTS: readonly ReportFormat[] = ["text"];

export async function preview(run: OperationRun<PreviewOptions>): Promise<PreviewReport> {
  const { previewStack } = await import("../operations/preview.js");
  const { io, stack, finish } = begin(run, OF_PLANS);
  const { report } = await previewStack({ ...stack, refresh: true, ...run.options }, io, io);
  return finish(report.value, report);
}

export async function up(run: OperationRun<UpOptions>): Promise<UpReport> {
  const { applyToWorkspace } = await import("../operations/up.js");
  const { io, stack, finish } = begin(run, OF_RESULTS);
  const { report } = await applyToWorkspace({ ...stack, refresh: true, ...run.options }, io);
  return finish(report);
}

export async function destroy(run: OperationRun<DestroyOptions>): Promise<DestroyReport> {
  const { deleteFromWorkspace } = await import("../commands/destroy/run-destroy.js");
  const { io, stack, finish } = begin(run, OF_RESULTS);
  const { report } = await deleteFromWorkspace({ ...stack, ...run.options }, io);
  return finish(report);
}

export async function drift(run: OperationRun<DriftOptions>): Promise<DriftReport> {
  const { detectDrift } = await import("../../automation/drift/detect-drift.js");
  const { describeDrift } = await import("../commands/drift/run-drift.js");
  const { io, stack, finish } = begin(run, OF_FINDINGS);
  const options = { ...stack, added: "declared" as const, ...run.options };
  const described = describeDrift((await detectDrift(options, io)).report, options);
  return finish(described.value, described);
}

export async function refresh(run: OperationRun): Promise<RefreshReport> {
  const { refreshState } = await import("../commands/refresh/run-refresh.js");
  const { io, stack, finish } = begin(run, OF_RESULTS);
  return finish(await refreshState({ ...stack, ...run.options }, io));
}

export async function importState(run: OperationRun<ImportOptions>): Promise<ImportReport> {
  const { importIntoState } = await import("../operations/import.js");
  const { io, stack, finish } = begin(run, OF_RESULTS);
  return finish(await importIntoState({ ...stack, ...run.options }, io));
}

export async function exportFiles(run: OperationRun<ExportOptions>): Promise<ExportReport> {
  const { exportToFiles } = await import("../operations/export.js");
  const { io, stack, finish } = begin(run, OF_RESULTS);
  const { file: _, ...named } = stack;
  const { report } = await exportToFiles({ ...named, language: "yaml", ...run.options }, io);
  return finish(report);
}

export async function compare(run: OperationRun<CompareOptions>): Promise<CompareReport> {
  const { compareWorkspaces, describeComparison } = await import("../commands/compare/run-compare.js");
  const { io, stack, finish } = begin(run, OF_FINDINGS);
  const { file, allowPath, overlay = [] } = stack;
  const left = `file:${[file, ...overlay].join("+")}`;
  const options = { file, ...(allowPath && { allowPath }), left, ...run.options };
  const described = describeComparison(await compareWorkspaces(options, io), options);
  return finish(described.value, described);
}

/** Prepares an operation: its Io, the options that name the stack, and what its report becomes. */
function begin({ workspace, options, port }: OperationRun, formats: readonly ReportFormat[]) {
  const { allowEnv = [], on: _on, ask: _ask, signal: _signal, env: _env, ...named } = workspace;
  const waits = "wait" in options && options.wait === true;
  const env = {
    ...parseAllowed(allowEnv, port.env),
    ...(waits ? WAITS_FOR_NEXT_HOUR : {}),
  };
  const { io, printed } = createPortIo({ ...port, env });
  return {
    io,
    stack: { file: DEFAULT_FILE, ...named },
    finish: <R extends object>(value: object, report?: Report): R => {
      // The text of findings is made from their view.
      const text = report === undefined || formats === OF_PLANS ? { text: printed() } : {};
      return withRendering(copyAsData<R>(value), { ...text, ...(report && { report }), formats, env });
    },
  };
}
