/** Tests what `workspacectl doctor` says of the store of the states. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { inspectStore } from "../../../../cli/commands/doctor/inspect-store.js";
import { type MemoryObjectStore, startObjectStore } from "../../../recovery/object-store.js";

const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret-of-the-tests" };
const machine = Promise.resolve([]);

let server: MemoryObjectStore;
beforeEach(async () => void (server = await startObjectStore()));
afterEach(() => server.close());

it("warns of a bucket that overwrites objects, and does not show the settings of its address", async () => {
  const [check] = await inspectStore({ ...keys, PULUMI_BACKEND_URL: server.address }, machine);
  expect(check).toMatchObject({
    name: "state",
    status: "warning",
    found: "s3://state/fleet overwrites objects that it should refuse to create",
  });
  expect(check?.remedy).toContain("stack unlock");
});

it("warns of one that cannot be asked", async () => {
  const [check] = await inspectStore({ PULUMI_BACKEND_URL: server.address }, machine);
  expect(check?.found).toMatch(/^s3:\/\/state\/fleet could not be asked: .*AWS_ACCESS_KEY_ID/);
});

it.each(["file:///var/state", "https://api.pulumi.com"])("asks nothing of %s", async (address) => {
  expect(await inspectStore({ PULUMI_BACKEND_URL: address }, machine)).toEqual([]);
});
