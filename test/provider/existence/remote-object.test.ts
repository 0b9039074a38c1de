/** Tests which sources of an object are read, and when an object does not exist. */
import { beforeEach, describe, expect, it } from "vitest";
import { ServiceError, type ServiceErrorCode } from "../../../client/index.js";
import { observe, readRemote } from "../../../provider/existence/observe.js";
import { findExisting, isInOtherParent, runWrite } from "../../../provider/existence/sources.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import type { Context } from "../../../resources/definition/context.js";
import { ReadCache } from "../../../resources/definition/read-cache.js";

type Shown = Fields | ServiceErrorCode;

const group = getDefinition("Group");
let asked: string[];
let reads: ReadCache;
/** The calling user's own member, as far as the token may read it. */
let caller: {
  id?: number;
  admin?: boolean;
  workspace_owner?: boolean;
  sets?: boolean;
  fails?: ServiceErrorCode;
};
beforeEach(() => {
  caller = { id: 1, admin: true };
  asked = [];
  reads = new ReadCache();
});

const failure = (code: ServiceErrorCode) => new ServiceError({ code, what: code, remedy: "" });

function source(key: string, shown: Shown | readonly Fields[], more: object = {}) {
  const load = () => {
    asked.push(key);
    if (typeof shown === "string") return Promise.reject(failure(shown));
    return Promise.resolve(Array.isArray(shown) ? { items: shown, end: "proven" } : shown);
  };
  return { kind: Array.isArray(shown) ? "list" : "single", key, load, ...more };
}
const list = (shown: readonly Fields[] | ServiceErrorCode, more: object = {}) => ({
  ...source("list", shown, more),
  kind: "list",
});
const single = (shown: Shown, more: object = {}) => source("single", shown, more);

function contextOf(): Context {
  const denied = () => Promise.reject(failure("denied"));
  const read = (shown: object) => (asked.push("caller"), Promise.resolve(shown));
  const sets = { read: () => (caller.sets ? read({ items: [], end: "proven" }) : denied()) };
  const members = {
    get: (_workspace: string, id: number) => {
      asked.push(`member ${id}`);
      if (caller.fails !== undefined) return Promise.reject(failure(caller.fails));
      return caller.admin === undefined ? denied() : read(caller);
    },
  };
  const api = { members, permissionSets: { list: () => sets } };
  const work = new Map<string, unknown>();
  const once = (key: string, make: () => unknown) => work.get(key) ?? work.set(key, make()).get(key);
  const callerId = () => Promise.resolve(caller.id);
  return { reads, api, once, callerId, workspace: "acme", projectName: (name: string) => name } as never;
}

/** A group with the number 7 and these sources, of which the first one may be its list. */
function target(sources: readonly object[], args: Fields = { name: "QA" }, type = group) {
  const definition = {
    ...type,
    list: () => sources.find((one) => (one as { kind: string }).kind === "list"),
    sources: () => sources,
  } as unknown as typeof group;
  return { definition, context: contextOf(), state: { groupId: 7, ...args } };
}

const qa = { id: 7, name: "QA", description: "" };

