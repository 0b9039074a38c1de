/** Tests what a plan asks the service about people and permission sets that its state does not know. */
import { describe, expect, it } from "vitest";
import { accessLookup } from "../../../automation/policy/access-impact/live-access.js";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import type { Emulator } from "../../../emulator/index.js";
import { getAddress, SharedReadCache } from "../../../provider/index.js";
import { emulated } from "../../cli/service-support.js";
import { testIo } from "../../cli/support.js";

function lookupIn({ baseUrl, token, workspace }: Emulator, reads?: SharedReadCache) {
  return accessLookup({ name: "test", baseUrl, token, workspace } as never, testIo().io, reads);
}

/** Adds members to the workspace and returns their ids. */
async function invite({ baseUrl, token, workspace }: Emulator, ...emails: string[]): Promise<number[]> {
  const client = new WorkspaceAutomationClient({ baseUrl, token });
  try {
    const ids: number[] = [];
    for (const email of emails) ids.push((await client.members.create(workspace, { email })).id);
    return ids;
  } finally {
    await client.close();
  }
}

const requests = ({ journal }: Emulator) => journal.requests.map(({ path }) => path);
const ownerOf = async (emulator: Emulator) =>
  ((await emulator.edit({ method: "GET", path: "/user" })).body as { id: number }).id;

describe("the lookup of a plan", () => {
  it("finds the names of people and the levels of permission sets", async () => {
    const emulator = await emulated({ echoMemberEmail: true });
    const [bob] = await invite(emulator, "bob@example.com");
    await emulator.edit({
      method: "POST",
      path: "/workspaces/acme/permissions",
      body: {
        name: "devs",
        description: "Make",
        repository_access_level: "READ_WRITE",
        pipeline_access_level: "RUN_ONLY",
      },
    });
    const { people, permissionSets } = await lookupIn(emulator).known();
    expect(people).toContainEqual({ id: bob, name: "bob@example.com" });
    expect(permissionSets).toContainEqual({
      id: expect.any(Number) as number,
      name: "devs",
      repository: "READ_WRITE",
      pipelines: "RUN_ONLY",
    });
  });

  it("requests nothing that the preview has read", async () => {
    const emulator = await emulated();
    const shared = new SharedReadCache();
    await lookupIn(emulator, shared).known();
    emulator.journal.clear();
    await lookupIn(emulator, shared).known();
    expect(requests(emulator)).toEqual([]);
    expect(shared.isRead(getAddress(emulator.baseUrl, "acme"), "members")).toBe(true);
  });

  it("knows nothing if the service refuses, because a plan does not depend on it", async () => {
    const emulator = await emulated();
    const [bob = 0] = await invite(emulator, "bob@example.com");
    emulator.faults.add({ kind: "status", status: 403, path: "/workspaces/acme/members" });
    expect(await lookupIn(emulator).known()).toEqual({ people: [], permissionSets: [] });
    emulator.faults.add({ kind: "status", status: 403, path: `/workspaces/acme/members/${bob}` });
    expect(await lookupIn(emulator).staying([bob])).toEqual(new Map());
  });

  it("says which of the removed members stay: the caller, and an owner", async () => {
    const emulator = await emulated();
    const [bob = 0] = await invite(emulator, "bob@example.com");
    const owner = await ownerOf(emulator);
    expect(await lookupIn(emulator).staying([bob, owner])).toEqual(
      new Map([[owner, "it is the calling user's own membership"]]),
    );
    emulator.faults.add({ kind: "status", status: 403, path: "/user" });
    expect(await lookupIn(emulator).staying([bob, owner])).toEqual(
      new Map([[owner, "the member owns the workspace"]]),
    );
  });

  it("asks about at most 20 members", async () => {
    const emulator = await emulated();
    const ids = await invite(emulator, ...Array.from({ length: 21 }, (_, n) => `p${n}@example.com`));
    emulator.journal.clear();
    await lookupIn(emulator).staying(ids);
    expect(requests(emulator).filter((path) => path.includes("/members/"))).toHaveLength(20);
  });

  it("repeats a request twice at most", async () => {
    const emulator = await emulated();
    emulator.faults.add({ kind: "status", status: 503, path: "/user", count: 10 });
    expect(await lookupIn(emulator).staying([1])).toEqual(new Map());
    expect(requests(emulator)).toEqual(["/user", "/user", "/user"]);
  });

  it("fails on what is no answer of the service", async () => {
    const emulator = await emulated();
    const shared = new SharedReadCache();
    const reads = shared.of(getAddress(emulator.baseUrl, "acme"));
    const fails = () => Promise.reject(new TypeError("a fault of ours"));
    Object.assign(reads, { list: fails, single: fails });
    const lookup = lookupIn(emulator, shared);
    await expect(lookup.known()).rejects.toThrow("a fault of ours");
    await expect(lookup.staying([1])).rejects.toThrow("a fault of ours");
  });
});
