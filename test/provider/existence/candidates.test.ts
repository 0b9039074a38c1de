/** Tests which objects of the service a declaration may mean, and what an interrupted creation leaves to decide. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../client/index.js";
import { Session } from "../../../provider/connection/session.js";
import {
  awaitCandidates,
  describeCreation,
  describeNamelessCreation,
  describeSpelling,
  findAppeared,
  findHidden,
  isAlreadyExists,
  isKeyUnique,
  listCandidates,
  listHiding,
  refuseUnsettled,
  wasNotCreated,
} from "../../../provider/existence/candidates.js";
import { getDefinition } from "../../../provider/index.js";
import { type Intent, type Journal, noJournal } from "../../../recovery/journal.js";
import type { Definition, Fields, RemoteObject } from "../../../resources/definition/definition.js";
import { ProviderError } from "../../../resources/errors.js";

/** What the list shows, and how often it was requested. */
let shown: RemoteObject[];
let looks: number[];
let printed: string[];
/** Ids for which another creation or the state accounts. */
let accounted: string[];
let session: Session;

const connection = { baseUrl: "https://service.example.com", token: "token", workspace: "acme" };

beforeEach(() => {
  [shown, looks, printed, accounted] = [[], [], [], []];
  const journal: Journal = {
    ...noJournal,
    accountsFor: ({ id }) => Promise.resolve(accounted.includes(id)),
    print: (line) => printed.push(line),
  };
  session = new Session({ ...connection, allowInsecure: false }, { journal });
});
afterEach(async () => {
  vi.useRealTimers();
  await session.close();
});

const contextIn = (workspace = "acme") => session.context({ workspace });

/** A type whose objects are those that are shown. */
function showing(type: string, end: "proven" | "assumed" | "unsettled" = "proven"): Definition {
  const load = () => {
    looks.push(Date.now());
    return Promise.resolve({ items: shown, end });
  };
  const list = { kind: "list", key: "all", load } as const;
  return { ...getDefinition(type), list: () => list, sources: () => [list] };
}

function interrupted(more: Partial<Intent> = {}) {
  const none = { id: undefined, before: undefined, mayAppearUntil: 0 };
  const done = { made: () => Promise.resolve(), forget: () => Promise.resolve(), handOver: () => {} };
  return { ...none, ...done, close: vi.fn(), ...more } satisfies Intent;
}

describe("a creation in the journal", () => {
  const keyOf = (type: string, state: Fields, workspace?: string) =>
    describeCreation(getDefinition(type), contextIn(workspace), state)?.key;

  it("is the same in each run and spelling, and another one elsewhere or of another name", () => {
    const variable = { key: "Münze", project: "web" };
    const key = keyOf("Variable", variable);
    expect(keyOf("Variable", { ...variable, key: " Mu\u0308nze" })).toBe(key);
    const others = [{ key: "A", project: "web" }, { ...variable, project: "api" }, { key: "Münze" }];
    const keys = others.map((other) => keyOf("Variable", other));
    expect(new Set([key, ...keys, keyOf("Variable", variable, "labs")]).size).toBe(5);
    expect(describeCreation(getDefinition("Group"), contextIn(), { name: "QA" })).toMatchObject({
      type: "Group",
      address: contextIn().address,
    });
  });

  it("names its parent by the id, whether the declaration has its name or its id", () => {
    const member = { group: "QA", groupId: 3, member: "ann@example.com", memberId: 7 };
    const key = keyOf("GroupMember", member);
    expect(keyOf("GroupMember", { ...member, member: 7 })).toBe(key);
    expect(keyOf("GroupMember", { ...member, memberId: 8 })).not.toBe(key);
  });

  it("is told apart by its key where the service has several of one name", () => {
    const action = { pipeline: 1, project: "web", name: "Ping" };
    const keys = [action, { ...action, key: "Ping 2" }, { ...action, key: "Ping 3" }].map((one) =>
      keyOf("Action", one),
    );
    expect(new Set(keys).size).toBe(3);
  });

  it("has no subject of its own if nothing but an id identifies it", () => {
    expect(keyOf("OAuthClient", { clientName: "CI" })).toBeUndefined();
    const nameless = () => describeNamelessCreation(getDefinition("OAuthClient"), contextIn());
    expect(nameless()).toMatchObject({ type: "OAuthClient", address: contextIn().address });
    expect(nameless().key).toMatch(/^nameless:./);
    expect(nameless().key).not.toBe(nameless().key);
  });
});

