/** Tests cli/commands/fleet/requests.ts: how processes divide the requests. */
import { expect, it } from "vitest";
import type { FleetEntry } from "../../../../cli/commands/fleet/fleet-file.js";
import { countShares } from "../../../../cli/commands/fleet/requests.js";

const entry = (name: string, connection: string) => ({ name, connection, environment: {} }) as FleetEntry;
const entries = [entry("a", "us"), entry("b", "us"), entry("c", "us"), entry("d", "eu")];

it("counts the processes of one user that may run at the same time", () => {
  const shares = countShares(entries, undefined, 2);
  expect(entries.map(shares)).toEqual([2, 2, 2, 1]);
});

it("counts those of all shards", () => {
  const shard = { index: 1, count: 2, of: { a: 1, b: 2, c: 2, d: 1 } };
  expect(entries.map(countShares(entries, shard, 4))).toEqual([3, 3, 3, 1]);
  expect(entries.map(countShares(entries, shard, 1))).toEqual([2, 2, 2, 1]);
});
