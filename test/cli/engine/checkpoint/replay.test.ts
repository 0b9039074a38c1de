import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Line, RegisteredOptions } from "../../../../cli/engine/checkpoint/journal-file.js";
import { replayed, type State } from "../../../../cli/engine/checkpoint/replay.js";
import type { StateEntry } from "../../../../cli/engine/stack/state.js";

const AT = "2026-01-01T00:00:00.000Z";
const TYPE = "pulumi-nodejs:dynamic/workspace-automation:Group";
const ROOT = "urn:pulumi:dev::acme::pulumi:pulumi:Stack::acme-dev";
const PROVIDER = "urn:pulumi:dev::acme::pulumi:providers:pulumi-nodejs::default";
const urn = (name: string) => `urn:pulumi:dev::acme::${TYPE}::${name}`;

function registered(more: Partial<RegisteredOptions> = {}): RegisteredOptions {
  const nothing = { dependencies: [], propertyDependencies: {}, formerly: [] };
  return { parent: ROOT, protect: false, retainOnDelete: false, ...nothing, ...more };
}

const creating = (name: string, more: Partial<RegisteredOptions> = {}): Line => ({
  ...{ op: "creating", at: AT, urn: urn(name), inputs: { name } },
  registered: registered(more),
});
const created = (name: string, id: string, errors?: string[]): Line => ({
  ...{ op: "created", at: AT, urn: urn(name), id, outputs: { name, id } },
  ...(errors ? { errors } : {}),
});
const updated = (name: string, id: string, more: Partial<RegisteredOptions> = {}): Line => ({
  ...{ op: "updated", at: AT, urn: urn(name), id, inputs: { name, v: 2 }, outputs: { name, v: 2 } },
  registered: registered(more),
});
const deleted = (name: string, id: string): Line => ({ op: "deleted", at: AT, urn: urn(name), id });

const object = (name: string, id: string, more: Partial<StateEntry> = {}): StateEntry => ({
  ...{ urn: urn(name), type: TYPE, custom: true, id, parent: ROOT, provider: `${PROVIDER}::p1` },
  ...{ inputs: { name }, outputs: { name, id }, ...more },
});
const before: readonly StateEntry[] = [
  { urn: ROOT, type: "pulumi:pulumi:Stack", custom: false },
  { urn: PROVIDER, type: "pulumi:providers:pulumi-nodejs", custom: true, id: "p1" },
];
const state = (...objects: StateEntry[]): State => ({
  deployment: { resources: [...before, ...objects] },
});

function replay(from: State, ...lines: Line[]) {
  const result = replayed(from, { salt: "v1:salt" }, lines);
  const { resources = [] } = result.state.deployment;
  return {
    ...result,
    resources,
    objects: resources.slice(2).map(({ urn: full, id, delete: leaves }) => {
      const name = full.slice(urn("").length);
      return `${name} ${id}${leaves ? " to be deleted" : ""}`;
    }),
  };
}