describe("an object that the service may still be creating", () => {
  const begun = Date.UTC(2026, 0, 1);
  const wait = async (intent: Intent | undefined, withinMs: number) => {
    vi.useFakeTimers({ now: begun });
    const found = awaitCandidates(showing("Group"), contextIn(), { name: "QA" }, intent);
    await vi.advanceTimersByTimeAsync(withinMs);
    return { found, seconds: looks.map((at) => (at - begun) / 1000) };
  };

  it("is looked for at longer and longer intervals, for a minute if the clock of that run was wrong", async () => {
    const { found, seconds } = await wait(interrupted({ mayAppearUntil: begun + 1e9 }), 60_000);
    expect(await found).toEqual([]);
    const late = [15.75, 23.75, 31.75, 39.75, 47.75, 55.75, 60];
    expect(seconds).toEqual([0, 0.25, 0.75, 1.75, 3.75, 7.75, ...late]);
    expect(printed).toEqual([
      'group "QA": the run before was stopped while the service was creating it; looking for it for 60 s',
    ]);
  });

  it("is looked for until it can appear no more", async () => {
    const { found, seconds } = await wait(interrupted({ mayAppearUntil: begun + 300 }), 300);
    expect(await found).toEqual([]);
    expect(seconds).toEqual([0, 0.25, 0.3]);
    expect(printed).toEqual([expect.stringMatching(/ for 1 s$/)]);
  });

  it.each([undefined, interrupted()])("is not waited for without such a run (%#)", async (intent) => {
    const { found, seconds } = await wait(intent, 0);
    expect([await found, seconds, printed]).toEqual([[], [0], []]);
  });

  it("is not looked for any more once it has appeared", async () => {
    const { found } = await wait(interrupted({ mayAppearUntil: begun + 1e9 }), 200);
    shown = [{ id: 1, name: "QA" }];
    await vi.advanceTimersByTimeAsync(50);
    expect([await found, looks]).toEqual([shown, [begun, begun + 250]]);
  });
});

describe("the object of an interrupted run", () => {
  it("is the one with its id, however the service calls it now", async () => {
    shown = [
      { id: 1, name: "QA" },
      { id: 2, name: "Renamed" },
    ];
    const intent = interrupted({ id: "acme/2" });
    expect(await listCandidates(showing("Group"), contextIn(), { name: "QA" }, intent)).toEqual([shown[1]]);
    expect(intent.close).not.toHaveBeenCalled();
  });

  it("is identified by a name, too", async () => {
    shown = [{ name: "a/b" }, { name: "web" }];
    const find = (id: string) => listCandidates(showing("Project"), contextIn(), {}, interrupted({ id }));
    expect(await find("acme/web")).toEqual([shown[1]]);
    expect(await find("acme/a%2Fb")).toEqual([shown[0]]);
  });

  it("is another one if that one was deleted since, which ends the intent", async () => {
    shown = [{ id: 1, name: "QA" }];
    const intent = interrupted({ id: "acme/2" });
    expect(await listCandidates(showing("Group"), contextIn(), { name: "QA" }, intent)).toEqual(shown);
    expect(intent.close).toHaveBeenCalledOnce();
  });
});

