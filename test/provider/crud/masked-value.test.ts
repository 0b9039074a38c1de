/** Tests which state follows from the masked form of an encrypted value. */
import { describe, expect, it } from "vitest";
import { buildStateAfterRead, buildStateAfterWrite } from "../../../provider/crud/state.js";
import type { Target } from "../../../provider/crud/target.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import type { Context } from "../../../resources/definition/context.js";

const context = { workspace: "acme", address: "https://host/workspaces/acme", behavior: {} } as Context;
const target = (state: Fields): Target => ({ definition: getDefinition("Variable"), context, state });

function read(state: Fields, remote: Fields) {
  const { outs, notCompared } = buildStateAfterRead(target(state), { remote, whole: true });
  const { address: _, ...rest } = outs;
  return { outs: rest, notCompared };
}

function write(state: Fields, remote: Fields) {
  const { address: _, ...rest } = buildStateAfterWrite(target(state), remote, Object.keys(state)).outs;
  return rest;
}

describe("a value that the service masks", () => {
  const token = { key: "TOKEN", value: "hunter2", encrypted: true, variableId: 3 };
  const masked = (value: string) => ({ id: 3, key: "TOKEN", value, encrypted: true });
  const noted = { ...token, observed: { value: "secure!a" } };

  it("is unchanged while its mask is", () => {
    expect(write(token, masked("secure!a"))).toEqual(noted);
    expect(read(noted, masked("secure!a")).outs).toEqual(noted);
    // The first mask that a read shows is that of the declared value, as far as anybody knows, and this read cannot know it.
    expect(read(token, masked("secure!a"))).toMatchObject({
      outs: noted,
      notCompared: [["value"]],
    });
    expect(read(noted, masked("secure!a")).notCompared).toEqual([]);
  });

  it("has changed with its mask, unless this run has changed it", () => {
    const observed = { value: "secure!b" };
    expect(read(noted, masked("secure!b")).outs).toEqual({
      ...noted,
      value: "secure!b",
      observed,
    });
    expect(write({ ...noted, value: "hunter3" }, masked("secure!b"))).toEqual({
      ...noted,
      value: "hunter3",
      observed,
    });
  });

  it("has perhaps changed when it was encrypted outside, so its new form is no value that was applied", () => {
    const { encrypted: _, ...open } = token;
    const observed = { value: "secure!a" };
    expect(read(open, masked("secure!a")).outs).toEqual({
      ...open,
      encrypted: true,
      value: "secure!a",
      observed,
    });
  });

  it("has changed when the service shows it", () => {
    expect(read(noted, masked("open")).outs).toEqual({ ...noted, value: "open" });
  });

  it("has changed when the service shows it as plain text, even in its masked form", () => {
    const plain = { ...masked("secure!a"), encrypted: false };
    expect(read(noted, plain).outs).toEqual({ ...noted, value: "secure!a", encrypted: false });
  });

  it("is a value like any other where nothing is encrypted", () => {
    const open = { key: "A", value: "1", variableId: 3 };
    const remote = { id: 3, key: "A", value: "secure!a" };
    expect(read(open, remote).outs).toEqual({ ...open, value: "secure!a" });
  });
});