describe("replaying a journal", () => {
  it("makes the whole state of a first run, with the stack, the provider and the secrets provider", () => {
    const {
      state: whole,
      resources,
      counts,
    } = replay({ deployment: {} }, creating("a", { protect: true }), created("a", "1"));
    expect(resources.map(({ type }) => type)).toEqual([
      "pulumi:pulumi:Stack",
      "pulumi:providers:pulumi-nodejs",
      TYPE,
    ]);
    expect(resources[2]).toMatchObject({
      ...{ id: "1", custom: true, parent: ROOT, protect: true, created: AT, modified: AT },
      ...{ provider: `${PROVIDER}::${resources[1]?.id}`, inputs: { name: "a" }, outputs: { id: "1" } },
    });
    expect(whole.deployment.secrets_providers).toEqual({ type: "passphrase", state: { salt: "v1:salt" } });
    expect(counts).toEqual({ created: 1, updated: 0, deleted: 0 });
  });

  it("keeps the properties whose changes are ignored, as they were last declared", () => {
    const from = state(object("b", "2"), object("c", "3", { ignoreChanges: ["v"] }), object("d", "4"));
    const { resources } = replay(
      from,
      creating("a", { ignoreChanges: ["name"] }),
      created("a", "1"),
      updated("b", "2", { ignoreChanges: ["name", "v"] }),
      { op: "registered", at: AT, urn: urn("c"), registered: registered() },
      { op: "registered", at: AT, urn: urn("d"), registered: registered({ ignoreChanges: ["v"] }) },
    );
    const ignored = resources.slice(2).map(({ urn: full, ignoreChanges }) => [full.slice(-1), ignoreChanges]);
    expect(Object.fromEntries(ignored)).toEqual({ a: ["name"], b: ["name", "v"], c: undefined, d: ["v"] });
  });

  it("leaves a creation without an answer pending, and forgets one that failed", () => {
    const { pending, objects } = replay(state(), creating("a"), creating("b"), {
      op: "failed",
      at: AT,
      urn: urn("b"),
    });
    expect(objects).toEqual([]);
    expect(pending).toMatchObject([
      { urn: urn("a"), inputs: { name: "a" }, provider: `${PROVIDER}::p1`, parent: ROOT },
    ]);
  });

  it("keeps why an object is not as asked for, until an update says otherwise", () => {
    const partly = replay(state(), creating("a"), created("a", "1", ["no rights"]));
    expect(partly.resources[2]).toMatchObject({ initErrors: ["no rights"] });
    const { resources } = replay(partly.state, updated("a", "1"));
    expect(resources[2]).toMatchObject({ inputs: { v: 2 }, outputs: { v: 2 } });
    expect(resources[2]?.["initErrors"]).toBeUndefined();
  });

  it("marks the object that a new one replaces, and drops it once it is deleted", () => {
    const old = state(object("a", "1"));
    const half = replay(old, creating("a"), created("a", "2"));
    expect(half.objects).toEqual(["a 1 to be deleted", "a 2"]);
    expect(replay(old, creating("a"), created("a", "2"), deleted("a", "1")).objects).toEqual(["a 2"]);
  });

  it("takes an object that was deleted first, and has the same id, for the new one alone", () => {
    const old = state(object("a", "web"));
    expect(replay(old, deleted("a", "web")).objects).toEqual([]);
    expect(replay(old, deleted("a", "web"), creating("a"), created("a", "web")).objects).toEqual(["a web"]);
    // The engine keeps the deleted one until the new one is there.
    const pending = state(object("a", "1", { pendingReplacement: true }));
    expect(replay(pending, creating("a"), created("a", "2")).objects).toEqual(["a 2"]);
  });

  it("never marks the object that it has just created, when the earlier one of that id is gone", () => {
    const old = state(object("a", "web"));
    expect(replay(old, creating("a"), created("a", "web")).objects).toEqual(["a web"]);
  });

  it("orders objects after what they refer to, and drops references to what is gone", () => {
    const refers = { dependencies: [urn("b")], propertyDependencies: { of: [urn("b")], name: [] } };
    const { resources, objects } = replay(
      state(object("a", "1"), object("gone", "9"), object("c", "3", { dependencies: [urn("gone")] })),
      creating("b"),
      created("b", "2"),
      updated("a", "1", refers),
      deleted("gone", "9"),
    );
    expect(objects).toEqual(["b 2", "a 1", "c 3"]);
    expect(resources[3]).toMatchObject(refers);
    expect(resources[4]?.dependencies).toEqual([]);
  });

  it("follows a former name, in the object and in what refers to it", () => {
    const { resources, objects } = replay(
      state(object("old", "1"), object("child", "2", { dependencies: [urn("old")] })),
      { op: "registered", at: AT, urn: urn("new"), registered: registered({ formerly: [urn("old")] }) },
      creating("b", { dependencies: [urn("new")] }),
      created("b", "3"),
    );
    expect(objects).toEqual(["new 1", "child 2", "b 3"]);
    expect(resources[3]?.dependencies).toEqual([urn("new")]);
  });

  it("takes over what the program says of an object that did not change", () => {
    const said = registered({ protect: true, retainOnDelete: true });
    const line: Line = { op: "registered", at: AT, urn: urn("a"), registered: said };
    expect(replay(state(object("a", "1")), line).resources[2]).toMatchObject({
      ...{ protect: true, retainOnDelete: true, inputs: { name: "a" } },
    });
  });

  it("finds what a rename replaced under its former URN", () => {
    const renamed = { formerly: [urn("old")] };
    const lines = [creating("new", renamed), created("new", "2")];
    expect(replay(state(object("old", "1")), ...lines).objects).toEqual(["new 1 to be deleted", "new 2"]);
    expect(replay(state(object("old", "1")), ...lines, deleted("old", "1")).objects).toEqual(["new 2"]);
  });
});

