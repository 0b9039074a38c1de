/** The project in which a probe creates and changes objects, and its removal, also after a kill. */
import { randomUUID } from "node:crypto";
import { encodeSegment } from "../../../client/path.js";
import { openHomeJournal } from "../../../recovery/home-journal.js";
import { buildIntentKey, type Intent } from "../../../recovery/journal.js";
import { CliError } from "../../errors.js";
import { note, warn, type Io } from "../../terminal/io.js";
import type { Answer, Questions } from "./questions.js";
import { readArray } from "./workspace-reader.js";

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
  /** Display name of a project that the probe has created. */
  private marker = "";
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
   * @throws {CliError}
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
    const made = await questions.ask({ method: "POST", path: `${this.options.root}/projects`, body });
    if (made.status === 200) return;
    await this.intent.forget();
    this.intent = undefined;
    throw createRefusal(name, made);
  }

  /** Removes what the probe has created. Prints what it could not remove. */
  async remove(): Promise<void> {
    const { intent } = this;
    if (intent === undefined) return;
    if (await this.removeAll(this.marker)) await intent.forget();
    this.journal.end();
  }

  private async removeLeft(intent: Intent): Promise<void> {
    const [marker = ""] = intent.before ?? [];
    // Without an id, the run has ended before it sent anything.
    if (intent.id === undefined || (await this.removeAll(marker, true))) await intent.forget();
    note(
      this.options.io,
      `An earlier probe was interrupted: what it had left in project ${this.options.name} was removed.`,
    );
  }

  /** @param isLeft whether another run has created it, so that the project may not be what that run saw */
  private async removeAll(marker: string, isLeft = false): Promise<boolean> {
    const { removing, name, io } = this.options;
    const project = await removing.ask({ method: "GET", path: this.path });
    if (project.status !== 200) return true;
    const isOurs = marker !== "" && (!isLeft || project.body["display_name"] === marker);
    const contents = await this.contents(removing);
    for (const path of contents.filter(({ isOurs }) => isOurs).map((one) => one.path))
      await removing.ask({ method: "DELETE", path });
    const last = isOurs ? await removing.ask({ method: "DELETE", path: this.path }) : undefined;
    const remains = last === undefined ? marker !== "" : last.status !== 200;
    if (remains)
      warn(
        io,
        `Project ${name}, which the probe has created, was not removed${last ? ` (HTTP ${last.status})` : " because it has another display name now"}: delete it by hand.`,
      );
    return !remains;
  }

  private async refuseContents(): Promise<void> {
    const { name, questions } = this.options;
    if ((await this.contents(questions)).length === 0) return;
    throw new CliError(
      `project ${name} is not empty; nothing was written`,
      "choose a name that no project has, or an empty project",
    );
  }

  private async contents(
    questions: Questions,
  ): Promise<{ readonly path: string; readonly isOurs: boolean }[]> {
    const { root, name } = this.options;
    const pipelines = await questions.ask({ method: "GET", path: `${this.path}/pipelines` });
    const query = { projectName: name };
    const variables = await questions.ask({ method: "GET", path: `${root}/variables`, query });
    return [
      ...readArray(variables.body, "variables").map(({ id, key }) => ({
        path: `${root}/variables/${String(id)}`,
        isOurs: String(key).startsWith(OUR_VARIABLE),
      })),
      ...readArray(pipelines.body, "pipelines").map(({ id, name: pipeline }) => ({
        path: `${this.path}/pipelines/${String(id)}`,
        isOurs: String(pipeline).startsWith(OURS),
      })),
    ];
  }
}

function createRefusal(name: string, { status }: Answer): CliError {
  return new CliError(
    `project ${name} cannot be created (HTTP ${status}); nothing was written`,
    status === 403
      ? "use a token with the scope WORKSPACE of a user who may create projects, or name an empty project"
      : "choose another name, or name an empty project",
  );
}
