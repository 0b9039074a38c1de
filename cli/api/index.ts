/** What programs import from `workspacectl`. */
export { openWorkspace } from "./open-workspace.js";
export { renderReport as render } from "./render-report.js";
export { AutomationError, type ErrorLocation } from "../../automation/errors.js";
export type * from "../../automation/options.js";
export type * from "../../automation/automation-port.js";
export type * from "../../automation/report-types.js";
export type * from "../../automation/workspace.js";
