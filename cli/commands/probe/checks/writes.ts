/** The checks that create and change objects, all in the scratch project. */
import type { AssumptionId } from "../../../../assumptions/list-of-assumptions.js";
import { OUR_VARIABLE, OURS } from "../scratch-project.js";
import { type Answer, type Method, SCHEDULES, Unanswered } from "../send-requests.js";
import { readArray, type WorkspaceReader } from "../workspace-reader.js";
import {
  checkMask,
  type CheckResult,
  reportBehavior,
  reportDiffers,
  reportHolds,
  reportUndecided,
} from "./reads.js";

interface ScratchPipeline {
  readonly path: string;
  readonly actions: readonly [number, number];
  readonly firstOrder: string;
}

/** The scratch project, and what the checks share in it. */
export class ScratchWorld {
  constructor(
    readonly reader: WorkspaceReader,
    /** Path of the project. */
    readonly path: string,
    private readonly project: string,
  ) {}

  /** How a variable names the project to which it belongs. */
  get projectReference(): { readonly name: string } {
    return { name: this.project };
  }

  send(method: Method, path: string, body?: object): Promise<Answer> {
    return this.reader.questions.ask({ method, path, body });
  }

  /** A pipeline with two actions that never run, and their order after the creation. */
  pipeline(): Promise<ScratchPipeline> {
    return this.reader.once("scratch pipeline", async () => {
      const made = await this.send("POST", `${this.path}/pipelines`, buildPipeline(`${OURS}-actions`));
      const path = `${this.path}/pipelines/${requireId(made, "pipeline")}`;
      const action = async (name: string) => {
        const body = { name, type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "localhost" };
        return requireId(await this.send("POST", `${path}/actions`, body), "action");
      };
      const actions = [await action("first"), await action("second")] as const;
      return { path, actions, firstOrder: await this.order(path) };
    });
  }

  /** A paused pipeline whose schedule never comes within a year. */
  scheduled(): Promise<Answer> {
    return this.reader.once("scratch schedule", () => {
      const schedule = { trigger_mode: "SCHEDULED", cron: SCHEDULES[0], paused: true };
      return this.send("POST", `${this.path}/pipelines`, {
        ...buildPipeline(`${OURS}-schedule`),
        ...schedule,
      });
    });
  }

  async variable(
    name: string,
    more: object,
  ): Promise<{ readonly path: string; readonly body: Answer["body"] }> {
    const body = { key: `${OUR_VARIABLE}${name}`, value: "first", project: this.projectReference, ...more };
    const made = await this.send("POST", `${this.reader.root}/variables`, body);
    return { path: `${this.reader.root}/variables/${requireId(made, "variable")}`, body: made.body };
  }

  /** Numbers of the actions in their order. */
  async order(path: string): Promise<string> {
    const { body } = await this.send("GET", path);
    return readArray(body, "actions")
      .map((action) => String(action["id"]))
      .join(" ");
  }
}

export type WriteCheck = (world: ScratchWorld) => Promise<CheckResult>;

const buildPipeline = (name: string) => ({
  name,
  ref_name: "main",
  ref_type: "BRANCH",
  trigger_mode: "MANUAL",
});

