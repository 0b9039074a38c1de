/**
 * Stands in for Pulumi's engine and its dynamic host: calls the provider's methods in the same order, with
 * secrets in plaintext, and keeps the state between runs. Each run has its own session, just as each has its
 * own process. Calls either the dynamic provider or, over gRPC, the packaged plugin.
 */
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import type { ClientOptions } from "../../client/index.js";
import { isSameJson, isSecret, withoutMarks } from "../../diff/values.js";
import { RegisteredReferences } from "../../provider/adapters/declared-references.js";
import type { DynamicProvider } from "../../provider/adapters/dynamic.js";
import type { ProviderEnvironment } from "../../provider/adapters/provider-run.js";
import { ResourceProvider } from "../../provider/adapters/resource-provider.js";
import { Session } from "../../provider/connection/session.js";
import { type ConnectionProfile, getDefinition } from "../../provider/index.js";
import { type PluginClient, startPlugin } from "./plugin-client.js";

type Props = Record<string, unknown>;

type Methods = Omit<DynamicProvider, "configure">;

/** The references of the program, which all providers of the process share. */
const registered = new RegisteredReferences();

/** Returns the provider of a type in a run that has this session. */
export function providerIn(
  session: Session,
  type: string,
  environment: ProviderEnvironment = { env: process.env, print: () => undefined },
  urn?: string,
): ResourceProvider {
  const references = environment.references ?? registered;
  const run = { environment, references, openSession: () => Promise.resolve(session) };
  return new ResourceProvider(getDefinition(type), run, urn);
}

export interface State {
  readonly type: string;
  readonly id: string;
  readonly inputs: Props;
  readonly outs: Props;
  /** Names of the outputs that were marked as secret. */
  readonly secrets: readonly string[];
}

/** Lists the adapters through which the engine reaches the provider. */
export const adapters = ["dynamic", "plugin"] as const;
export type Adapter = (typeof adapters)[number];

export class Engine {
  constructor(
    readonly baseUrl: string,
    readonly token: string,
    readonly workspace: string,
    private readonly adapter: Adapter = "dynamic",
    /** What a probe has measured at the service. */
    private readonly behavior: MeasuredBehavior | undefined = undefined,
    private readonly client: Partial<ClientOptions> = {},
  ) {}

  /** The session of the current run, if several operations belong to one run. */
  private running: Session | undefined;

  private session(): Session {
    const { baseUrl, token, workspace, behavior, client } = this;
    const connection = { baseUrl, token, workspace, allowInsecure: false };
    return (
      this.running ??
      new Session(behavior ? { ...connection, profile: profileOf(behavior) } : connection, { client })
    );
  }

  private provider(type: string): Methods {
    if (this.adapter === "plugin") return this.plugin(type);
    return providerIn(this.session(), type);
  }

  /** Returns methods that start a new plugin for each call. */
  private plugin(type: string): Methods {
    const { baseUrl, token, workspace } = this;
    const calling = async <T>(call: (client: PluginClient) => Promise<T>): Promise<T> => {
      const client = await startPlugin();
      try {
        await client.configure({ baseUrl, token, workspace });
        return await call(client);
      } finally {
        client.close();
      }
    };
    return {
      check: (olds, news) => calling((client) => client.check(type, olds, news)),
      diff: (id, olds, news) => calling((client) => client.diff(type, id, olds, news)),
      create: (inputs) => calling((client) => client.create(type, inputs)),
      read: (id, props) => calling((client) => client.read(type, id, props)),
      update: (id, olds, news) => calling((client) => client.update(type, id, olds, news)),
      delete: (id, props) => calling((client) => client.delete(type, id, props)),
    };
  }

  /** Performs several operations as one run of the engine, with a common session. */
  async run<T>(operations: () => Promise<T>): Promise<T> {
    this.running = this.session();
    try {
      return await operations();
    } finally {
      this.running = undefined;
    }
  }

  /** Returns the problems that a check reports, one line each. */
  async check(type: string, args: Props): Promise<string[]> {
    return (await this.provider(type).check({}, { ...args })).failures.map((failure) => failure.reason);
  }

