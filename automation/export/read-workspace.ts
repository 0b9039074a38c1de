/** Reads a workspace for an export, with progress; an interrupted export resumes. */
import { type ProgressEvent, ServiceError } from "../../client/index.js";
import { formatCount } from "../../diff/format-count.js";
import {
  type Connection,
  discoverWorkspace,
  type Discovery,
  type ExpectedName,
  formatSlowness,
  getCheckpointFolder,
  type Recalled,
} from "../../provider/index.js";
import { formatMoment } from "../../text/clock.js";
import { describeReading, type ServiceOptions, withService } from "../connection/api-client.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";
import type { Frames, Waiting } from "../progress/tally.js";
import { listenForStop } from "../stack/interrupt.js";
import { declareObjects } from "./declare.js";
import type { LiveWorkspace } from "./patch/plan-edits.js";
import { getKnownPeople, type PeopleOptions } from "./people-file.js";
import { buildScope, type ScopeOptions } from "./scope.js";

interface LiveOptions extends ServiceOptions, ScopeOptions, PeopleOptions {
  /** Read everything again, instead of resuming an interrupted export. */
  readonly fresh?: boolean;
  /** Wait for the rate limit to reset. */
  readonly wait?: boolean;
}

/**
 * Reads the selected part of the workspace.
 * @param expected objects that may be hidden from the caller when no list contains them
 */
export async function readWorkspace(
  options: LiveOptions,
  expected: readonly ExpectedName[],
  io: Port,
): Promise<LiveWorkspace> {
  return withService(options, io, async ({ client, connection, workspace: domain }) => {
    const workspace = await domain();
    const found = await readConnection({ ...connection, workspace }, options, expected, io);
    // A workspace that the token does not see looks like an empty one with gaps.
    if (found.discovery.objects.length === 0) await client.workspaces.get(workspace);
    return found;
  });
}

/** Reads the selected part of the workspace of a connection. */
export async function readConnection(
  connection: Connection,
  options: LiveOptions,
  expected: readonly ExpectedName[],
  io: Port,
): Promise<LiveWorkspace> {
  const scope = buildScope(options);
  const discovery = await discoverOrExplain(connection, options, expected, io);
  if (discovery.recalled) noteRecalled(discovery.recalled, io);
  const objects = discovery.objects.filter(scope.includes);
  const declared = declareObjects(objects);
  const scoped = [options.kinds, options.project, options.name].some((option) => option !== undefined);
  return { discovery, declared, scope, scoped, knownNames: getKnownPeople(options, scope) };
}

async function discoverOrExplain(
  connection: Connection,
  options: LiveOptions,
  expected: readonly ExpectedName[],
  io: Port,
): Promise<Discovery> {
  const { kinds = [], project, name, owns = [], fresh = false } = options;
  const scope = buildScope(options);
  let kept = () => 0;
  const abort = new AbortController();
  const endListening = listenForStop(io, () => abort.abort(), "once");
  const progress = await openReadingProgress(io);
  try {
    return await discoverWorkspace(
      connection,
      {
        ...scope,
        expected: expected.filter(({ type }) => scope.enters(type)),
        names: getKnownPeople(options, scope),
        onObject: progress.onObject,
        onList: progress.onList,
        resume: {
          folder: getCheckpointFolder(io.env),
          scope: [kinds.toSorted(), project, name, owns.toSorted()],
          fresh,
          onKept: (answers) => (kept = answers),
        },
      },
      { ...describeReading(io, { signal: abort.signal }), onWait: progress.onClient },
    );
  } catch (error) {
    progress.end();
    const goesOn = kept() === 0 ? undefined : formatHowItGoesOn(kept());
    if (abort.signal.aborted)
      throw new AutomationError("The export was interrupted; nothing was written", goesOn ?? "Run it again", {
        code: "interrupted",
      });
    if (!(error instanceof ServiceError)) throw error;
    const remedy = [formatRemedyFor(error), ...(goesOn === undefined ? [] : [goesOn])].join(" ");
    const message = error.message.replace(error.remedy, "").trimEnd();
    throw new AutomationError(message, remedy, { code: error.code, cause: error });
  } finally {
    progress.end();
    endListening();
  }
}

/** Replaces the remedy of the client, which is for programs. */
function formatRemedyFor({ code, remedy, resetAt }: ServiceError): string {
  if (code !== "rate-limited" || resetAt === undefined) return remedy;
  return `Run it again after ${resetAt.toISOString()}, or add --wait.`;
}

const formatHowItGoesOn = (kept: number) =>
  `What was read is stored for 24 hours (${formatCount(kept, "response")}): the same export resumes there; --fresh starts again`;

/** Warns that a workspace read in two runs may be inconsistent. */
function noteRecalled({ answers, from, to }: Recalled, io: Port): void {
  const when = `${formatMoment(from)} to ${formatMoment(to)}`;
  note(
    io,
    `Resumed an interrupted export (${when}): at least ${formatCount(answers, "request")} saved. ` +
      "Changes in between may be incomplete; --fresh reads everything again",
  );
}

export interface ReadingProgress {
  readonly onObject: (type: string) => void;
  /** A list was read completely. */
  readonly onList: (type: string, objects: number) => void;
  /** An event of the client, such as a wait for the rate limit. */
  readonly onClient: (event: ProgressEvent) => void;
  readonly end: () => void;
}

type Step =
  | { readonly done: 1 }
  | { readonly listed: number }
  | { readonly waiting: Waiting }
  | { readonly slow: string };

export async function openReadingProgress(io: Port, now: () => number = Date.now): Promise<ReadingProgress> {
  const view = await io.follow(countFrames(now));
  return {
    onObject: () => view.onEvent({ done: 1 }),
    onList: (_type, listed) => view.onEvent({ listed }),
    onClient(event) {
      if (event.type !== "rate-limit-wait") {
        if (event.type === "slow-response") view.onEvent({ slow: formatSlowness(event) });
        return;
      }
      const asked = event.asked ? { asked: true } : {};
      view.onEvent({ waiting: { until: event.resetAt.getTime(), requests: event.waiting, ...asked } });
    },
    end: () => view.end(),
  };
}

function countFrames(now: () => number): Frames<Step> {
  let done = 0;
  let total: number | undefined;
  let waiting: Waiting | undefined;
  let slow: string | undefined;
  return {
    onEvent(step) {
      if ("slow" in step) return void (slow = step.slow);
      slow = undefined;
      if ("done" in step) [done, waiting] = [done + step.done, undefined];
      else if ("listed" in step) total = (total ?? 0) + step.listed;
      else waiting = step.waiting;
    },
    next() {
      if (waiting && waiting.until <= now()) waiting = undefined;
      // Lists also contain what the service created by itself; the remaining time is not known before all lists are read.
      const most = total === undefined ? undefined : Math.max(total, done);
      const tallied = { phase: "reading", done, total: most, failed: 0, running: [], waiting, slow } as const;
      return { tallied, left: undefined, now: now() };
    },
  };
}
