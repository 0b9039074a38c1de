/** Opens a workspace for a program: the operations of the command, without its output and its exit codes. */
import { setMaxListeners } from "node:events";
import type { AutomationPort } from "../../automation/automation-port.js";
import { AutomationError } from "../../automation/errors.js";
import type { OperationOptions, WorkspaceOptions } from "../../automation/options.js";
import { withTemporaryFolders } from "../../automation/temporary-folders.js";
import type { OpenWorkspace, OperationReport } from "../../automation/workspace.js";
import { completeAccount } from "../../toolchain/account.js";
import { type Given, requireOptions } from "./check-options.js";
import type { OperationRun } from "./operations.js";

/**
 * Opens a workspace. Nothing is read before the first operation. Paths are relative to the working directory.
 * @throws {AutomationError} `usage` when an option is unknown
 */
export function openWorkspace(options: WorkspaceOptions = {}): OpenWorkspace {
  const given = requireOptions("openWorkspace", options);
  return {
    preview: (own = {}) => operate(given, "preview", own, async (run) => (await load()).preview(run)),
    up: (own = {}) => operate(given, "up", own, async (run) => (await load()).up(run)),
    destroy: (own = {}) => operate(given, "destroy", own, async (run) => (await load()).destroy(run)),
    drift: (own = {}) => operate(given, "drift", own, async (run) => (await load()).drift(run)),
    refresh: (own = {}) => operate(given, "refresh", own, async (run) => (await load()).refresh(run)),
    import: (own = {}) => operate(given, "import", own, async (run) => (await load()).importState(run)),
    export: (own = {}) => operate(given, "export", own, async (run) => (await load()).exportFiles(run)),
    compare: (own) => operate(given, "compare", own, async (run) => (await load()).compare(run)),
  };
}

const load = () => import("./operations.js");

async function operate<O extends OperationOptions, R extends OperationReport>(
  workspace: Given<WorkspaceOptions>,
  name: Exclude<Parameters<typeof requireOptions>[0], "openWorkspace">,
  options: O,
  work: (run: OperationRun<O>) => Promise<R>,
): Promise<R> {
  const given = requireOptions(name, options);
  const { signal: ofOperation, ...own } = given;
  const failing = new AbortController();
  const signals = [failing.signal, workspace.signal, ofOperation].filter((one) => one !== undefined);
  const signal = AbortSignal.any(signals);
  // Many requests share it, which is not the leak that Node warns of.
  setMaxListeners(0, signal);
  const port: AutomationPort = {
    env: buildEnvironment(workspace),
    ask: workspace.ask,
    signal,
    on(event) {
      try {
        workspace.on?.(event);
      } catch (error) {
        // The engine could only lose it.
        failing.abort(error);
      }
    },
  };
  try {
    if (signal.aborted) throw signal.reason;
    return await withTemporaryFolders(() => work({ workspace, options: own, port }));
  } catch (error) {
    if (failing.signal.aborted) throw failing.signal.reason;
    throw await explainError(error, signal);
  }
}

/** A copy, which operations may change. */
function buildEnvironment({ env = process.env }: Given<WorkspaceOptions>): NodeJS.ProcessEnv {
  const copy = { ...env };
  completeAccount(copy);
  return copy;
}

/** Describes what was thrown, which may quote a file or the service. */
async function explainError(error: unknown, signal: AbortSignal): Promise<AutomationError> {
  const { createErrorReport } = await import("../report-error.js");
  const { makeTame } = await import("../../text/safe-text.js");
  const { code, message, remedy, location } = createErrorReport(error).error;
  if (signal.aborted && code !== "interrupted" && code !== "declined")
    return new AutomationError("interrupted before anything was changed", "run the operation again", {
      code: "interrupted",
      cause: error,
    });
  const explained = new AutomationError(message, makeTame(remedy), { code, location, cause: error });
  // It contains the remedies already.
  return Object.assign(explained, { message: makeTame(message) });
}
