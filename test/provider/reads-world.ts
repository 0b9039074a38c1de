/**
 * Simulates a workspace in the emulator, with resources of several types that use it concurrently through one
 * context.
 */
import type fc from "fast-check";
import { expect } from "vitest";
import { ServiceError, WorkspaceAutomationClient } from "../../client/index.js";
import { type Emulator, type OutsideEdit, startEmulator } from "../../emulator/index.js";
import { create } from "../../provider/crud/create.js";
import { deleteObject } from "../../provider/crud/delete.js";
import { read } from "../../provider/crud/read.js";
import type { ObjectState } from "../../provider/crud/state.js";
import { update } from "../../provider/crud/update.js";
import { findExisting } from "../../provider/existence/sources.js";
import { type Fields, getDefinition } from "../../provider/index.js";
import { Context } from "../../resources/definition/context.js";
import { ProviderError } from "../../resources/errors.js";

export type Step = "write" | "read" | "look up" | "remove";

/** Loses the request with this number before it reaches the service, or its response on the way back. */
export interface Fault {
  readonly request: number;
  readonly lost: "request" | "answer";
}

export interface World {
  readonly objects: readonly Played[];
  /** Stops all faults. */
  calm(): void;
  /** Returns what the resources observe through their shared context. */
  shared(): Promise<unknown>;
  /** Returns what they observe when each reads separately. */
  alone(): Promise<unknown>;
  close(): Promise<void>;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

interface Setting {
  /** Indexes of objects that already exist and were changed from outside. */
  readonly there: readonly number[];
  readonly faults: readonly Fault[];
  readonly embedded: "full" | "summary";
}

export async function aWorld(s: fc.Scheduler, { there, faults, embedded }: Setting): Promise<World> {
  const emulator = await startEmulator({ strictBodies: true, embeddedActions: embedded });
  let count = 0;
  let broken = true;
  const lossy = async (url: string, init: RequestInit) => {
    const number = count++;
    const fault = broken ? faults.find(({ request }) => request === number) : undefined;
    await s.schedule(Promise.resolve(), `request ${number}: ${init.method} ${url}`);
    if (fault?.lost === "request") throw new TypeError("fetch failed");
    const answer = await carryOut(emulator, url, init);
    await s.schedule(Promise.resolve(), `answer ${number}`);
    if (fault?.lost === "answer") throw new TypeError("fetch failed");
    return answer;
  };
  const context = contextOver(emulator, lossy);
  const plain = () => contextOver(emulator, (url, init) => carryOut(emulator, url, init));

  const project = await create(getDefinition("Project"), plain(), { name: "web", displayName: "Web" });
  const pipeline = await create(getDefinition("Pipeline"), plain(), {
    ...{ project: project.outs["name"], name: "deploy", triggerMode: "MANUAL" },
    ...{ refType: "BRANCH", refName: "main" },
  });
  const within = { project: "web", pipeline: pipeline.outs["pipelineId"] };
  const objects = [0, 1, 2].flatMap((i) => [
    new Played(context, "Group", (value) => ({ name: `group ${i}`, description: value }), "description"),
    new Played(context, "Variable", (value) => ({ key: `KEY_${i}`, value }), "value"),
    new Played(
      context,
      "Action",
      (value) => ({
        ...{ ...within, name: `Step ${i}`, type: "PING", triggerTime: "ON_EVERY_EXECUTION" },
        destination: value,
      }),
      "destination",
    ),
  ]);
  for (const i of there) await objects[i]?.exist(plain());
  const look = (at: () => Context) =>
    Promise.all([...objects.map((object) => object.look(at())), order(at(), within)]);
  return {
    objects,
    calm: () => (broken = false),
    shared: () => look(() => context),
    alone: () => look(plain),
    close: () => emulator.close(),
  };
}

/** Reads the order of the actions. */
async function order(context: Context, at: Fields): Promise<unknown> {
  const definition = getDefinition("ActionOrder");
  const [source] = definition.sources(context, { ...at, pipelineId: at["pipeline"], actions: [] });
  return source?.kind === "single" ? context.reads.single(source.key, source.load) : undefined;
}

function contextOver({ baseUrl, token, workspace }: Emulator, send: Send): Context {
  const retry = { limit: 0, baseMs: 0 };
  // The client only passes text URLs and complete options.
  const fetch = ((url: string, init: RequestInit) => send(url, init)) as typeof globalThis.fetch;
  const api = new WorkspaceAutomationClient({ baseUrl, token, fetch, retry, maxConcurrency: 1000 });
  return new Context(api, workspace, baseUrl);
}

/** Handles a request in this process, so that only the scheduler decides the order. */
async function carryOut(emulator: Emulator, url: string, init: RequestInit): Promise<Response> {
  const body = init.body as string | undefined;
  const answer = await emulator.edit({
    method: (init.method ?? "GET") as OutsideEdit["method"],
    path: url.slice(emulator.baseUrl.length),
    ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }),
  });
  const text = answer.status === 204 ? null : JSON.stringify(answer.body);
  return new Response(text, { status: answer.status, headers: { "content-type": "application/json" } });
}

