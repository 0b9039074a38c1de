/** Builds events as the engine sends them, and records what they contain. */
import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { PlanRecorder } from "../../automation/plan/record-plan.js";
import { listRows, printRows } from "../../reports/plan/print-plan.js";
import { testIo } from "../cli/support.js";

export const SECRET = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "[secret]",
};
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const PROVIDER = { __provider: "exports.handler=..." };

export type Properties = Record<string, unknown>;

export function urn(type: string, name: string): string {
  return `urn:pulumi:dev::workspace-automation::pulumi-nodejs:dynamic/workspace-automation:${type}::${name}`;
}

/** Builds the event of a finished operation on an object. */
export function done(
  op: OpType,
  [type, name]: [string, string],
  olds?: Properties,
  news?: Properties,
  more: Partial<StepEventMetadata> = {},
): EngineEvent {
  const state = (inputs: Properties | undefined) =>
    inputs && {
      type,
      urn: urn(type, name),
      id: "1",
      parent: "",
      provider: "",
      inputs: { ...PROVIDER, ...inputs },
      outputs: {},
    };
  const metadata = {
    op,
    urn: urn(type, name),
    type: `pulumi-nodejs:dynamic/workspace-automation:${type}`,
    provider: "",
    old: state(olds),
    new: state(news),
    ...more,
  } as StepEventMetadata;
  return { sequence: 1, timestamp: 1, resOutputsEvent: { metadata } };
}

export function said(severity: "error" | "warning" | "info#err", message: string, of?: string): EngineEvent {
  const where = of === undefined ? {} : { urn: of };
  return { sequence: 1, timestamp: 1, diagnosticEvent: { severity, message, color: "never", ...where } };
}

export function told(events: readonly EngineEvent[], refreshing = false) {
  const recorder = new PlanRecorder(refreshing);
  events.forEach(recorder.onEvent);
  return recorder.recorded;
}

export function printed(events: readonly EngineEvent[], details = false, refreshing = false): string {
  const { io, written } = testIo();
  printRows(listRows(told(events, refreshing), { details }, io), io);
  return written().stdout;
}