describe("reading an object", () => {
  it("ends at the first source that shows all that is declared and has a default", async () => {
    const all = [list([{ id: 8 }, qa]), single({ ...qa, html_url: "x" })];
    expect(await observe(target(all))).toEqual({ is: "there", remote: qa, whole: false });
    expect(asked).toEqual(["list"]);
  });

  it("goes on where the list omits what is declared", async () => {
    const all = [list([{ id: 7, name: "QA" }]), single({ id: 7, description: "Testers" })];
    expect(await observe(target(all, { name: "QA", description: "x" }))).toEqual({
      is: "there",
      remote: { id: 7, name: "QA", description: "Testers" },
      whole: true,
    });
    expect(asked).toEqual(["list", "single"]);
  });

  it("goes on where the list omits what has a default, as far as the token may read it", async () => {
    const short = { id: 7, email: "ann@example.com" };
    const read = async (shown: Shown, args: Fields = {}) => {
      reads = new ReadCache();
      asked = [];
      const state = { memberId: 7, email: short.email, ...args };
      return observe(target([list([short]), single(shown)], state, getDefinition("WorkspaceMember")));
    };
    expect(await read({ admin: true })).toEqual({
      is: "there",
      remote: { ...short, admin: true },
      whole: true,
    });
    const long = { ...short, admin: true };
    asked = [];
    const member = target(
      [list([long]), single("server")],
      { memberId: 7 },
      getDefinition("WorkspaceMember"),
    );
    reads = new ReadCache();
    expect(await observe({ ...member, context: contextOf() })).toMatchObject({ remote: long });
    expect(asked).toEqual(["list"]);
    for (const kept of ["denied", "not-found"] as const)
      expect(await read(kept)).toEqual({ is: "there", remote: short, whole: false });
    expect(asked).toEqual(["list", "single"]);
    await expect(read("server")).rejects.toMatchObject({ code: "server" });
  });

  it("does not need the workspace, or what the service never shows", async () => {
    const written = { ...group, writeOnly: () => ["description"] };
    const of = target([list([{ id: 7, name: "QA" }]), single("server")], {
      name: "QA",
      description: "x",
      workspace: "acme",
    });
    const definition = { ...of.definition, writeOnly: written.writeOnly } as typeof group;
    expect(await observe({ ...of, definition })).toMatchObject({ whole: false });
  });

  it("finds nothing where no list shows it, and its own path does not exist", async () => {
    for (const gone of ["not-found", "invalid-url"] as const) {
      reads = new ReadCache();
      asked = [];
      expect(await observe(target([list([{ id: 8 }]), single(gone)]))).toEqual({ is: "gone" });
      expect(asked).toEqual(["list", "single"]);
      reads = new ReadCache();
      expect(await observe(target([list("not-found"), single(gone)]))).toEqual({ is: "gone" });
    }
  });

  it("fails where the service refuses to say", async () => {
    await expect(observe(target([list("denied"), single("not-found")]))).rejects.toMatchObject({
      code: "denied",
    });
    await expect(observe(target([list([]), single("denied")]))).rejects.toMatchObject({ code: "denied" });
    const broken = { ...list([]), load: () => Promise.reject(new TypeError("a fault of ours")) };
    reads = new ReadCache();
    await expect(observe(target([broken]))).rejects.toThrow("a fault of ours");
  });

  it("does not trust a path that finds the object in any parent, unless a list shows it", async () => {
    const anywhere = single(qa, { anywhere: true });
    expect(await observe(target([list([]), anywhere]))).toEqual({ is: "elsewhere" });
    expect(asked).toEqual(["list", "single"]);
    reads = new ReadCache();
    const short = list([{ id: 7, name: "QA" }]);
    const declared = { name: "QA", description: "" };
    expect(await observe(target([short, anywhere], declared))).toEqual({
      is: "there",
      remote: qa,
      whole: true,
    });
  });

  it("knows an object that is made of another read only in part, and does not store it again", async () => {
    const part = single(qa, { madeOf: "pipeline" });
    expect(await observe(target([part]))).toEqual({ is: "there", remote: qa, whole: false });
    await observe(target([part]));
    expect(asked).toEqual(["single", "single"]);
  });
});

