/** The project in which a probe creates and changes objects, and its removal, also after a kill. */
import { randomUUID } from "node:crypto";
import { AutomationError } from "../../../automation/errors.js";
import { note, warn } from "../../../automation/port.js";
import { encodeSegment } from "../../../client/path.js";
import { openHomeJournal } from "../../../recovery/home-journal.js";
import { buildIntentKey, type Intent } from "../../../recovery/journal.js";
import type { Io } from "../../../reports/io.js";
import { type Answer, type Questions, Unanswered } from "./send-requests.js";
import { readArray, requireItems } from "./workspace-reader.js";

/** Names of what a probe creates begin with this. */
export const OURS = "workspacectl-probe";
export const OUR_VARIABLE = "WORKSPACECTL_PROBE_";

interface ScratchOptions {
  readonly questions: Questions;
  /** Sends what removes the objects, also after an interruption. */
  readonly removing: Questions;
  readonly root: string;
  /** Address of the workspace. */
  readonly address: string;
  readonly name: string;
  readonly io: Io;
}

export class ScratchProject {
  private intent: Intent | undefined;
  /** Display name of a project that the probe creates. */
  private marker = "";
  /** Whether the service has confirmed the creation. */
  private isCreated = false;
  /** Whether a creation was sent whose response is missing, so that it may still happen. */
  private isUncertain = false;
  private readonly journal;

  constructor(private readonly options: ScratchOptions) {
    this.journal = openHomeJournal({ env: options.io.env, print: (line) => note(options.io, line) });
  }

  /** Path of the project. */
  get path(): string {
    return `${this.options.root}/projects/${encodeSegment(this.options.name, "projects/")}`;
  }

  /**
   * Creates the project, or checks that the existing one is empty. Removes first what a killed probe has left in it.
   * @throws {AutomationError}
   */
  async open(): Promise<void> {
    const { address, name, questions } = this.options;
    const subject = { type: "Probe", address, key: buildIntentKey("probe", address, name) };
    const left = await this.journal.openIntent(subject);
    if (left !== undefined) await this.removeLeft(left);
    const there = await questions.ask({ method: "GET", path: this.path });
    const isGiven = there.status === 200;
    if (isGiven) await this.refuseContents();
    this.marker = isGiven ? "" : `${OURS} ${randomUUID()}`;
    this.intent = await this.journal.intend(subject, [this.marker]);
    await this.intent.made(name);
    if (isGiven) return;
    const body = { name, display_name: this.marker };
    this.isUncertain = true;
    const made = await questions.ask({ method: "POST", path: `${this.options.root}/projects`, body });
    this.isUncertain = false;
    this.isCreated = made.status === 200;
    if (this.isCreated) return;
    await this.intent.forget();
    this.intent = undefined;
    throw createRefusal(name, made);
  }

  /** Removes what the probe has created. @returns false when something remains, which it prints */
  async remove(): Promise<boolean> {
    const { intent } = this;
    if (intent === undefined) return true;
    const why = await this.findRemains(() => this.removeAll(this.marker, this.isCreated));
    if (why === undefined && !this.isUncertain) {
      await intent.forget();
      this.journal.end();
    }
    // The journal of a run that has not ended well is read by the next one.
    if (why !== undefined)
      warn(
        this.options.io,
        `${this.describeRemains(why)}: run the same command again, or delete it by hand.`,
      );
    return why === undefined;
  }

  /** @throws {AutomationError} when it cannot be removed */
  private async removeLeft(intent: Intent): Promise<void> {
    const [marker = ""] = intent.before ?? [];
    // Without an id, the run has ended before it sent anything.
    const why =
      intent.id === undefined ? undefined : await this.findRemains(() => this.removeAll(marker, false));
    if (why !== undefined)
      throw new AutomationError(
        `an earlier probe was interrupted. ${this.describeRemains(why)}; nothing else was written`,
        "run the command again later, or delete by hand what is left",
      );
    await intent.forget();
    const { io, name } = this.options;
    note(io, `An earlier probe was interrupted: what it had left in project ${name} was removed.`);
  }