/** What the engine's snapshot holds of the objects, as far as the model knows it. */
interface Snapshot {
  readonly objects: ReadonlyMap<string, { readonly id: string; readonly version: number }>;
  /** Replaced, and still to be deleted. */
  readonly leaving: readonly string[];
  readonly pending: readonly string[];
}

type Event = { readonly name: string; readonly kind: "create" | "fail" | "update" | "replace" | "delete" };

/** The lines of a run, and after each of them what the engine has in its snapshot. */
function runOf(events: readonly Event[]): { lines: Line[]; snapshots: Snapshot[] } {
  const lines: Line[] = [];
  const snapshots: Snapshot[] = [];
  const objects = new Map<string, { id: string; version: number }>();
  const leaving: string[] = [];
  const pending = new Set<string>();
  let number = 0;
  const step = (line: Line) => {
    lines.push(line);
    snapshots.push({ objects: new Map(objects), leaving: [...leaving], pending: [...pending] });
  };
  const create = (name: string, replaced?: string) => {
    pending.add(name);
    step(creating(name, { dependencies: [...objects.keys()].filter((one) => one < name).map(urn) }));
    pending.delete(name);
    if (replaced !== undefined) leaving.push(`${name} ${replaced}`);
    objects.set(name, { id: `id${++number}`, version: 1 });
    step(created(name, `id${number}`));
  };
  for (const { name, kind } of events) {
    const there = objects.get(name);
    if (kind === "fail" && there === undefined) {
      pending.add(name);
      step(creating(name));
      pending.delete(name);
      step({ op: "failed", at: AT, urn: urn(name) });
    } else if (kind === "create" && there === undefined) create(name);
    else if (kind === "update" && there !== undefined) {
      objects.set(name, { id: there.id, version: 2 });
      step(updated(name, there.id));
    } else if (kind === "replace" && there !== undefined) {
      create(name, there.id);
      leaving.splice(leaving.indexOf(`${name} ${there.id}`), 1);
      step(deleted(name, there.id));
    } else if (kind === "delete" && there !== undefined) {
      objects.delete(name);
      step(deleted(name, there.id));
    }
  }
  return { lines, snapshots };
}

describe("a journal that a kill cuts off anywhere", () => {
  const events = fc.array(
    fc.record<Event>({
      name: fc.constantFrom("a", "b", "c", "d"),
      kind: fc.constantFrom("create", "create", "fail", "update", "replace", "delete"),
    }),
    { minLength: 1, maxLength: 30 },
  );

  it("replays to the engine's own snapshot, on whatever state it began, in an order that the engine accepts", () => {
    fc.assert(
      fc.property(events, fc.nat(), fc.nat(), (happened, cut, earlier) => {
        const { lines, snapshots } = runOf(happened);
        if (lines.length === 0) return;
        const length = 1 + (cut % lines.length);
        // An earlier run has done what comes before.
        const at = earlier % length;
        const began = snapshots[at - 1]?.pending.length === 0 ? at : 0;
        const from = replayed(state(), { salt: "" }, lines.slice(0, began)).state;
        const result = replayed(from, { salt: "" }, lines.slice(began, length));
        const { resources = [] } = result.state.deployment;
        const own = resources.filter(({ type }) => type === TYPE);
        const expected = snapshots[length - 1];
        const named = (one: StateEntry) => one.urn.slice(urn("").length);
        const staying = own.filter((one) => !one.delete);
        expect(new Set(staying.map((one) => `${named(one)} ${one.id}`))).toEqual(
          new Set([...(expected?.objects ?? [])].map(([name, { id }]) => `${name} ${id}`)),
        );
        for (const one of staying)
          expect(one.inputs?.["v"] ?? 1).toBe(expected?.objects.get(named(one))?.version);
        expect(own.filter((one) => one.delete).map((one) => `${named(one)} ${one.id}`)).toEqual(
          expected?.leaving,
        );
        expect(result.pending.map(named)).toEqual(expected?.pending);
        expect(unordered(resources)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** References to what comes later or is not there: the engine refuses such a state. */
function unordered(resources: readonly StateEntry[]): string[] {
  const earlier = new Set<string>();
  return resources.flatMap(({ urn: own, parent, dependencies = [] }) => {
    const wrong = [parent, ...dependencies].filter((one) => one !== undefined && !earlier.has(one));
    earlier.add(own);
    return wrong.map((one) => `${own} -> ${one}`);
  });
}