describe("an object whose name no list shows", () => {
  const state = { email: "ann@example.com" };
  const find = (intent: Intent, of = findHidden) =>
    of(showing("WorkspaceMember"), contextIn(), state, intent);

  it("is the only one that nothing accounts for", async () => {
    shown = [{ id: 1 }, { id: 2 }, { id: 3 }];
    accounted = ["acme/3"];
    expect(await find(interrupted({ before: ["1"] }))).toEqual({ id: 2 });
    expect(await find(interrupted({ before: [] }))).toBeUndefined();
    expect(await find(interrupted({ before: ["1", "2"] }))).toBeUndefined();
    expect(await find(interrupted())).toBeUndefined();
  });

  it("is unknown where there is no list", async () => {
    const alone = { ...showing("WorkspaceMember"), list: () => undefined };
    expect(await findHidden(alone, contextIn(), state, interrupted({ before: [] }))).toBeUndefined();
    expect(await listHiding(alone, contextIn(), state)).toEqual([]);
  });

  it("is recognized later by its ids: those that existed before", async () => {
    shown = [{ id: 1 }, { id: 2, email: null }, { id: 3, email: "bob@example.com" }];
    expect(await listHiding(showing("WorkspaceMember"), contextIn(), state)).toEqual(["1", "2"]);
    expect(await listHiding(showing("OAuthClient"), contextIn(), {})).toEqual([]);
  });

  it("has appeared since if there is one of the name, and is unclear if there are two", async () => {
    shown = [{ id: 1, name: "QA" }];
    const appeared = () => findAppeared(showing("Group"), contextIn(), { name: "QA" }, interrupted());
    expect(await appeared()).toEqual(shown[0]);
    shown.push({ id: 2, name: "QA" });
    expect(await appeared()).toBeUndefined();
  });

  it("has appeared since rather than one of the name that was there before", async () => {
    shown = [{ id: 4 }, { id: 5, email: "ann@example.com" }];
    expect(await find(interrupted({ before: ["5"] }), findAppeared)).toEqual({ id: 4 });
  });

  it("shares its key with others: only those with the key are compared", async () => {
    shown = [
      { id: 1, name: "Ping" },
      { id: 2, name: "Ping" },
      { id: 3, name: "Other" },
    ];
    const ping = { project: "web", pipeline: 9, name: "Ping", key: "Ping 2" };
    expect(await listHiding(showing("Action"), contextIn(), ping)).toEqual(["1", "2"]);
    const intent = interrupted({ before: ["1"] });
    expect(await findHidden(showing("Action"), contextIn(), ping, intent)).toEqual(shown[1]);
    expect(await listCandidates(showing("Action"), contextIn(), ping, intent)).toEqual([shown[1]]);
    expect(await listCandidates(showing("Action"), contextIn(), ping, interrupted())).toEqual([]);
    expect(await listCandidates(showing("Action"), contextIn(), ping, undefined)).toEqual([]);
  });
});

describe("a list that could not be read to its end", () => {
  const refuse = async (type: string, state: Fields, end: "assumed" | "unsettled" = "unsettled") => {
    const definition = showing(type, end);
    await listCandidates(definition, contextIn(), state, undefined);
    return () => refuseUnsettled(definition, contextIn(), state);
  };

  it("forbids a creation of a type whose names may repeat", async () => {
    expect(await refuse("Group", { name: "QA" })).toThrow(
      /group "QA" in workspace acme was not created, because it may already exist: .*workspacectl probe/,
    );
  });

  it("does not matter where the service keeps names unique, where nothing has a name, or there is no list", async () => {
    expect(await refuse("Project", { name: "web" })).not.toThrow();
    expect(await refuse("OAuthClient", {})).not.toThrow();
    const alone = { ...showing("Group"), list: () => undefined };
    expect(() => refuseUnsettled(alone, contextIn(), { name: "QA" })).not.toThrow();
  });

  it.each([
    ["Project", { name: "web" }, true],
    ["Branch", { project: "web", name: "main" }, true],
    ["Group", { name: "QA" }, false],
    ["OAuthClient", {}, false],
  ] as const)("the name of a %s is its identity: %j %s", (type, state, unique) => {
    expect(isKeyUnique(getDefinition(type), state)).toBe(unique);
  });
});

describe("a failed creation", () => {
  const failure = (mayHaveBeenApplied: boolean, code: "conflict" | "failed" | "already-exists" = "failed") =>
    new ServiceError({ code, mayHaveBeenApplied, remedy: "Try it again." } as never);

  it("certainly did nothing if the service or the provider refused it", () => {
    expect(wasNotCreated(failure(false))).toBe(true);
    expect(wasNotCreated(failure(true))).toBe(false);
    expect(wasNotCreated(new ProviderError("refused", "no", "say so"))).toBe(true);
    expect(wasNotCreated(new Error("killed"))).toBe(false);
  });

  it("says that there is such an object", () => {
    for (const code of ["conflict", "already-exists"] as const)
      expect(isAlreadyExists(failure(false, code))).toBe(true);
    expect(isAlreadyExists(failure(false))).toBe(false);
    expect(isAlreadyExists(new ProviderError("already-exists", "there", "adopt it"))).toBe(true);
    expect(isAlreadyExists({ code: "conflict" })).toBe(false);
  });
});

it("says how the service spells a name, if it does in another way", () => {
  const say = (name: unknown) => describeSpelling(getDefinition("Group"), { name: "Münze" }, { id: 1, name });
  expect(say("Münze")).toBe("");
  expect(say(undefined)).toBe("");
  expect(say("Mu\u0308nze")).toBe('; the service spells it "Mu\\u0308nze", and the declaration "Münze"');
});
