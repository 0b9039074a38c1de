/** A workspace that a program previews, applies and compares. */
import type {
  CompareOptions,
  DestroyOptions,
  DriftOptions,
  ExportOptions,
  ImportOptions,
  OperationOptions,
  PreviewOptions,
  UpOptions,
} from "./options.js";
import type {
  CompareReport,
  DestroyReport,
  DriftReport,
  ExportReport,
  ImportReport,
  PreviewReport,
  RefreshReport,
  UpReport,
} from "./report-types.js";

/**
 * Each operation opens the stack, returns its report and leaves nothing open, so operations of several workspaces can run at the same
 * time. It throws an AutomationError if it fails.
 */
export interface OpenWorkspace {
  /** Plans what an update would change, and finds what was changed outside. Writes nothing to the workspace. */
  preview(options?: PreviewOptions): Promise<PreviewReport>;
  /** Makes the workspace match the file. */
  up(options?: UpOptions): Promise<UpReport>;
  /** Deletes all objects of the stack. */
  destroy(options?: DestroyOptions): Promise<DestroyReport>;
  /** Compares file, state and workspace. Writes none of them. */
  drift(options?: DriftOptions): Promise<DriftReport>;
  /** Updates the state to match the workspace. Writes nothing to the workspace. */
  refresh(options?: OperationOptions): Promise<RefreshReport>;
  /** Imports the existing objects that the file declares into the state. */
  import(options?: ImportOptions): Promise<ImportReport>;
  /** Declares the live workspace: returns the files, and writes them if `output` or `split` says where. */
  export(options?: ExportOptions): Promise<ExportReport>;
  /** Compares two workspaces, files or stacks. Writes none of them. */
  compare(options: CompareOptions): Promise<CompareReport>;
}

/** Any report of an operation. */
export type OperationReport =
  | PreviewReport
  | UpReport
  | DestroyReport
  | DriftReport
  | RefreshReport
  | ImportReport
  | ExportReport
  | CompareReport;

/** Formats of reports. Those of an update, a destroy, a refresh, an import and an export have `text` and `json` only. */
export type ReportFormat = "text" | "json" | "markdown" | "html" | "junit" | "sarif" | "github";