  async create(type: string, args: Props): Promise<State> {
    const inputs = await this.checked(type, args);
    const { id, outs } = await this.provider(type).create(inputs);
    return stateOf(type, id, inputs, outs);
  }

  /** Returns the state after a refresh, or undefined if the object was deleted. */
  async refresh(state: State): Promise<State | undefined> {
    const provider = this.provider(state.type);
    const { id, props, inputs } = await provider.read(state.id, { ...state.outs });
    // The engine then compares what was read with what was declared before. Here, each call of the plugin has a process of its own.
    if (id !== "" && this.adapter === "dynamic") await provider.diff(id, { ...props }, { ...state.inputs });
    return id === "" ? undefined : stateOf(state.type, id, withoutMarks(inputs) as Props, props);
  }

  /** An object that no state knows, by its import id. */
  async import(type: string, importId: string): Promise<State> {
    const { id, props, inputs } = await this.provider(type).read(importId, {});
    return stateOf(type, id, withoutMarks(inputs) as Props, props);
  }

  /** What a run finds in a program that declares just what the state has as inputs. */
  async unchanged({ type, id, inputs, outs }: State) {
    const { failures, inputs: checked } = await this.provider(type).check({ ...inputs }, { ...inputs });
    const { changes, replaces } = await this.provider(type).diff(id, { ...outs }, checked);
    return { failures, changes, replaces };
  }

  /** Returns the diff that a preview would show. */
  async diff(state: State, args: Props) {
    const inputs = await this.checked(state.type, args);
    return this.provider(state.type).diff(state.id, { ...state.outs }, inputs);
  }

  /** Applies the arguments to the object: with no change, an update or a replacement. */
  async up(state: State, args: Props): Promise<State> {
    const inputs = await this.checked(state.type, args);
    const provider = this.provider(state.type);
    const { changes, replaces, deleteBeforeReplace } = await provider.diff(
      state.id,
      { ...state.outs },
      inputs,
    );
    if (replaces.length > 0) {
      if (deleteBeforeReplace) await provider.delete(state.id, { ...state.outs });
      const { id, outs } = await provider.create(inputs);
      if (!deleteBeforeReplace) await provider.delete(state.id, { ...state.outs });
      return stateOf(state.type, id, inputs, outs);
    }
    if (!changes) return state;
    const { outs } = await provider.update(state.id, { ...state.outs }, inputs);
    return stateOf(state.type, state.id, inputs, outs);
  }

  /** Deletes an object, after its protection was lifted. */
  async delete(state: State): Promise<void> {
    const { protect } = getDefinition(state.type);
    await this.deleteAsIs({
      ...state,
      outs: protect === undefined ? state.outs : { ...state.outs, [protect]: false },
    });
  }

  async deleteAsIs(state: State): Promise<void> {
    await this.provider(state.type).delete(state.id, { ...state.outs });
  }

  private async checked(type: string, args: Props): Promise<Props> {
    const { inputs, failures } = await this.provider(type).check({}, { ...args });
    if (failures.length > 0) throw new Error(failures.map((failure) => failure.reason).join("; "));
    return withoutMarks(inputs) as Props;
  }
}

function profileOf(behavior: MeasuredBehavior): ConnectionProfile {
  const known = { file: "", version: 1, service: "", measuredAt: "", wrote: true, assumptions: {} } as const;
  return { ...known, behavior };
}

/** Returns the names of the outputs that differ between two states. */
export function changedBetween(before: State, after: State): string[] {
  const names = new Set([...Object.keys(before.outs), ...Object.keys(after.outs)]);
  return [...names].filter((name) => !isSameJson(before.outs[name], after.outs[name])).sort();
}

function stateOf(type: string, id: string, inputs: Props, outs: Props): State {
  const secrets = Object.keys(outs).filter((name) => isSecret(outs[name]));
  return { type, id, inputs, outs: withoutMarks(outs) as Props, secrets };
}