/** A resource and the expected values of its object, which no other resource writes. */
class Played {
  private kept: ObjectState | undefined;
  /**
   * Possible values of the object; undefined stands for a deleted one. After a failed write there are
   * several.
   */
  private may: (string | undefined)[] = [undefined];
  private lastValue = 0;

  constructor(
    private readonly context: Context,
    private readonly type: string,
    private readonly args: (value: string) => Fields,
    private readonly field: string,
  ) {}

  /** Creates the object as in an earlier run, with a later change from outside. */
  async exist(context: Context): Promise<void> {
    const definition = getDefinition(this.type);
    this.kept = await create(definition, context, this.args("before"));
    const { outs } = await update(definition, context, this.kept.outs, this.args("outside"));
    this.may = [String(outs[this.field])];
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.step(step);
  }

  private async step(step: Step): Promise<void> {
    try {
      if (step === "write") await this.write();
      else if (step === "read") await this.read();
      else if (step === "look up") await this.lookUp();
      else await this.remove();
    } catch (error) {
      const isDeleted = error instanceof ProviderError && error.code === "deleted";
      if (!(error instanceof ServiceError || isDeleted)) throw error;
    }
  }

  private async write(): Promise<void> {
    const definition = getDefinition(this.type);
    const value = `value ${(this.lastValue += 1)}`;
    const args = { ...this.args(value), adopt: true };
    this.may = [...this.may, value];
    this.kept =
      this.kept === undefined
        ? await create(definition, this.context, args)
        : { ...this.kept, ...(await update(definition, this.context, this.kept.outs, args)) };
    this.may = [value];
  }

  private async remove(): Promise<void> {
    if (this.kept === undefined) return;
    this.may = [...this.may, undefined];
    await deleteObject(getDefinition(this.type), this.context, this.kept.outs);
    this.may = [undefined];
    this.kept = undefined;
  }

  private async read(): Promise<void> {
    if (this.kept === undefined) return;
    const seen = await read(getDefinition(this.type), this.context, this.kept.outs);
    expect(this.may).toContain(seen?.outs[this.field]);
  }

  /** Looks an object up by name, as a creation does first. */
  private async lookUp(): Promise<void> {
    const found = await this.found(this.context);
    expect(found.length).toBeLessThanOrEqual(1);
    if (!this.may.includes(undefined)) expect(found).toHaveLength(1);
    if (this.may.every((value) => value === undefined)) expect(found).toEqual([]);
  }

  private async found(context: Context): Promise<unknown[]> {
    const state = { ...this.args(""), pipelineId: this.args("")["pipeline"] };
    const live = await findExisting({ definition: getDefinition(this.type), context, state });
    return live.map(({ id }) => id);
  }

  /** Returns everything that can be observed of the object. */
  async look(context: Context): Promise<unknown> {
    const seen = this.kept && (await read(getDefinition(this.type), context, this.kept.outs));
    return { found: await this.found(context), seen: seen?.outs };
  }
}
