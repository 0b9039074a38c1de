/** Sends everything that once broke the emulator, and similar requests. */
import { expect, test } from "vitest";
import { attack, createFixtures, hostileRequests, unreadable } from "./hostile.js";
import { start } from "./support.js";

test(
  "hostile requests cause no server error and no hang, and everything stored stays readable",
  { timeout: 600_000 },
  async () => {
    const { emulator } = await start({ strictBodies: false, rateLimit: 1e9, control: true });
    const requests = hostileRequests(await createFixtures(emulator));
    expect(requests.length).toBeGreaterThan(500);
    expect(await attack(emulator, requests, 20_000)).toEqual([]);
    // Some writes of each kind must be accepted, or reading them back proves nothing.
    const writes = emulator.journal.writes().filter(({ status }) => status < 300);
    expect(writes.length).toBeGreaterThan(100);
    expect(await unreadable(emulator)).toEqual([]);
  },
);
