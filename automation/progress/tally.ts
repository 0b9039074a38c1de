/** Tracks the progress of an operation from engine events. */
import type { EngineEvent, OpType } from "@pulumi/pulumi/automation/index.js";
import { WAITING_FOR_SERVICE } from "../../provider/index.js";
import { isObject, parseIdentity } from "../urn.js";

/** What the operation is currently doing with objects. */
type Phase = "starting" | "reading" | "comparing" | "changing";

/** Expected number of objects per phase, where known. */
export type ExpectedCounts = Partial<Record<Exclude<Phase, "starting">, number>>;

export interface Running {
  readonly type: string;
  readonly name: string;
  readonly operation: OpType | "adopt";
  /** Start time in milliseconds. */
  readonly since: number;
}

/** Requests that wait for the rate limit. */
export interface Waiting {
  readonly until: number;
  readonly requests: number;
  /** The service asked for a pause although the hour's requests are not used up. */
  readonly asked?: boolean;
}

export interface Tallied {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number | undefined;
  readonly failed: number;
  /** Operations in progress, the longest first. */
  readonly running: readonly Running[];
  readonly waiting: Waiting | undefined;
  /** What the service does not respond to. */
  readonly slow?: string | undefined;
  /** Milliseconds that each changed object took, by type and name, and the objects that failed. */
  readonly ended?: ReadonlyMap<string, { readonly took: number; readonly failed: boolean }>;
}

/** How far an operation is at a moment. */
export interface Frame {
  readonly tallied: Tallied;
  /** Milliseconds left, if they can be estimated. */
  readonly left: number | undefined;
  readonly now: number;
}

/** An operation whose progress is shown. */
export interface Progress<E = EngineEvent> {
  readonly onEvent: (event: E) => void;
  /** Clears what is shown while it runs; printed lines stay. */
  end(): void;
}

/** Counts the events of an operation. */
export interface Frames<E = EngineEvent> {
  readonly onEvent: (event: E) => void;
  next(): Frame;
}

const PHASES: Partial<Record<OpType, Phase>> = {
  refresh: "reading",
  read: "reading",
  same: "comparing",
  create: "changing",
  update: "changing",
  delete: "changing",
  replace: "changing",
  "create-replacement": "changing",
  "delete-replaced": "changing",
  discard: "changing",
};

/** Parts of a replacement, which is counted once. */
const PARTS: readonly OpType[] = ["create-replacement", "delete-replaced"];

/** The line with which the provider reports a wait (provider/connection/progress-line.ts). */
const WAIT = /(rate limit reached|the service asks for a pause): (\d+) requests? waits? \d+ s, until (\S+)/;

/** Time for which a line about a slow service holds; the next one comes before. */
const SLOW_FOR_MS = 7_000;

/** What a line of the provider says that the service does not respond to. */
export function slownessIn(line: string): string | undefined {
  const at = line.indexOf(WAITING_FOR_SERVICE);
  return at < 0 ? undefined : line.slice(at + WAITING_FOR_SERVICE.length).trim();
}

/** Parses a line of the provider that reports a wait. */
export function waitIn(line: string): Waiting | undefined {
  const [, why, requests, until] = WAIT.exec(line) ?? [];
  if (requests === undefined || until === undefined) return undefined;
  const asked = why !== "rate limit reached";
  return { requests: Number(requests), until: Date.parse(until), ...(asked ? { asked } : {}) };
}

export interface TallyOptions {
  /** The operation only plans changes. */
  readonly dry?: boolean;
  /** The operation only reads. */
  readonly reads?: boolean;
  /** Logical names of adopted objects, which the engine reports as created. */
  readonly adopting?: ReadonlySet<string> | undefined;
  readonly expected?: ExpectedCounts;
  readonly now?: () => number;
}

export class Tally {
  private readonly seen: Record<Exclude<Phase, "starting">, Set<string>> = {
    reading: new Set(),
    comparing: new Set(),
    changing: new Set(),
  };
  private readonly running = new Map<string, Running>();
  private readonly failures = new Set<string>();
  private readonly ended = new Map<string, { took: number; failed: boolean }>();
  private phase: Phase = "starting";
  private wait: Waiting | undefined;
  private slow: { readonly text: string; readonly until: number } | undefined;
  private readonly now: () => number;

  constructor(private readonly options: TallyOptions = {}) {
    this.now = options.now ?? Date.now;
  }

  readonly onEvent = ({
    resourcePreEvent,
    resOutputsEvent,
    resOpFailedEvent,
    diagnosticEvent,
  }: EngineEvent): void => {
    const said = diagnosticEvent?.message ?? "";
    this.wait = waitIn(said) ?? this.wait;
    const slow = slownessIn(said);
    if (slow !== undefined) this.slow = { text: slow, until: this.now() + SLOW_FOR_MS };
    const began = resourcePreEvent?.metadata;
    if (began && isObject(began) && began.op !== "same") {
      const since = this.now();
      const { type, name } = parseIdentity(began);
      const isAdopted = began.op === "create" && this.options.adopting?.has(name);
      this.running.set(began.urn, { type, name, operation: isAdopted ? "adopt" : began.op, since });
    }
    const ended = (resOutputsEvent ?? resOpFailedEvent)?.metadata;
    if (!ended || !isObject(ended)) return;
    const started = this.running.get(ended.urn);
    this.running.delete(ended.urn);
    if (this.phaseOf(ended.op) === "changing") {
      const { type, name } = parseIdentity(ended);
      const took = started === undefined ? 0 : this.now() - started.since;
      this.ended.set(`${type} ${name}`, { took, failed: resOpFailedEvent !== undefined });
    }
    if (resOpFailedEvent) this.failures.add(ended.urn);
    const phase = this.phaseOf(ended.op);
    if (phase === undefined || phase === "starting" || PARTS.includes(ended.op)) return;
    this.seen[phase].add(ended.urn);
    // Unchanged objects do not count as progress of the changes.
    if (!(this.phase === "changing" && phase === "comparing")) this.phase = phase;
  };

  get tallied(): Tallied {
    const { phase, failures, options } = this;
    const done = phase === "starting" ? 0 : this.seen[phase].size;
    const expected = phase === "starting" ? undefined : options.expected?.[phase];
    const waiting = this.wait && this.wait.until > this.now() ? this.wait : undefined;
    return {
      phase,
      done,
      // There are more objects than expected, so the total is unknown.
      total: expected !== undefined && expected >= done ? expected : undefined,
      failed: failures.size,
      running: [...this.running.values()].sort((a, b) => a.since - b.since),
      waiting,
      slow: this.slow && this.slow.until > this.now() ? this.slow.text : undefined,
      ended: this.ended,
    };
  }

  private phaseOf(op: OpType): Phase | undefined {
    const phase = PHASES[op];
    if (this.options.reads && phase !== undefined) return "reading";
    return this.options.dry && phase === "changing" ? "comparing" : phase;
  }
}
