/**
 * A model of how GitHub starts, holds, cancels and finishes the runs of workflows. It knows nothing of what a job does but this:
 * `workspacectl preview` makes a plan, and `workspacectl up` carries one out. Time passes in steps that the caller chooses.
 *
 * The rules, as far as GitHub documents them:
 * - A group has at most one run in progress. A new one is pending while another is in progress. By default, it replaces a pending
 *   one, which is cancelled; with `queue: max`, up to 100 are pending, and further ones are cancelled; with `cancel-in-progress`,
 *   the run in progress is cancelled too. Groups belong to the repository, and their names ignore case.
 *   https://docs.github.com/en/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency
 * - "Ordering is not guaranteed" (the same page): any pending run may be next.
 * - A run that waits for the approval of an environment is not completed, and so holds its group.
 *   https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-run-statuses
 * - `workflow_run` starts when a run of a named workflow is completed, whatever its result.
 *   https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#workflow_run
 * - actions/checkout takes the commit of the event, or the newest one of the branch in `ref`.
 *   https://github.com/actions/checkout#usage
 */
import type { Random } from "../chaos/random.js";
import {
  type Concurrency,
  type Context,
  filled,
  type Job,
  property,
  scriptOf,
  valueOf,
  type Workflow,
} from "./workflow.js";

/** The changes that a commit contains, or that have been applied. */
export type Content = readonly number[];

interface Plan {
  readonly from: string;
  readonly to: Content;
}

export interface Run {
  readonly id: number;
  readonly path: string;
  readonly workflow: Workflow;
  readonly event: string;
  readonly context: Context;
  /** What the commit of the event contains. */
  readonly content: Content;
  readonly group: string | undefined;
  state: "pending" | "running" | "waiting" | "success" | "failure" | "rejected" | "cancelled";
  /** Jobs that have not started. */
  readonly left: string[];
  readonly needs: Record<string, { result: string; outputs: Record<string, unknown> }>;
  /** The content that a job has checked out. */
  readonly checkedOut: Map<string, Content>;
  plan: Plan | undefined;
  /** The parts that it is about to change, and to which content. */
  applying: { readonly part: string; readonly to: Content } | undefined;
}

export interface PullRequest {
  readonly number: number;
  /** The change itself, and the content of its merge with `main`. */
  content: Content;
  /** Changes with each push. */
  head: string;
  isMerged: boolean;
}

const changes = (run: Run) => Object.values(run.workflow.jobs).some((job) => applies(job));
const applies = ({ steps }: Job) => steps.some((step) => /\bworkspacectl (fleet )?up\b/.test(scriptOf(step)));

export class GitHub {
  readonly runs: Run[] = [];
  readonly pulls: PullRequest[] = [];
  /** What is wrong, each with the reason. */
  readonly faults: string[] = [];
  main: Content = [];
  readonly applied = new Map<string, Content>();
  /** Statuses of commits, and the plans that their previews have shown. */
  readonly statuses = new Map<string, Plan>();
  /** Commits of the merge queue that wait for their checks. */
  readonly queued = new Map<string, PullRequest>();
  #next = 1;

  constructor(
    readonly workflows: ReadonlyMap<string, Workflow>,
    readonly random: Random,
    readonly options: { readonly approvals: boolean },
  ) {}

  // What people and clocks do.

  open(): void {
    const number = this.pulls.length + 1;
    this.pulls.push({ number, content: [], head: "", isMerged: false });
    this.push(this.pulls.at(-1)!);
  }

  /** Pushes to a pull request, which brings it up to date with `main`. */
  push(pull: PullRequest): void {
    pull.content = [...this.main, pull.number];
    pull.head = `${pull.number}.${this.#next}`;
    this.#event("pull_request", { ref: `refs/pull/${pull.number}/merge` }, pull.content, pull);
  }

  /** Merges a pull request that is up to date and was previewed, as a protected branch requires it. */
  merge(pull: PullRequest): void {
    const isCurrent = pull.content.length === this.main.length + 1;
    if (pull.isMerged || !isCurrent || !this.statuses.has(pull.head)) return;
    this.#land(pull, pull.content);
  }

