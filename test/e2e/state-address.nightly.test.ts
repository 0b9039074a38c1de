/**
 * Tests that no command and no report contains a credential in the address of the state: with a server that accepts it, one that refuses it,
 * and none. STATE_IN_POSTGRES names a database of a user who may create others.
 */
import { describe, expect, it } from "vitest";
import {
  calls,
  chooseCalls,
  findLeaks,
  listLeaks,
  prepare,
  startAccepting,
  startRefusing,
  unreachable,
} from "./state-address.js";
import { type Ended, workspacectl } from "./support.js";

const setup = await prepare();
const owner = process.env["STATE_IN_POSTGRES"];
const database = owner === undefined ? undefined : await startAccepting(owner);
const servers = { "a server that refuses": await startRefusing(), "no server": unreachable };

describe.each(Object.entries(servers))("with %s", (_, addresses) => {
  const kinds = Object.keys(addresses);
  it.each(Object.entries(addresses))("nothing contains a part of an address of %s", async (kind, address) => {
    const chosen = chooseCalls(kinds.indexOf(kind), kinds.length);
    expect(await listLeaks(setup, workspacectl, address, chosen)).toEqual({});
  });

  it("every command is played", () => {
    const played = kinds.flatMap((_kind, index) => Object.keys(chooseCalls(index, kinds.length)));
    expect(new Set(played)).toEqual(new Set(Object.keys(calls)));
  });
});

describe.skipIf(database === undefined)("with a database, which STATE_IN_POSTGRES names", () => {
  it("nothing contains a part of the address, while every command works, and with another password", async () => {
    const { accepted = "", refused = "" } = database ?? {};
    const failed: string[] = [];
    const run = async (...given: Parameters<typeof workspacectl>): Promise<Ended> => {
      const ended = await workspacectl(...given);
      if (ended.code !== 0) failed.push(`${given[0].join(" ")}: ${ended.stderr}`);
      return ended;
    };
    expect(await listLeaks(setup, run, accepted, calls)).toEqual({});
    expect(failed).toEqual([]);
    for (const name of ["preview", "stack ls", "history"])
      expect(await findLeaks(setup, workspacectl, refused, calls[name] ?? [])).toEqual([]);
  });
});
