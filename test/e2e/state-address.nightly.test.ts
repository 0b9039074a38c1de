/** Tests that no command and no report contains a credential in the address of the state, whether its server refuses or does not answer. */
import { describe, expect, it } from "vitest";
import { calls, findLeaks, prepare, startRefusing, unreachable } from "./state-address.js";
import { workspacectl } from "./support.js";

const servers = { "a server that refuses": await startRefusing(), "no server": unreachable };

describe.each(Object.entries(servers))("with %s", (_, addresses) => {
  it.each(Object.entries(addresses))(
    "nothing contains a part of an address of %s",
    async (_kind, address) => {
      const setup = await prepare();
      const leaks: Record<string, readonly string[]> = {};
      for (const [name, argv] of Object.entries(calls)) {
        const found = await findLeaks(setup, workspacectl, address, argv);
        if (found.length > 0) leaks[name] = found;
      }
      expect(leaks).toEqual({});
    },
  );
});