  /** Adds a pull request to the merge queue, which checks it on top of `main` and of what is before it. */
  enqueue(pull: PullRequest): void {
    if (pull.isMerged || [...this.queued.values()].includes(pull)) return;
    const content = [...this.main, ...[...this.queued.values()].map(({ number }) => number), pull.number];
    const head = `queue.${this.#next}`;
    this.queued.set(head, pull);
    this.#event(
      "merge_group",
      { ref: `refs/heads/gh-readonly-queue/main/${head}` },
      content,
      undefined,
      head,
    );
  }

  schedule(): void {
    this.#event("schedule", { ref: "refs/heads/main" }, this.main);
  }

  dispatch(): void {
    for (const [path, workflow] of this.workflows)
      if (
        path.endsWith("up.yml") &&
        "workflow_dispatch" in workflow.on &&
        !/inputs\./.test(JSON.stringify(workflow))
      )
        this.#start(path, workflow, "workflow_dispatch", { ref: "refs/heads/main" }, this.main);
  }

  approve(run: Run): void {
    run.state = "running";
    this.#begin(run, run.left.shift()!);
  }

  reject(run: Run): void {
    this.#end(run, "rejected");
  }

  #land(pull: PullRequest, content: Content): void {
    pull.isMerged = true;
    this.main = content;
    this.#event("push", { ref: "refs/heads/main" }, content, pull);
  }

  // What GitHub does.

  #event(event: string, github: Context, content: Content, pull?: PullRequest, head = pull?.head): void {
    for (const [path, workflow] of this.workflows)
      if (event in workflow.on) this.#start(path, workflow, event, github, content, pull, head);
  }

  #start(
    path: string,
    workflow: Workflow,
    event: string,
    github: Context,
    content: Content,
    pull?: PullRequest,
    head?: string,
  ): void {
    const id = this.#next++;
    const payload = { repository: { default_branch: "main" } };
    const context = {
      github: { repository: "o/r", run_id: id, event_name: event, event: payload, pull, head, ...github },
    };
    const { group, queue, ...more } = concurrencyOf(workflow);
    const run: Run = {
      ...{ id, path, workflow, event, context, content, state: "running", left: Object.keys(workflow.jobs) },
      ...{ needs: {}, checkedOut: new Map(), plan: undefined, applying: undefined },
      group: group === undefined ? undefined : filled(group, context).toLowerCase(),
    };
    this.runs.push(run);
    const others = this.runs.filter(
      (other) => other !== run && run.group !== undefined && other.group === run.group,
    );
    const holder = others.find(({ state }) => state === "running" || state === "waiting");
    const pending = others.filter(({ state }) => state === "pending");
    if (more["cancel-in-progress"] === true) {
      for (const other of [...pending, ...(holder ? [holder] : [])]) this.#cancel(other, run);
    } else if (holder !== undefined) {
      run.state = "pending";
      if (changes(run) && !changes(holder))
        this.faults.push(`${describe(run)} waits for ${describe(holder)}`);
      if (queue === "max") {
        if (pending.length >= 100) run.state = "cancelled";
      } else for (const other of pending) this.#cancel(other, run);
    }
  }

  #cancel(run: Run, by: Run): void {
    const isNewer = pullOf(run) === pullOf(by) && conclusionBefore(by) !== "cancelled";
    if (changes(run) || !isNewer) this.faults.push(`${describe(run)} is cancelled by ${describe(by)}`);
    this.#end(run, "cancelled");
  }

  #end(run: Run, state: Run["state"]): void {
    const held = run.state !== "pending";
    run.state = state;
    run.applying = undefined;
    const next = this.runs.filter(({ group, state: of }) => held && group === run.group && of === "pending");
    if (next.length > 0 && run.group !== undefined) this.random.pick(next).state = "running";
    const { github } = run.context as { github: { pull?: PullRequest; head?: string } };
    for (const [path, workflow] of this.workflows) {
      const { workflows = [] } = (workflow.on["workflow_run"] ?? {}) as { workflows?: readonly string[] };
      if (!workflows.includes(run.workflow.name)) continue;
      const completed = {
        ...{
          conclusion: state,
          event: run.event,
          head_sha: github.head,
          head_repository: { full_name: "o/r" },
        },
        pull_requests:
          run.event === "pull_request" ? [{ number: github.pull?.number, base: { ref: "main" } }] : [],
      };
      const event = { workflow_run: completed, repository: { default_branch: "main" } };
      this.#start(path, workflow, "workflow_run", { event }, run.content, github.pull, github.head);
    }
  }

  /** Lets one run that is in progress take its next step. @returns whether there was one */
  step(): boolean {
    const running = this.runs.filter(({ state }) => state === "running");
    if (running.length === 0) return false;
    const run = this.random.pick(running);
    if (run.applying !== undefined) this.#apply(run);
    else {
      const name = run.left[0];
      if (name === undefined) this.#end(run, "success");
      else this.#reach(run, name, run.workflow.jobs[name]!);
    }
    return true;
  }

  #apply(run: Run): void {
    const { part, to } = run.applying!;
    const before = this.applied.get(part) ?? [];
    const undone = before.filter((change) => !to.includes(change));
    if (undone.length > 0) this.faults.push(`${describe(run)} undoes ${undone.join(", ")}`);
    this.applied.set(part, to);
    run.applying = undefined;
  }

  #reach(run: Run, name: string, job: Job): void {
    const condition = job.if?.replace(/^\$\{\{(.*)\}\}$/, "$1");
    const needed = [job.needs ?? []].flat();
    const isBlocked = needed.some((other) => run.needs[other]?.result !== "success");
    const isWanted =
      condition === undefined ? !isBlocked : valueOf(condition, { ...run.context, needs: run.needs });
    if (isWanted !== true) {
      run.left.shift();
      run.needs[name] = { result: "skipped", outputs: {} };
    } else if (job.environment === "production" && this.options.approvals) run.state = "waiting";
    else this.#begin(run, run.left.shift()!);
  }

  #begin(run: Run, name: string): void {
    const job = run.workflow.jobs[name]!;
    const script = job.steps.map(scriptOf).join("\n");
    const content = this.#checkedOut(run, job);
    run.checkedOut.set(name, content);
    const part = /fleet up/.test(script) ? (/canary/.test(script) ? "canary" : "rest") : "workspace";
    const from = this.#stateOf(part);
    if (/\bworkspacectl (fleet )?preview\b/.test(script)) run.plan = { from, to: content };
    const isChange = run.plan !== undefined && run.plan.from !== String(run.plan.to);
    run.needs[name] = {
      result: "success",
      outputs: { commit: content, result: isChange ? "changes" : "nothing" },
    };
    const { head } = (run.context as { github: { head?: string } }).github;
    if (/\/statuses\//.test(script) && head !== undefined && run.plan !== undefined) {
      this.statuses.set(head, run.plan);
      this.#dequeue();
    }
    if (!/\bworkspacectl (fleet )?up\b/.test(script)) return;
    const approved = run.plan ?? this.statuses.get(head ?? "");
    const isApproved =
      !script.includes("--approved") || (approved?.from === from && String(approved.to) === String(content));
    if (!isApproved) return this.#end(run, "failure");
    const other = this.runs.find(({ applying }) => applying !== undefined);
    if (other !== undefined) this.faults.push(`${describe(run)} applies while ${describe(other)} does`);
    run.applying = { part, to: content };
  }

  #stateOf(part: string): string {
    return String(this.applied.get(part) ?? []);
  }

  #checkedOut(run: Run, job: Job): Content {
    const steps = job.steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    const step = steps.find((one) => one.with?.["path"] === "change") ?? steps.at(-1);
    const ref = String(step?.with?.["ref"] ?? "");
    const [, from] = /^\$\{\{ needs\.(\w+)\.outputs\.commit \}\}$/.exec(ref) ?? [];
    if (from !== undefined) return run.checkedOut.get(from) ?? [];
    // The default branch in a workflow that no push to it starts.
    return ref === "main" || ["schedule", "workflow_dispatch"].includes(run.event) ? this.main : run.content;
  }

  /** Merges what is first in the queue as soon as its commit was checked and previewed. */
  #dequeue(): void {
    for (const [head, pull] of this.queued) {
      const plan = this.statuses.get(head);
      if (plan === undefined) return;
      this.queued.delete(head);
      this.#land(pull, plan.to);
    }
  }
}

function concurrencyOf({ concurrency }: Workflow): Partial<Exclude<Concurrency, string>> {
  return typeof concurrency === "string" ? { group: concurrency } : (concurrency ?? {});
}

const pullOf = (run: Run) => (run.context as { github: { pull?: PullRequest } }).github.pull;
const conclusionBefore = (run: Run) => property(run.context, "github.event.workflow_run.conclusion");

function describe(run: Run): string {
  return `${run.path} ${run.id} (${run.event}, ${String(run.content)})`;
}
