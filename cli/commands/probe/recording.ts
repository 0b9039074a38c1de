/** Records the exchanges of a probe in a file, without anything that tells whose workspace it was, and repeats a probe with them. */
import { z } from "zod";
import { verdicts } from "../../../assumptions/profile.js";
import type { SentRequest, ReceivedResponse, Fetch } from "../../../client/index.js";
import { parseShallowJson } from "../../../client/shallow-json.js";
import { readJsonFile } from "../../config-files/checked-files.js";
import { type ProbeReport, buildProbeReport } from "./report.js";
import { Pseudonyms } from "./pseudonyms.js";
import { checkReads } from "../../../provider/index.js";
import { CliError, exitCodes } from "../../errors.js";
import { ScratchWorld } from "./checks/writes.js";
import { measure } from "./run-checks.js";
import { ServiceQuestions, Unanswered } from "./send-requests.js";
import { WorkspaceReader } from "./workspace-reader.js";

const exchange = z.strictObject({
  method: z.enum(["GET", "POST", "PATCH", "PUT", "DELETE"]),
  target: z.string().describe("Path after the base address, and query."),
  status: z.int().min(200).max(599),
  resetInSeconds: z.int().optional().describe("End of the rate limit's window. Absent without its headers."),
  response: z.unknown().optional().describe("Absent for an empty response."),
  isText: z.literal(true).optional().describe("The response was not JSON, and is not recorded."),
});
type RecordedExchange = z.output<typeof exchange>;

export const recordingSchema = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    workspace: z.string().describe("Replacement of the workspace's domain."),
    project: z.string().optional().describe("Replacement of the scratch project's name."),
    assumptions: z.record(z.string(), z.enum(verdicts)).describe("Whether each assumption held."),
    exchanges: z.array(exchange),
  })
  .meta({
    title: "Recording",
    description:
      "What `workspacectl probe --record` writes, with all names, ids, secrets and texts replaced.",
  });
type Recording = z.output<typeof recordingSchema>;

/** Collects exchanges. They are replaced at once, so that no name stays in it. */
export class ExchangeRecorder {
  private readonly pseudonyms = new Pseudonyms();
  private readonly exchanges: RecordedExchange[] = [];

  readonly receive = (
    { method, target }: SentRequest,
    { status, text, rateReset }: ReceivedResponse,
  ): void => {
    if (status < 200 || status > 599) return;
    const body = parse(text);
    const isText = body === undefined && text !== "";
    const response = body === undefined ? undefined : this.pseudonyms.response(body, status);
    this.exchanges.push({
      method: method as RecordedExchange["method"],
      target: this.pseudonyms.target(target),
      status,
      ...(rateReset === undefined ? {} : { resetInSeconds: Math.round(rateReset - Date.now() / 1000) }),
      ...(response === undefined ? {} : { response }),
      ...(isText ? { isText } : {}),
    });
  };

  finish({ workspace, assumptions }: ProbeReport, project: string | undefined): Recording {
    return {
      version: 1,
      workspace: this.pseudonyms.text(workspace),
      ...(project === undefined ? {} : { project: this.pseudonyms.text(project) }),
      assumptions: Object.fromEntries(assumptions.map(({ id, verdict }) => [id, verdict])),
      exchanges: this.exchanges,
    };
  }
}

const REMEDY = 'Write one with "workspacectl probe --record FILE"';

/** @throws {CliError} when the file is no recording */
export function readRecording(file: string): Recording {
  return readJsonFile(recordingSchema, file, {
    what: 'a recording of "workspacectl probe --record"',
    remedy: REMEDY,
  });
}

/** Responds as recorded: to equal requests in the recorded order, and with the last response from then on. */
function createReplay({ exchanges }: Recording): Fetch {
  const left = new Map<string, RecordedExchange[]>();
  for (const one of exchanges) {
    const key = `${one.method} ${one.target}`;
    left.set(key, [...(left.get(key) ?? []), one]);
  }
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const queue = left.get(`${init?.method ?? "GET"} ${pathname}${search}`) ?? [];
    const found = queue.length > 1 ? queue.shift() : queue[0];
    return Promise.resolve(found === undefined ? new Response(null, { status: 501 }) : respond(found));
  };
}

function respond({ status, response, isText, resetInSeconds }: RecordedExchange): Response {
  const reset = Math.round(Date.now() / 1000) + (resetInSeconds ?? 0);
  const rate = { "x-rate-limit-limit": "5000", "x-rate-limit-remaining": "4999" };
  const headers = resetInSeconds === undefined ? {} : { ...rate, "x-rate-limit-reset": String(reset) };
  const text = isText ? "<" : response === undefined ? null : JSON.stringify(response);
  return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
}

function parse(text: string): unknown {
  try {
    return parseShallowJson(text);
  } catch {
    return undefined;
  }
}

const connection = { baseUrl: "https://recorded.example", token: "recorded", allowInsecure: false };

/** @throws {CliError} when the recording does not contain what every probe asks for */
export async function replayRecording(recording: Recording): Promise<ProbeReport> {
  try {
    return await repeatProbe(recording);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    throw new CliError(`the recording is not complete: ${error.message}`, REMEDY);
  }
}

async function repeatProbe(recording: Recording): Promise<ProbeReport> {
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