describe("an object that no source shows", () => {
  const restricted = { ...group, restricted: true } as typeof group;
  const missing = () => [list([{ id: 8 }]), single("not-found")];

  it("is deleted for an administrator, or the owner, who would see it", async () => {
    for (const own of [{ admin: true }, { admin: false, workspace_owner: true }]) {
      caller = { id: 1, ...own };
      reads = new ReadCache();
      expect(await observe(target(missing(), {}, restricted))).toEqual({ is: "gone" });
    }
  });

  it("is perhaps hidden for anybody else, if it is of a type that can be hidden", async () => {
    caller = { id: 1, admin: false };
    expect(await observe(target(missing(), {}, restricted))).toEqual({ is: "hidden" });
    await expect(readRemote(target(missing(), { name: "QA" }, restricted))).rejects.toMatchObject({
      code: "perhaps-hidden",
      message: expect.stringMatching(/group "QA".* is perhaps hidden from this token/) as string,
    });
    expect(await observe(target(missing()))).toEqual({ is: "gone" });
  });

  it("is perhaps hidden together with its parent", async () => {
    caller = { id: 1, admin: false };
    expect(await observe(target([list("not-found"), single("not-found")]))).toEqual({ is: "hidden" });
    await expect(observe(target([list("denied"), single("not-found")]))).rejects.toMatchObject({
      code: "denied",
    });
  });

  it("takes no request for the caller where it is shown, or where its type is never hidden", async () => {
    await observe(target([list([qa]), single(qa)]));
    await observe(target(missing()));
    expect(asked).not.toContain("caller");
  });

  it("needs the right to list permission sets where the token may not read its user", async () => {
    for (const own of [{ sets: true }, { id: 1, sets: true }]) {
      caller = own;
      expect(await observe(target(missing(), {}, restricted))).toEqual({ is: "gone" });
    }
    expect(asked.filter((one) => one.startsWith("member"))).toEqual(["member 1"]);
    for (const own of [{}, { id: 1, admin: false, sets: true }]) {
      caller = own;
      reads = new ReadCache();
      expect(await observe(target(missing(), {}, restricted))).toEqual({ is: "hidden" });
    }
  });

  it("cannot be judged while the service fails", async () => {
    caller = { id: 1, fails: "server" };
    await expect(observe(target(missing(), {}, restricted))).rejects.toMatchObject({ code: "server" });
    reads = new ReadCache();
    let times = 0;
    const broken = {
      ...list([]),
      load: () => Promise.reject(failure(times++ === 0 ? "not-found" : "server")),
    };
    await expect(observe(target([broken, single("not-found")]))).rejects.toMatchObject({ code: "server" });
  });

  it("is looked for in the rest of a list that may go on, before it is requested itself", async () => {
    const short = {
      ...list([{ id: 8 }]),
      load: (isSure?: boolean) => {
        asked.push(isSure ? "whole list" : "list");
        return Promise.resolve(
          isSure ? { items: [{ id: 8 }, qa], end: "proven" } : { items: [{ id: 8 }], end: "assumed" },
        );
      },
    };
    expect(await observe(target([short, single("not-found")]))).toMatchObject({ is: "there" });
    expect(asked).toEqual(["list", "whole list"]);
  });
});

describe("an object in another parent", () => {
  it("is one that only a path for any parent finds", async () => {
    const anywhere = single(qa, { anywhere: true });
    expect(await isInOtherParent(target([list([]), anywhere]))).toBe(true);
    reads = new ReadCache();
    expect(await isInOtherParent(target([list([qa]), anywhere]))).toBe(false);
    reads = new ReadCache();
    expect(await isInOtherParent(target([list([]), single(qa)]))).toBe(false);
    expect(await isInOtherParent(target([anywhere]))).toBe(false);
  });
});

describe("existing objects of the same name", () => {
  it("are those of the list in all parts of the name", async () => {
    const items = [qa, { id: 8, name: "Ops" }, { id: 9, name: "QA" }];
    expect(await findExisting(target([list(items)]))).toEqual([qa, items[2]]);
    expect(await findExisting(target([single(qa)]))).toEqual([]);
    const { definition, ...rest } = target([list(items)]);
    expect(await findExisting({ ...rest, definition: { ...definition, naturalKey: [] } })).toEqual([]);
    const both = { ...definition, naturalKey: ["name", "description"] };
    const state = { name: "QA", description: "" };
    reads = new ReadCache();
    expect(await findExisting({ ...rest, definition: both, state })).toEqual([qa]);
  });
});

describe("a write", () => {
  it("that failed may have had an effect, so that the object is read again", async () => {
    const within = list([qa], { key: "part", within: { key: "whole", part: "items" } });
    const made = single(qa, { madeOf: "origin" });
    const of = target([within, made, single(qa)]);
    for (const key of ["whole", "origin", "single", "other"])
      await reads.single(key, () => Promise.resolve({}));
    await expect(runWrite(of, () => Promise.reject(failure("server")))).rejects.toMatchObject({
      code: "server",
    });
    expect(["whole", "origin", "single", "other"].filter((key) => reads.isRead(key))).toEqual(["other"]);
  });

  it("that succeeded leaves what was read, and returns the response", async () => {
    const of = target([list([qa])]);
    await observe(of);
    expect(await runWrite(of, () => Promise.resolve("done"))).toBe("done");
    expect(reads.isRead("list")).toBe(true);
  });
});
