/** Tests from which requests it is concluded where an object is, and which of them a write makes invalid. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ListEnd, ServiceError } from "../../../client/index.js";
import { Session } from "../../../provider/connection/session.js";
import {
  enterWritten,
  findExisting,
  findOfSameKey,
  forgetReads,
  gather,
  isInOtherParent,
  isReadable,
  isUnlisted,
  listRemote,
  listWhole,
  readAlone,
  runWrite,
} from "../../../provider/existence/sources.js";
import { getDefinition } from "../../../provider/index.js";
import type { Context } from "../../../resources/definition/context.js";
import type {
  Definition,
  Fields,
  ListSource,
  RemoteObject,
  SingleSource,
} from "../../../resources/definition/definition.js";

/** The requests in their order. */
let requests: string[];
let session: Session;
let context: Context;

beforeEach(() => {
  requests = [];
  const connection = { baseUrl: "https://service.example.com", token: "token", workspace: "acme" };
  session = new Session({ ...connection, allowInsecure: false });
  context = session.context({ workspace: "acme" });
});
afterEach(() => session.close());

const failure = (code: "not-found" | "invalid-url" | "denied") =>
  new ServiceError({ code, remedy: "Try it again." });

interface ListOptions extends Partial<ListSource> {
  readonly end?: ListEnd;
  /** What only a read that proves the end shows. */
  readonly more?: readonly RemoteObject[];
}

function listOf(items: readonly RemoteObject[] | Error, options: ListOptions = {}): ListSource {
  const { end = "proven", more = [], ...others } = options;
  const load = (isSure = false): ReturnType<ListSource["load"]> => {
    requests.push(isSure ? "all of the list" : "list");
    if (items instanceof Error) return Promise.reject(items);
    return Promise.resolve(isSure ? { items: [...items, ...more], end: "proven" } : { items, end });
  };
  return { kind: "list", key: "list", load, ...others };
}

function alone(shown: object | Error, more: Partial<SingleSource> = {}): SingleSource {
  const load = () => {
    requests.push(more.key ?? "single");
    return shown instanceof Error ? Promise.reject(shown) : Promise.resolve(shown);
  };
  return { kind: "single", key: "single", load, ...more };
}

/** An object that is read from these sources. */
function targetOf(
  type: string,
  state: Fields,
  list: ListSource | undefined,
  ...singles: readonly SingleSource[]
) {
  const sources = () => [...(list === undefined ? [] : [list]), ...singles];
  const definition = { ...getDefinition(type), list: () => list, sources } as unknown as Definition;
  return { definition, context, state };
}

const group = (...sources: readonly [ListSource | undefined, ...SingleSource[]]) =>
  targetOf("Group", { groupId: 1, name: "QA" }, ...sources);
const has = (key: string) => (remote: RemoteObject) => key in remote;
const other = { id: 2, name: "Ops" };

describe("an object is read", () => {
  it("from the cheapest source first, until enough is known", async () => {
    const sources = [
      listOf([other, { id: 1, name: "QA" }]),
      alone({ id: 1, description: "Testers" }),
    ] as const;
    expect(await gather(group(...sources), has("name"))).toEqual({ id: 1, name: "QA" });
    expect(requests).toEqual(["list"]);
    const read = new Set<ListSource | SingleSource>();
    expect(await gather(group(...sources), has("description"), undefined, read)).toEqual({
      ...{ id: 1, name: "QA", description: "Testers" },
    });
    expect(requests).toEqual(["list", "single"]);
    expect([...read]).toEqual(sources);
  });

  it("from no source if enough was known before", async () => {
    expect(await gather(group(listOf([])), has("id"), { id: 1 })).toEqual({ id: 1 });
    expect(requests).toEqual([]);
  });

  it("by itself where its list does not show it, but not from a path that finds it in any parent", async () => {
    const missing = listOf([other]);
    expect(await isReadable(group(missing, alone({ id: 1 })))).toBe(true);
    expect(await isReadable(group(missing, alone({ id: 1 }, { anywhere: true })))).toBe(false);
    expect(await isReadable(group(missing))).toBe(false);
  });

  it("from a path that the service does not know, or that leads to nothing: not at all", async () => {
    for (const code of ["not-found", "invalid-url"] as const)
      expect(await readAlone(context, alone(failure(code)))).toBeUndefined();
    await expect(readAlone(context, alone(failure("denied")))).rejects.toMatchObject({ code: "denied" });
    await expect(readAlone(context, alone(new Error("broken")))).rejects.toThrow("broken");
  });

  it("once, except where it is made of what is read under another key", async () => {
    const [own, made] = [alone({ id: 1 }), alone({ id: 1 }, { key: "part", madeOf: "whole" })];
    for (const source of [own, own, made, made]) await readAlone(context, source);
    expect(requests).toEqual(["single", "part", "part"]);
  });
});