  /** @returns why something remains; undefined when nothing does */
  private async findRemains(remove: () => Promise<string | undefined>): Promise<string | undefined> {
    try {
      return await remove();
    } catch (error) {
      if (error instanceof Unanswered) return error.message;
      throw error;
    }
  }

  private describeRemains(why: string): string {
    return `What the probe has created in project ${this.options.name} was not removed (${why})`;
  }

  /**
   * @param marker display name of a project that the probe has created, else empty
   * @param isOurs whether the project is certainly the created one. Else its display name decides
   */
  private async removeAll(marker: string, isOurs: boolean): Promise<string | undefined> {
    const { removing } = this.options;
    const { status, body } = await removing.ask({ method: "GET", path: this.path });
    // Some services respond with 403 when nothing exists. The next creation then shows whether the name is free.
    const mayBeMissing = status === 403 && marker !== "" && !isOurs;
    if (status === 404 || status === 400 || mayBeMissing) return undefined;
    if (status !== 200) return `HTTP ${status}`;
    if (marker !== "" && !isOurs && body["display_name"] !== marker) return undefined;
    const paths =
      marker === ""
        ? (await this.contents(removing)).filter(({ isOurs: own }) => own).map(({ path }) => path)
        : [...(await this.variables(removing).catch(returnNone)).map(({ path }) => path), this.path];
    let why: string | undefined;
    for (const path of paths) {
      const { status: deleted } = await removing.ask({ method: "DELETE", path });
      if (deleted !== 200 && deleted !== 404) why = `HTTP ${deleted}`;
    }
    return why;
  }

  private async refuseContents(): Promise<void> {
    const { name, questions } = this.options;
    const contents = await this.contents(questions).catch((error: unknown) => {
      if (!(error instanceof Unanswered)) throw error;
      throw new AutomationError(
        `it cannot be found out whether project ${name} is empty (${error.message}); nothing was written`,
        "pass a name that no project has with --project, or use a token that may read the project",
        { cause: error },
      );
    });
    const { body } = await questions.ask({ method: "GET", path: `${this.path}/repository/commits` });
    if (contents.length === 0 && readArray(body, "commits").length === 0) return;
    throw new AutomationError(
      `project ${name} is not empty; nothing was written`,
      "pass a name that no project has, or that of an empty project, with --project",
    );
  }

  /** The pipelines and variables of the project. @throws {Unanswered} when they cannot be read */
  private async contents(
    questions: Questions,
  ): Promise<{ readonly path: string; readonly isOurs: boolean }[]> {
    const path = `${this.path}/pipelines`;
    const pipelines = await questions.ask({ method: "GET", path });
    return [
      ...(await this.variables(questions)),
      ...requireItems(pipelines, "pipelines").map(({ id, name }) => ({
        path: `${path}/${String(id)}`,
        isOurs: String(name).startsWith(OURS),
      })),
    ];
  }

  private async variables(questions: Questions) {
    const path = `${this.options.root}/variables`;
    const query = { projectName: this.options.name };
    return requireItems(await questions.ask({ method: "GET", path, query }), "variables").map(
      ({ id, key }) => ({ path: `${path}/${String(id)}`, isOurs: String(key).startsWith(OUR_VARIABLE) }),
    );
  }
}

/** Without the right to list variables, none was created, or the project takes them along. */
function returnNone(error: unknown): [] {
  if (error instanceof Unanswered) return [];
  throw error;
}

function createRefusal(name: string, { status }: Answer): AutomationError {
  return new AutomationError(
    `project ${name} cannot be created (HTTP ${status}); nothing was written`,
    status === 403
      ? "use a token with the scope WORKSPACE of a user who may create projects, or name an empty project"
      : "pass another name, or that of an empty project, with --project",
  );
}