export const writeChecks = {
  "single-action-paths": async (world) => {
    const { path, actions } = await world.pipeline();
    const read = await world.send("GET", `${path}/actions/${actions[0]}`);
    const change = await world.send("PATCH", `${path}/actions/${actions[0]}`, { name: "changed" });
    const works = read.status === 200 && change.status === 200;
    return reportBehavior(
      "singleActionPaths",
      works,
      `GET of an action: HTTP ${read.status}; PATCH: HTTP ${change.status}`,
    );
  },
  "new-action-last": async (world) => {
    const { actions, firstOrder } = await world.pipeline();
    return firstOrder === actions.join(" ")
      ? reportHolds("a new action is the last one")
      : reportDiffers("a new action is not the last one");
  },
  "movable-actions": async (world) => {
    const { path, actions } = await world.pipeline();
    const [first, second] = actions;
    const body = { after_action_id: second };
    const { status } = await world.send("PATCH", `${path}/actions/${first}`, body);
    if (status !== 200) return reportUndecided(`the action cannot be changed (HTTP ${status})`);
    const isMoved = (await world.order(path)) === `${second} ${first}`;
    return reportBehavior(
      "movableActions",
      isMoved,
      isMoved ? "the action was moved" : "the action was not moved",
    );
  },
  "cron-alone": async (world) => {
    const { status } = await world.scheduled();
    const found = `POST with a cron alone: HTTP ${status}`;
    return status === 200 ? reportHolds(found) : reportDiffers(found);
  },
  "show-schedule": async (world) => {
    const body = requireSchedule(await world.scheduled());
    const isShown = "cron" in body;
    return reportBehavior(
      "showSchedule",
      isShown,
      isShown ? "the schedule is shown" : "the schedule is not shown",
    );
  },
  "cron-updates": async (world) => {
    const made = await world.scheduled();
    const path = `${world.path}/pipelines/${requireId({ ...made, body: requireSchedule(made) }, "pipeline")}`;
    const [, cron] = SCHEDULES;
    const { status, body, messages } = await world.send("PATCH", path, { cron });
    const found = `PATCH of the cron: HTTP ${status}`;
    if (status === 400 && messages.some((message) => /\bcron\b/.test(message)))
      return reportBehavior("cronUpdates", false, found);
    if (status !== 200) return reportUndecided(found);
    if (!("cron" in body))
      return reportUndecided(`${found}, and the service does not show whether it did anything`);
    return reportBehavior(
      "cronUpdates",
      body["cron"] === cron,
      `${found}; it shows ${body["cron"] === cron ? "the new" : "the old"} one`,
    );
  },
  "empty-repository": async (world) => {
    const { status, body } = await world.send("GET", `${world.path}/repository/commits`);
    const commits = readArray(body, "commits").length;
    return commits === 0
      ? reportHolds(`a new project has no commit (HTTP ${status})`)
      : reportDiffers("a new project has a commit");
  },
  "encrypted-values": async (world) => {
    const { path, body } = await world.variable("ENCRYPTED", { encrypted: true });
    const before = await checkMask(world.reader, path, body["value"]);
    if (before.value !== "stable") return before;
    const change = { key: body["key"], value: "second", encrypted: true };
    const { body: after } = await world.send("PATCH", path, change);
    if (after["value"] !== body["value"]) return before;
    return reportBehavior(
      "encryptedValues",
      "changing",
      "the masked form stays the same when the value changes",
    );
  },
  "cleared-text": async (world) => {
    const { path, body } = await world.variable("TEXT", { description: "text" });
    const change = async (description: string | null) => {
      const changed = await world.send("PATCH", path, { key: body["key"], value: "first", description });
      return changed.status === 200 && (changed.body["description"] ?? "") === "";
    };
    if (await change(null)) return reportBehavior("clearedBy", "null", "null clears a description");
    if (await change(""))
      return reportBehavior("clearedBy", "empty", "an empty text clears a description, and null does not");
    return reportDiffers("neither null nor an empty text clears a description");
  },
  "unknown-fields": async (world) => {
    const body = { key: `${OUR_VARIABLE}UNKNOWN`, value: "first" };
    const more = { project: world.projectReference, workspacectl_probe: true };
    const { status } = await world.send("POST", `${world.reader.root}/variables`, { ...body, ...more });
    const found = `POST with a field that does not exist: HTTP ${status}`;
    if (status === 200) return reportBehavior("strictBodies", false, found);
    return status === 400 ? reportBehavior("strictBodies", true, found) : reportUndecided(found);
  },
  "names-unique": async (world) => {
    await world.pipeline();
    const { status } = await world.send("POST", `${world.path}/pipelines`, buildPipeline(`${OURS}-actions`));
    const found = `POST of a pipeline with the name of another: HTTP ${status}`;
    return status === 200 ? reportHolds(found) : reportDiffers(found);
  },
} as const satisfies Partial<Record<AssumptionId, WriteCheck>>;

function requireId({ status, body }: Answer, what: string): number {
  if (typeof body["id"] === "number") return body["id"];
  throw new Unanswered(`no ${what} could be created (HTTP ${status})`);
}

function requireSchedule({ status, body }: Answer): Answer["body"] {
  if (status === 200) return body;
  throw new Unanswered(`no scheduled pipeline could be created (HTTP ${status})`);
}
