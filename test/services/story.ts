/**
 * Applies a random workspace to a random service that the specification allows, reads it, changes it outside, applies a later version and
 * deletes it. The provider may refuse, but what succeeds is true, and nothing else is written.
 */
import { isDeepStrictEqual } from "node:util";
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import type { Clock } from "../../client/index.js";
import { chooseBehavior, type Emulator, startEmulator } from "../../emulator/index.js";
import { type Random, randomOf } from "../chaos/random.js";
import { shownIn, type ShownObject } from "../cli/commands/export/generated/shown.js";
import { Engine, type State } from "../provider/engine.js";
import { exampleSeed } from "../provider/prerequisites.js";
import { pickMeasured } from "./chosen-service.js";
import {
  changeWorkspace,
  declareWorkspace,
  resolveArguments,
  SECRET,
  type StoryObject,
} from "./workspace.js";

const DELETE_VARIABLE = "WORKSPACE_AUTOMATION_DELETE_PROJECTS";

interface StoryResult {
  readonly story: string;
  readonly problems: readonly string[];
}

/** @param seed reproduces the service, the workspace and the story */
export async function runServiceStory(seed: number): Promise<StoryResult> {
  const random = randomOf(seed);
  const behavior = chooseBehavior(seed);
  const emulator = await startEmulator({
    profileSeed: seed,
    seed: exampleSeed,
    rateLimit: 1e6,
    actionSeconds: 0,
  });
  // Without a profile, an encrypted value that reads otherwise each time counts as changed (docs/decisions.md, `encrypted-values`).
  const isKnown = random.chance(0.5) || behavior.encryptedValues === "changing";
  const measured = isKnown ? pickMeasured(emulator) : undefined;
  const story = new ServiceStory(emulator, random, measured);
  try {
    const end = await story.run();
    const service = `${measured ? "known" : "unknown"} service ${JSON.stringify(behavior)}`;
    return { story: `${service}; ${end}`, problems: story.problems };
  } finally {
    await emulator.close();
  }
}

/** Sleeps by moving the time forward, so that nobody waits. */
class ImpatientClock implements Clock {
  private slept = 0;
  readonly now = () => Date.now() + this.slept;
  readonly sleep = (ms: number) => {
    this.slept += ms;
    return Promise.resolve();
  };
}

class ServiceStory {
  readonly problems: string[] = [];
  private readonly states = new Map<string, State>();
  private readonly objects: StoryObject[];
  private readonly engine: Engine;
  private readonly clock = new ImpatientClock();

  constructor(
    private readonly emulator: Emulator,
    private readonly random: Random,
    private readonly measured: MeasuredBehavior | undefined,
  ) {
    const { baseUrl, token, workspace } = emulator;
    this.engine = new Engine(baseUrl, token, workspace, "dynamic", measured, { clock: this.clock });
    this.objects = declareWorkspace(random);
  }

  /** Runs the whole story, and returns how it ended. */
  async run(): Promise<string> {
    const refused =
      (await this.apply()) ??
      (await this.readAgain()) ??
      (await this.readAsMember()) ??
      (await this.changeAndApply());
    await this.checkTwins();
    return refused ?? (await this.delete()) ?? "applied, read, changed and deleted";
  }

  /** Applies all objects, and returns why that was refused. After success the workspace is as declared. */
  private async apply(): Promise<string | undefined> {
    const refused = await this.attempt("apply", async () => {
      for (const object of this.objects) {
        const args = resolveArguments(object, this.states);
        const state = this.states.get(object.name);
        const applied =
          state === undefined
            ? await this.engine.create(object.type, args)
            : await this.engine.up(state, args);
        this.states.set(object.name, applied);
      }
    });
    if (refused === undefined) await this.checkContents();
    return refused;
  }

  /** Reads everything, which writes nothing, finds every object and no change. */
  private async readAgain(): Promise<string | undefined> {
    await this.waitForReads();
    this.emulator.journal.clear();
    const refused = await this.attempt("refresh", async () => {
      for (const { name } of this.objects) await this.readObject(name);
    });
    const writes = this.emulator.journal.writes().map(({ method, path }) => `${method} ${path}`);
    if (writes.length > 0) this.problems.push(`a refresh wrote ${writes.join(", ")}`);
    return refused;
  }

  private async readObject(name: string): Promise<void> {
    const state = this.states.get(name)!;
    const read = await this.engine.refresh(state);
    if (read === undefined) {
      this.problems.push(`${name} exists, and is taken for deleted`);
      return;
    }
    const { failures, changes } = await this.engine.unchanged({ ...read, inputs: state.inputs });
    if (failures.length > 0 || changes)
      this.problems.push(
        `${name} is as declared, and has a change: ${JSON.stringify([state.inputs, read.outs])}`,
      );
    this.states.set(name, { ...read, inputs: state.inputs });
  }

  /** What a member without rights cannot see is not taken for deleted. */
  private async readAsMember(): Promise<undefined> {
    const { email, admin } = this.objects.find(({ name }) => name === "member")!.args;
    if (admin === true) return;
    const { baseUrl, workspace } = this.emulator;
    const token = await this.emulator.createToken({ user: String(email) });
    const engine = new Engine(baseUrl, token, workspace, "dynamic", this.measured, { clock: this.clock });
    for (const { name } of this.objects) {
      const read = await engine.refresh(this.states.get(name)!).catch((error: unknown) => error);
      if (read === undefined) this.problems.push(`${name} is hidden from a member, and is taken for deleted`);
    }
  }

