/** Tests that no command prints a credential in the address of the state, of the kinds that fail at once. The others are in the nightly tests. */
import { expect, it } from "vitest";
import { calls, findLeaks, prepare, unreachable } from "./state-address.js";
import { workspacectl } from "./support.js";

it.each(["preview", "stack ls"])(
  "%s prints no part of the address of a state that does not answer",
  async (name) => {
    const setup = await prepare();
    expect(await findLeaks(setup, workspacectl, unreachable["postgres"] ?? "", calls[name] ?? [])).toEqual(
      [],
    );
  },
);