describe("a list", () => {
  it("whose end was only assumed is read to its end for an object that it lacks", async () => {
    const list = listOf([other], { end: "assumed", more: [{ id: 1, name: "QA" }] });
    expect(await gather(group(list), () => true)).toEqual({ id: 1, name: "QA" });
    expect(requests).toEqual(["list", "all of the list"]);
  });

  it("is not read again for an object that it shows, or if it is complete", async () => {
    await gather(group(listOf([{ id: 1 }], { end: "assumed" })), () => true);
    await isReadable(group(listOf([other], { key: "complete" })));
    expect(requests).toEqual(["list", "list"]);
  });

  it("of a parent that does not exist shows nothing; any other failure is one", async () => {
    expect(await isReadable(group(listOf(failure("not-found"))))).toBe(false);
    await expect(isReadable(group(listOf(failure("denied"))))).rejects.toMatchObject({ code: "denied" });
    await expect(isReadable(group(listOf(new Error("broken"))))).rejects.toThrow("broken");
  });

  it("does not show an object only if it could be read", async () => {
    expect(await isUnlisted(group(listOf([other])))).toBe(true);
    expect(await isUnlisted(group(listOf([{ id: 1 }], { key: "another" })))).toBe(false);
    expect(await isUnlisted(group(undefined))).toBe(false);
    expect(await isUnlisted(group(listOf(failure("denied"), { key: "denied" })))).toBe(false);
    await expect(isUnlisted(group(listOf(new Error("broken"), { key: "broken" })))).rejects.toThrow("broken");
  });

  it("is known to be complete after one more request, and is read again only if there is more", async () => {
    const ends = (isEnd: boolean) => (items: number) => {
      requests.push(`more than ${items}?`);
      return Promise.resolve(isEnd);
    };
    const complete = listOf([other], { end: "assumed", endsAt: ends(true) });
    expect(await listWhole(context, complete)).toEqual([other]);
    expect(await listWhole(context, complete)).toEqual([other]);
    expect(requests.splice(0)).toEqual(["list", "more than 1?"]);
    const longer = listOf([other], { key: "longer", end: "assumed", endsAt: ends(false), more: [{ id: 3 }] });
    expect(await listWhole(context, longer)).toEqual([other, { id: 3 }]);
    expect(requests.splice(0)).toEqual(["list", "more than 1?", "all of the list"]);
    await listWhole(context, listOf([other], { key: "unpaged", end: "assumed" }));
    expect(requests).toEqual(["list", "all of the list"]);
  });

  it("that is a part of an object is read with it", async () => {
    const part = listOf([other], { within: { key: "whole", part: "items" } });
    for (let time = 0; time < 2; time += 1) expect(await listRemote(context, part)).toEqual([other]);
    expect(requests).toEqual(["list", "list"]);
  });
});

describe("the parent in the state", () => {
  const anywhere = alone({ id: 1 }, { anywhere: true });

  it("is not that of an object which its list lacks, and which is found by its id anywhere", async () => {
    expect(await isInOtherParent(group(listOf([other]), anywhere))).toBe(true);
    expect(await isInOtherParent(group(listOf([{ id: 1 }], { key: "own" }), anywhere))).toBe(false);
    expect(await isInOtherParent(group(undefined, anywhere))).toBe(false);
  });

  it("needs no proof where the path of the object names it", async () => {
    expect(await isInOtherParent(group(listOf([other]), alone({ id: 1 })))).toBe(false);
    expect(requests).toEqual([]);
  });
});

