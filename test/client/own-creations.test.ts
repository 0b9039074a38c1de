/** Tests reads that lag behind the writes of the same client. */
import nock from "nock";
import { describe, expect, it } from "vitest";
import { failure, FakeClock, host, mockedClient, says, useNock } from "./helpers.js";

useNock();

const groups = "/api/workspaces/acme/groups";
const group = { id: 7, name: "QA", description: null };

async function created(clock = new FakeClock()) {
  const client = mockedClient({ clock });
  nock(host).post(groups).reply(201, group);
  await client.groups.create("acme", { name: "QA" });
  return { client, clock };
}

describe("an object that the client has just created", () => {
  it("is requested again until the service shows it", async () => {
    const { client, clock } = await created();
    nock(host).get(`${groups}/7`).times(3).reply(404, says("Not found")).get(`${groups}/7`).reply(200, group);
    expect(await client.groups.get("acme", 7)).toEqual(group);
    expect(clock.sleeps).toEqual([100, 200, 400]);
  });

  it("does not exist if the service does not show it for eight seconds", async () => {
    const { client, clock } = await created();
    const begun = clock.now();
    nock(host).persist().get(`${groups}/7`).reply(404, says("Not found"));
    await failure(client.groups.get("acme", 7), "not-found");
    expect(clock.now() - begun).toBe(8000);
    nock.cleanAll();
    nock(host).get(`${groups}/7`).reply(404, says("Not found"));
    await failure(client.groups.get("acme", 7), "not-found");
  });

  it("lets a write in it wait", async () => {
    const { client, clock } = await created();
    const member = { id: 3, name: "Ann" };
    nock(host).post(`${groups}/7/members`).reply(404, says("Not found"));
    nock(host).get(`${groups}/7`).reply(404, says("Not found"));
    nock(host).post(`${groups}/7/members`).reply(404, says("Not found"));
    nock(host).get(`${groups}/7`).reply(200, group);
    nock(host).post(`${groups}/7/members`).reply(201, member);
    expect(await client.groupMembers.create("acme", 7, { id: 3 })).toMatchObject(member);
    expect(clock.sleeps).toEqual([100]);
  });

  it("lets each of several requests in it have another attempt once the service shows it", async () => {
    const { client } = await created();
    const members = [3, 4, 5];
    for (const id of members) {
      nock(host).get(`${groups}/7/members/${id}`).reply(404, says("Not found"));
      nock(host).get(`${groups}/7`).reply(200, group);
      nock(host).get(`${groups}/7/members/${id}`).reply(200, { id });
    }
    const found = await Promise.all(members.map((id) => client.groupMembers.get("acme", 7, id)));
    expect(found.map(({ id }) => id)).toEqual(members);
  });

  it("lets a denied request in it wait, as a service may deny what it does not know yet", async () => {
    const { client, clock } = await created();
    nock(host).get(`${groups}/7/members?page=1&per_page=100`).times(2).reply(403, says("Access denied"));
    nock(host).get(`${groups}/7`).reply(403, says("Access denied")).get(`${groups}/7`).reply(200, group);
    nock(host).get(`${groups}/7/members?page=1&per_page=100`).reply(200, { members: [] });
    expect(await client.groupMembers.list("acme", 7).toArray()).toEqual([]);
    expect(clock.sleeps).toEqual([100]);
    nock(host).get(`${groups}/7/members/3`).reply(403, says("Access denied"));
    await failure(client.groupMembers.get("acme", 7, 3), "denied");
    expect(clock.sleeps).toEqual([100]);
  });

  it("lets nothing wait for what is not in it, once the service shows it", async () => {
    const { client, clock } = await created();
    nock(host).get(`${groups}/7/members/9`).times(3).reply(404, says("Not found"));
    nock(host).get(`${groups}/7`).reply(200, group);
    await failure(client.groupMembers.get("acme", 7, 9), "not-found");
    await failure(client.groupMembers.get("acme", 7, 9), "not-found");
    expect(clock.sleeps).toEqual([]);
  });

  it("may be named by a query or a body", async () => {
    const clock = new FakeClock();
    const client = mockedClient({ clock });
    const pipelines = "/api/workspaces/acme/projects/web/pipelines";
    nock(host).post(pipelines).reply(201, { id: 21, name: "deploy" });
    const body = { name: "deploy", trigger_mode: "MANUAL", ref_name: "main" } as const;
    await client.pipelines.create("acme", "web", body);
    const variables = "/api/workspaces/acme/variables";
    const list = `${variables}?pipelineId=21&page=1&per_page=100`;
    nock(host).get(list).reply(404, says("Not found")).get(list).reply(200, { variables: [] });
    nock(host).get(`${pipelines}/21`).reply(404, says("Not found"));
    expect(await client.variables.list("acme", { pipelineId: 21 }).toArray()).toEqual([]);
    expect(clock.sleeps).toEqual([100]);
  });

  it("is shown as soon as it can be read by its number or its name", async () => {
    const { client, clock } = await created();
    const pipelines = "/api/workspaces/acme/projects/web/pipelines";
    const body = { name: "QA", trigger_mode: "MANUAL", ref_name: "main" } as const;
    nock(host).post(pipelines).times(2).reply(400, says("Value of 'ref_name' is invalid."));
    nock(host).get(`${groups}/7`).reply(200, group);
    await failure(client.pipelines.create("acme", "web", body), "invalid-value");
    nock(host).post(groups).reply(201, group);
    await client.groups.create("acme", { name: "QA" });
    nock(host).post(pipelines).times(2).reply(400, says("Value of 'ref_name' is invalid."));
    nock(host).get(`${groups}/7`).reply(404, says("Not found")).get(`${groups}/QA`).reply(200, group);
    await failure(client.pipelines.create("acme", "web", body), "invalid-value");
    expect(clock.sleeps).toEqual([]);
  });

  it("is no reason to wait for any other object, or after its deletion", async () => {
    const { client, clock } = await created();
    nock(host).get(`${groups}/8`).reply(404, says("Not found"));
    await failure(client.groups.get("acme", 8), "not-found");
    nock(host).delete(`${groups}/7`).reply(204);
    await client.groups.delete("acme", 7);
    nock(host).get(`${groups}/7`).reply(404, says("Not found"));
    await failure(client.groups.get("acme", 7), "not-found");
    expect(clock.sleeps).toEqual([]);
  });
});
