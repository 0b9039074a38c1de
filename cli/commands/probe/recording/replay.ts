/** Repeats a probe, and reads what the provider reads, with recorded responses. */
import { checkReads } from "../../../../provider/index.js";
import { exitCodes } from "../../../errors.js";
import { ScratchWorld } from "../checks/writes.js";
import { measure } from "../run-checks.js";
import { buildProbeReport, type ProbeReport } from "../report.js";
import { ServiceQuestions } from "../send-requests.js";
import { WorkspaceReader } from "../workspace-reader.js";
import { createReplay, type Recording } from "./recording.js";

const connection = { baseUrl: "https://recorded.example", token: "recorded", allowInsecure: false };

export async function replayRecording(recording: Recording): Promise<ProbeReport> {
  const began = Date.now();
  const { workspace, project, exchanges } = recording;
  const retry = { limit: 2, baseMs: 0 };
  const client = { fetch: createReplay(recording), retry };
  const questions = new ServiceQuestions(connection, { most: exchanges.length * 2, client });
  const reader = new WorkspaceReader(questions, workspace);
  await reader.get(reader.root);
  const inProject = project === undefined ? undefined : new WorkspaceReader(questions, workspace, project);
  const world =
    inProject === undefined || project === undefined
      ? undefined
      : new ScratchWorld(inProject, `${inProject.root}/projects/${encodeURIComponent(project)}`, project);
  const findings = await measure(reader, world);
  const report = buildProbeReport({
    findings,
    workspace,
    baseUrl: connection.baseUrl,
    wrote: world !== undefined,
    requests: questions.sent,
    milliseconds: Date.now() - began,
    now: new Date(),
  });
  const there = { ...connection, workspace, profile: { ...report.profile, file: "" } };
  const reads = (await checkReads(there, client)).map(({ problems, ...one }) => ({
    ...one,
    problems: [...problems],
  }));
  const hasFailed = reads.some(({ problems }) => problems.length > 0);
  return { ...report, reads, exitCode: hasFailed ? exitCodes.error : report.exitCode };
}