describe("objects of the same key", () => {
  it("are those in another spelling only if none has exactly this key", async () => {
    const exact = { id: 1, name: "Mu\u0308nze" };
    const spelled = { id: 2, name: "M\u00fcnze" };
    const find = (...items: RemoteObject[]) =>
      findExisting(targetOf("Group", { name: "Mu\u0308nze" }, listOf(items, { key: `of ${items.length}` })));
    expect(await find(spelled, exact, other)).toEqual([exact]);
    expect(await find(spelled, other)).toEqual([spelled]);
    expect(await find(other)).toEqual([]);
  });

  it("are proven to be all, unless the caller needs no proof", async () => {
    const list = listOf([other], { end: "assumed" });
    await findOfSameKey(group(list), false);
    expect(requests.splice(0)).toEqual(["list"]);
    await findExisting(group(list));
    expect(requests.splice(0)).toEqual(["all of the list"]);
    await findExisting(group(listOf([other], { key: "another", end: "assumed" })), false);
    expect(requests).toEqual(["list"]);
  });

  it("cannot be found without a list or a key", async () => {
    expect(await findOfSameKey(group(undefined))).toEqual([]);
    expect(await findOfSameKey(targetOf("OAuthClient", {}, listOf([other])))).toEqual([]);
    expect(requests).toEqual([]);
  });

  it("that share it are identified by their number alone", async () => {
    const items = [1, 2].map((id) => ({ id, name: "Ping" }));
    const find = (more: Fields) =>
      findExisting(targetOf("Action", { project: "web", pipeline: 9, name: "Ping", ...more }, listOf(items)));
    expect(await find({ action: 2 })).toEqual([items[1]]);
    expect(await find({ action: 3 })).toEqual([]);
    expect(await find({ key: "Ping 2" })).toEqual([]);
    expect(await find({})).toEqual(items);
  });
});

describe("after a write", () => {
  const one = { id: 1, name: "QA" };
  const below = alone(one, { key: "single/part" });
  const made = alone(one, { key: "view", madeOf: "whole" });

  /** Reads the sources again. @returns the requests that this took */
  async function readAgain(...sources: readonly (ListSource | SingleSource)[]): Promise<string[]> {
    requests = [];
    for (const source of sources)
      await (source.kind === "list" ? listRemote(context, source) : readAlone(context, source));
    return requests;
  }

  it("the lists show it, and the object is read again", async () => {
    const [list, single] = [listOf([one, other]), alone(one)];
    const target = group(list, single);
    await readAgain(list, single, below);
    enterWritten(target, { id: 1, name: "Testers" });
    expect(await readAgain(list, single, below)).toEqual(["single"]);
    expect(await listRemote(context, list)).toEqual([{ id: 1, name: "Testers" }, other]);
    enterWritten(target, undefined);
    expect(await readAgain(list, single, below)).toEqual(["single", "single/part"]);
    expect(await listRemote(context, list)).toEqual([other]);
  });

  it("so does the object that contains the list, and what is made of another one is read again", async () => {
    const whole = alone({ id: 9, items: [other] }, { key: "whole" });
    const part = listOf([other], { within: { key: "whole", part: "items" } });
    await readAgain(whole);
    enterWritten(group(part), one);
    expect(await readAgain(whole)).toEqual([]);
    expect(await readAlone(context, whole)).toEqual({ id: 9, items: [other, one] });
    enterWritten(group(undefined, made), one);
    expect(await readAgain(whole)).toEqual(["whole"]);
  });

  it("that failed, everything is read again, since it may have been applied", async () => {
    const [list, single, whole] = [listOf([one]), alone(one), alone({ items: [] }, { key: "whole" })];
    const part = listOf([one], { key: "part", within: { key: "whole", part: "items" } });
    const write = (fails: boolean, ...sources: Parameters<typeof group>) =>
      runWrite(group(...sources), () =>
        fails ? Promise.reject(new Error("lost")) : Promise.resolve("done"),
      );
    await readAgain(list, single, whole);
    expect(await write(false, list, single)).toBe("done");
    expect(await readAgain(list, single, whole)).toEqual([]);
    await expect(write(true, list, single)).rejects.toThrow("lost");
    expect(await readAgain(list, single, whole)).toEqual(["list", "single"]);
    await expect(write(true, part)).rejects.toThrow("lost");
    expect(await readAgain(whole)).toEqual(["whole"]);
    await expect(write(true, undefined, made)).rejects.toThrow("lost");
    expect(await readAgain(whole)).toEqual(["whole"]);
  });

  it("that moves it in lists, a list that was read meanwhile is read again", async () => {
    const list = listOf([one]);
    for (const [shifts, again] of [
      [true, ["list"]],
      [false, []],
    ] as const) {
      forgetReads(group(list));
      await runWrite(group(list), () => listRemote(context, list), shifts);
      expect(await readAgain(list)).toEqual(again);
    }
  });
});
