/**
 * A model of how GitLab starts, holds, cancels and finishes the jobs of pipelines. It knows nothing of what a job does but this:
 * `workspacectl preview` makes a plan, and `workspacectl up`, or a child pipeline, carries one out.
 *
 * The rules, as far as GitLab documents them:
 * - A new pipeline of the same branch or merge request cancels older ones: with `interruptible`, their jobs that are marked so; with
 *   `conservative`, the default, a whole pipeline of which no job that is not interruptible has started; with `none`, nothing.
 *   https://docs.gitlab.com/ci/yaml/#workflowauto_cancelon_new_commit and https://gitlab.com/gitlab-org/gitlab/-/issues/412473
 * - A resource group runs one job at a time. In the mode `oldest_first`, the next is the first of the upcoming jobs, those that have
 *   not started yet included, in the order of their pipelines. In the mode `unordered`, it is any job that is ready.
 *   https://docs.gitlab.com/ci/resource_groups/#process-modes
 * - A manual job is started by a person. An older deployment job fails when a newer one has succeeded.
 *   https://docs.gitlab.com/ci/environments/deployment_safety/#prevent-outdated-deployment-jobs
 */
import type { Random } from "../chaos/random.js";
import type { Content } from "./github-model.js";

export interface JobFile {
  readonly stage?: string;
  readonly script?: readonly string[];
  readonly trigger?: unknown;
  readonly needs?: readonly unknown[];
  readonly interruptible?: boolean;
  readonly rules?: readonly { readonly if: string; readonly when?: string }[];
  readonly environment?: unknown;
  readonly resource_group?: string;
}

export interface Configuration {
  readonly stages: readonly string[];
  readonly workflow?: { readonly auto_cancel?: { readonly on_new_commit?: string } };
  readonly jobs: Readonly<Record<string, JobFile>>;
}

export interface Job {
  readonly name: string;
  readonly file: JobFile;
  readonly pipeline: Pipeline;
  state: "created" | "manual" | "waiting" | "running" | "success" | "failed" | "canceled";
}

export interface Pipeline {
  readonly id: number;
  readonly event: string;
  readonly ref: string;
  readonly content: Content;
  readonly jobs: Job[];
  plan: { readonly from: string; readonly to: Content } | undefined;
}

const applies = ({ file }: Job) =>
  file.trigger !== undefined
    ? file.resource_group !== undefined
    : /\bworkspacectl (fleet )?up\b/.test(JSON.stringify(file.script));
const isDone = ({ state }: Job) => ["success", "failed", "canceled"].includes(state);

export class GitLab {
  readonly pipelines: Pipeline[] = [];
  readonly faults: string[] = [];
  main: Content = [];
  readonly applied = new Map<string, Content>();

  constructor(
    readonly configuration: Configuration,
    readonly random: Random,
    readonly processMode: "oldest_first" | "unordered",
  ) {}

  get jobs(): Job[] {
    return this.pipelines.flatMap(({ jobs }) => jobs);
  }

  /** Creates the pipeline of an event. */
  create(event: string, ref: string, content: Content): void {
    const pipeline: Pipeline = { id: this.pipelines.length, event, ref, content, jobs: [], plan: undefined };
    for (const [name, file] of Object.entries(this.configuration.jobs)) {
      const rule = file.rules?.find((one) => one.if.includes(`"${event}"`));
      if (rule !== undefined)
        pipeline.jobs.push({ name, file, pipeline, state: rule.when === "manual" ? "manual" : "created" });
    }
    if (event !== "schedule") for (const older of this.pipelines) if (older.ref === ref) this.#cancel(older);
    this.pipelines.push(pipeline);
  }

  #cancel({ event, jobs }: Pipeline): void {
    if (event === "schedule") return;
    const mode = this.configuration.workflow?.auto_cancel?.on_new_commit ?? "conservative";
    const hasStarted = jobs.some(
      ({ file, state }) => file.interruptible !== true && !["created", "manual", "waiting"].includes(state),
    );
    for (const job of jobs.filter((one) => !isDone(one) && one.state !== "manual")) {
      const isCancelled =
        mode === "interruptible" ? job.file.interruptible === true : mode === "conservative" && !hasStarted;
      if (!isCancelled) continue;
      if (applies(job)) this.faults.push(`${describe(job)} is cancelled by a push`);
      job.state = "canceled";
    }
  }

  /** Starts a manual job, or repeats one. */
  play(job: Job): void {
    job.state = "waiting";
  }

  /** Lets one job take its next step. @returns whether there was one */
  step(): boolean {
    const ready = this.jobs.filter((job) => this.#isReady(job));
    if (ready.length === 0) return false;
    const job = this.random.pick(ready);
    if (job.state === "running") this.#finish(job);
    else if (this.#isOutdated(job)) job.state = "failed";
    else {
      job.state = "running";
      const other = this.jobs.find((one) => one !== job && applies(one) && one.state === "running");
      if (applies(job) && other) this.faults.push(`${describe(job)} applies while ${describe(other)} does`);
    }
    return true;
  }

  #isReady(job: Job): boolean {
    if (job.state === "running") return true;
    if (job.state !== "created" && job.state !== "waiting") return false;
    if (!this.#before(job).every(({ state }) => state === "success")) return false;
    const group = job.file.resource_group;
    if (group === undefined) return true;
    const inGroup = this.jobs.filter(({ file }) => file.resource_group === group);
    const holder = inGroup.find(({ state }) => state === "running");
    if (holder !== undefined && applies(job) && !applies(holder))
      this.faults.push(`${describe(job)} waits for ${describe(holder)}`);
    const upcoming = inGroup.filter(
      (one) => ["created", "waiting"].includes(one.state) && !this.#isBlocked(one),
    );
    return holder === undefined && (this.processMode === "unordered" || upcoming[0] === job);
  }

  #before({ file, pipeline }: Job): Job[] {
    const { stages } = this.configuration;
    const of = (job: JobFile) => stages.indexOf(job.stage ?? "test");
    return pipeline.jobs.filter((other) =>
      file.needs === undefined ? of(other.file) < of(file) : file.needs.includes(other.name),
    );
  }

  /** Whether a job will never start, because one before it has failed: GitLab marks it as skipped. */
  #isBlocked(job: Job): boolean {
    return this.#before(job).some((one) => isDone(one) && one.state !== "success");
  }

  #isOutdated(job: Job): boolean {
    if (job.file.environment !== "production") return false;
    return this.jobs.some(
      ({ file, state, pipeline }) =>
        file.environment === "production" && state === "success" && pipeline.id > job.pipeline.id,
    );
  }

  #finish(job: Job): void {
    const { pipeline, file } = job;
    job.state = "success";
    const part = /fleet/.test(String(file.resource_group)) ? job.name : "workspace";
    const before = this.applied.get(part) ?? [];
    if (/workspacectl preview/.test(JSON.stringify(file.script)))
      pipeline.plan = { from: String(this.applied.get("workspace") ?? []), to: pipeline.content };
    if (!applies(job)) return;
    if (JSON.stringify(file.script ?? []).includes("--approved") && pipeline.plan?.from !== String(before)) {
      job.state = "failed";
      return;
    }
    const undone = before.filter((change) => !pipeline.content.includes(change));
    if (undone.length > 0) this.faults.push(`${describe(job)} undoes ${undone.join(", ")}`);
    this.applied.set(part, pipeline.content);
  }
}

function describe({ name, pipeline }: Job): string {
  return `${name} of pipeline ${pipeline.id} (${pipeline.event})`;
}