  /** Somebody deletes an object, the declarations change, and a run brings both together. */
  private async changeAndApply(): Promise<string | undefined> {
    const lost = this.random.pick(this.objects.filter(({ name }) => /^(variable|action)/.test(name)));
    await this.deleteOutside(lost);
    const refused = await this.attempt("refresh after a deletion", async () => {
      for (const object of this.objects) {
        const state = this.states.get(object.name)!;
        const read = await this.engine.refresh(state);
        if (read !== undefined) this.states.set(object.name, { ...read, inputs: state.inputs });
        else if (object === lost) this.states.delete(object.name);
        else this.problems.push(`${object.name} exists, and is taken for deleted`);
      }
    });
    if (refused !== undefined) return refused;
    changeWorkspace(this.random, this.objects);
    return (await this.apply()) ?? (await this.readAgain());
  }

  private async deleteOutside({ name, type }: StoryObject): Promise<void> {
    const { id, outs } = this.states.get(name)!;
    const [workspace = "", ...rest] = id.split("/");
    const at = `/workspaces/${workspace}`;
    const number = rest.at(-1) ?? "";
    const { singleActionPaths } = this.emulator.settings;
    this.emulator.settings.singleActionPaths = true;
    const pipeline = `${at}/projects/${String(outs["project"])}/pipelines/${String(outs["pipelineId"] ?? outs["pipeline"])}`;
    const path = type === "Action" ? `${pipeline}/actions/${number}` : `${at}/variables/${number}`;
    const { status } = await this.emulator.edit({ method: "DELETE", path });
    this.emulator.settings.singleActionPaths = singleActionPaths;
    if (status !== 204) throw new Error(`DELETE ${path}: ${status}`);
    await this.waitForReads();
  }

  /** Lets reads catch up with writes, as they have when another process runs later: nobody sees that a read is stale. */
  private async waitForReads(): Promise<void> {
    for (let read = 0; read <= this.emulator.settings.lagRequests; read += 1)
      await fetch(`${this.emulator.baseUrl}/user`, {
        headers: { authorization: `Bearer ${this.emulator.token}` },
      });
  }

  private async delete(): Promise<string | undefined> {
    // The provider finds no state of Pulumi here, in which it would see what is protected.
    process.env[DELETE_VARIABLE] = "*";
    const refused = await this.attempt("delete", async () => {
      for (const { name } of this.objects.toReversed()) await this.engine.delete(this.states.get(name)!);
    });
    delete process.env[DELETE_VARIABLE];
    if (refused !== undefined) return refused;
    const left = await this.listShown();
    if (left.length > 0) this.problems.push(`after the deletion there is ${left.join(", ")}`);
    return undefined;
  }

  /** Runs a step as one run of the engine. Returns the refusal, which has to be one that a user can understand. */
  private async attempt(step: string, work: () => Promise<void>): Promise<string | undefined> {
    try {
      await this.engine.run(work);
      return undefined;
    } catch (error) {
      const { name, message, stack = "" } = error as Error;
      if (/^(Type|Range|Reference|Syntax)Error$/.test(name)) this.problems.push(`${step}: ${stack}`);
      if (message.includes(SECRET)) this.problems.push(`${step} prints a secret: ${message}`);
      return `${step} refused: ${message}`;
    }
  }

  private async checkContents(): Promise<void> {
    const expected = this.objects.map(({ name, type }) => `${type} ${this.states.get(name)!.id}`).toSorted();
    const shown = await this.shownObjects();
    const found = shown.map(({ type, id }) => `${type} ${id}`).toSorted();
    if (!isDeepStrictEqual(found, expected))
      this.problems.push(`declared ${expected.join(", ")}; the service has ${found.join(", ")}`);
    for (const { name, type, args } of this.objects) {
      const says = shown.find((one) => one.type === type && one.id === this.states.get(name)!.id)?.says ?? {};
      for (const arg of ["value", "destination", "description"]) {
        if (!(arg in args) || args["encrypted"] === true) continue;
        const [value, remote] = [args[arg], says[arg] ?? ""].map((text) =>
          String(text).normalize("NFC").trim(),
        );
        if (value !== remote) this.problems.push(`${name} has the ${arg} ${remote}, not ${value}`);
      }
    }
  }

  /** No two objects of a parent have one name, whether or not the run succeeded. */
  private async checkTwins(): Promise<void> {
    const names = (await this.shownObjects()).map(({ type, names: path }) =>
      `${type} ${path.join("/")}`.normalize("NFC").toLowerCase(),
    );
    const twins = names.filter((name, index) => names.indexOf(name) !== index);
    if (twins.length > 0) this.problems.push(`twins: ${twins.join(", ")}`);
  }

  private async listShown(): Promise<string[]> {
    return (await this.shownObjects()).map(({ type, names }) => `${type} ${names.join("/")}`);
  }

  /** What the service has, without what every workspace has from the beginning. */
  private async shownObjects(): Promise<ShownObject[]> {
    const isOwn = ({ type, names, says }: ShownObject) =>
      type === "Branch" ||
      names.includes("owner@example.com") ||
      (type === "PermissionSet" && says["type"] !== "CUSTOM");
    return (await shownIn(this.emulator)).filter((one) => !isOwn(one));
  }
}
