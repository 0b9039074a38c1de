/**
 * Tests what the packaged plugin does beyond the lifecycle that both adapters share, with requests as an
 * engine sends them.
 */
import type grpc from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asSecret, isSecret, UNKNOWN, withoutMarks } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { toProps, toStruct } from "../../../provider/adapters/grpc.js";
import { definitions } from "../../../provider/index.js";
import { answer, type PluginClient, startPlugin, urn } from "../plugin-client.js";

type Props = Record<string, unknown>;

let emulator: Emulator;
let plugin: PluginClient;

beforeAll(async () => {
  emulator = await startEmulator({
    strictBodies: true,
    echoMemberEmail: true,
    seed: {
      users: [{ email: "owner@example.com" }, { email: "ann@example.com", name: "Ann" }],
      workspaces: [
        {
          domain: "acme",
          groups: ["A", "B", "C"].map((name) => ({ name })),
          variables: [{ key: "REGION", value: "us-east" }],
          projects: [
            {
              name: "web",
              files: { "README.md": "# Web\n" },
              pipelines: [
                {
                  name: "deploy",
                  trigger_mode: "MANUAL",
                  ref_name: "main",
                  actions: [
                    { name: "Ping", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "host" },
                  ],
                },
              ],
            },
            { name: "shop", pipelines: [{ name: "nightly", trigger_mode: "MANUAL", ref_name: "main" }] },
          ],
        },
      ],
    },
  });
  plugin = await startPlugin();
  const { baseUrl, token, workspace } = emulator;
  await plugin.configure({ baseUrl, token: asSecret(token), workspace });
});
afterAll(async () => {
  plugin.close();
  await emulator.close();
});

describe("the configuration", () => {
  async function checked(config: Props) {
    const request = new proto.CheckRequest();
    request.setNews(toStruct(config));
    const response = await answer<proto.CheckResponse>((done) => plugin.grpc.checkConfig(request, done));
    return {
      inputs: toProps(response.getInputs()),
      failures: response.getFailuresList().map((failure) => failure.getReason()),
    };
  }

  it("marks the token as secret", async () => {
    const { inputs, failures } = await checked({
      baseUrl: "https://host/api",
      token: "in-clear",
      version: "0.1.0",
    });
    expect(failures).toEqual([]);
    expect(inputs["token"]).toEqual(asSecret("in-clear"));
  });

  it("reports each mistake without its value", async () => {
    const { failures } = await checked({
      baseurl: "https://host",
      baseUrl: "host",
      token: 5,
      allowInsecure: "yes",
    });
    expect(failures.sort()).toEqual([
      "allowInsecure: must be true or false",
      "baseUrl: must be an address that begins with https:// (or http:// for this machine)",
      'baseurl: unknown setting. Did you mean "baseUrl"?',
      "token: must be a non-empty string",
    ]);
  });

  it("accepts unknown values", async () => {
    expect((await checked({ token: UNKNOWN })).failures).toEqual([]);
  });

  it("replaces no resources when it changes", async () => {
    const request = new proto.DiffRequest();
    request.setOlds(toStruct({ connection: "us", token: asSecret("a") }));
    request.setNews(toStruct({ connection: "eu", token: asSecret("a") }));
    const response = await answer<proto.DiffResponse>((done) => plugin.grpc.diffConfig(request, done));
    expect(response.getDiffsList()).toEqual(["connection"]);
    expect(response.getReplacesList()).toEqual([]);
  });
});

describe("a preview", () => {
  it("creates nothing and marks outputs as unknown", async () => {
    emulator.journal.clear();
    const { id, outs } = await plugin.create("Group", { name: "New" }, { preview: true });
    expect(id).toBe("");
    expect(outs).toMatchObject({ name: "New", groupId: UNKNOWN, address: UNKNOWN });
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("of an update keeps unchanged outputs and marks dependent ones as unknown", async () => {
    const { props } = await plugin.read("Project", "acme/web");
    const { outs } = await plugin.update("Project", "acme/web", props, { name: "shop2" }, { preview: true });
    expect(outs).toMatchObject({ projectName: "shop2", httpRepository: UNKNOWN, address: props["address"] });
    const group = await plugin.read("Group", `acme/${await groupId()}`);
    const news = { ...(withoutMarks(group.inputs) as Props), description: "Testers" };
    const changed = await plugin.update("Group", group.id, group.props, news, { preview: true });
    expect(changed.outs).toEqual({ ...group.props, description: "Testers" });
    expect(emulator.journal.writes()).toEqual([]);
  });
});

describe("a diff", () => {
  const headers = [
    { name: "A", value: "1" },
    { name: "B", value: "2" },
  ];
  const olds = {
    type: "HTTP",
    name: "Call",
    notificationUrl: "https://one.example.com",
    headers,
    pipeline: 1,
  };

  it("lists nested properties and the kind of each difference", async () => {
    const news = {
      ...olds,
      headers: [headers[0], { name: "B", value: "3" }],
      timeout: 5,
    };
    const { notificationUrl: _gone, ...rest } = news;
    const { detailed, changes } = await plugin.diff("Action", "acme/1/2", olds, {
      ...(rest as Props),
      notificationUrl: "https://two.example.com",
    });
    expect(changes).toBe(true);
    expect(detailed).toEqual({ "headers[1].value": "UPDATE", notificationUrl: "UPDATE", timeout: "ADD" });
  });

  it("reports the properties that require replacement", async () => {
    const { detailed, replaces, deleteBeforeReplace } = await plugin.diff("Action", "acme/1/2", olds, {
      ...olds,
      pipeline: 2,
    });
    expect(replaces).toEqual(["pipeline"]);
    expect(detailed).toEqual({ pipeline: "UPDATE_REPLACE" });
    expect(deleteBeforeReplace).toBe(false);
  });
});

describe("an import", () => {
  it.each(["Project", "Pipeline", "Group", "Variable", "Action", "WorkspaceMember", "Branch"])(
    "of any listed %s succeeds and shows no diff",
    async (type) => {
      const { items } = await plugin.list(type);
      expect(items).not.toEqual([]);
      for (const { id } of items) {
        const found = await plugin.read(type, id);
        expect(found.id).not.toBe("");
        const inputs = withoutMarks(found.inputs) as Props;
        const { inputs: checked, failures } = await plugin.check(type, inputs, inputs);
        expect(failures).toEqual([]);
        expect((await plugin.diff(type, found.id, found.props, checked)).detailed).toEqual({});
        const refreshed = await plugin.read(type, found.id, found.props);
        expect(refreshed.props).toEqual(found.props);
      }
    },
  );

  it("fails for an object that does not exist, so that nothing empty is imported", async () => {
    await expect(plugin.read("Group", "acme/999")).rejects.toThrow("there is no group acme/999");
  });

  it("reports the expected format of an id", async () => {
    await expect(plugin.read("Pipeline", "deploy")).rejects.toThrow("<workspace>/<project>/<pipelineId>");
  });
});

describe("a list", () => {
  it("covers the whole workspace, or one parent object", async () => {
    const all = (await plugin.list("Pipeline")).items;
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(["deploy", "nightly"]));
    const { items } = await plugin.list("Pipeline", { project: "shop" });
    expect(items).toEqual([{ id: expect.stringMatching(/^acme\/shop\/\d+$/) as string, name: "nightly" }]);
  });

  it("is paged and respects its limit", async () => {
    const first = await plugin.list("Group", {}, { size: 2 });
    const second = await plugin.list("Group", {}, { size: 2, token: first.next ?? "" });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(["A", "B", "C"]);
    expect(second.next).toBeUndefined();
    expect((await plugin.list("Group", {}, { limit: 1 })).items).toHaveLength(1);
  });

  it("is reported as computed when its query is unknown", async () => {
    expect(await plugin.list("Pipeline", { project: UNKNOWN })).toMatchObject({
      items: [],
      isComputed: true,
    });
  });

  it.each([
    ["Execution", {}, "executions cannot be listed"],
    ["Group", { project: "web" }, 'has no argument "project"'],
    ["Wrong", {}, "has no type"],
  ])("of %s with %j is refused", async (type, query, reason) => {
    await expect(plugin.list(type, query)).rejects.toThrow(reason);
  });
});

describe("a function", () => {
  it("returns the fields of an object, or the items of a list", async () => {
    const { items } = await plugin.list("Pipeline", { project: "web" });
    const pipeline = Number(items[0]?.id.split("/").at(-1));
    const { returned } = await plugin.invoke("getPipeline", { project: "web", pipeline });
    expect(returned).toMatchObject({ name: "deploy", refName: "main", actions: [{ name: "Ping" }] });
    const list = await plugin.invoke("listGroups", { limit: 2 });
    expect(list.returned["items"]).toHaveLength(2);
  });

  it("reports each mistake in its arguments", async () => {
    const { failures } = await plugin.invoke("getPipeline", { project: "web", pipelin: 1 });
    expect(failures.join("\n")).toMatch(/pipelin.*Did you mean "pipeline"/);
  });

  it("is refused with a suggestion when its name is unknown", async () => {
    await expect(plugin.invoke("listGroup")).rejects.toThrow('Did you mean "listGroups"?');
  });
});

describe("other requests", () => {
  it("return no mapping for another package", async () => {
    const mapping = await answer<proto.GetMappingResponse>((done) =>
      plugin.grpc.getMapping(new proto.GetMappingRequest(), done),
    );
    expect(mapping.toObject()).toEqual({ provider: "", data: "" });
  });

  it("refuse a type of another package", async () => {
    await expect(plugin.create("Wrong", {})).rejects.toThrow(`its types are ${definitions[0]?.type}`);
  });

  it("return a partially created object", async () => {
    emulator.faults.add({ kind: "status", status: 400, method: "PATCH", path: /members\/\d+$/ });
    const error = await plugin
      .create("WorkspaceMember", { email: "eve@example.com", admin: true })
      .catch((caught: grpc.ServiceError) => caught);
    emulator.faults.clear();
    const details = (error as grpc.ServiceError).metadata.get("grpc-status-details-bin")[0] as Buffer;
    const [any] = statusProto.Status.deserializeBinary(details).getDetailsList();
    const part = proto.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
    expect(part.getId()).toMatch(/^acme\/\d+$/);
    expect(toProps(part.getProperties())).toMatchObject({ email: "eve@example.com" });
  });

  it("end an operation that exceeds its custom timeout", async () => {
    emulator.faults.add({ kind: "delay", delayMs: 2_000 });
    const request = new proto.CreateRequest();
    request.setUrn(urn("Group"));
    request.setProperties(toStruct({ name: "Late" }));
    request.setTimeout(0.05);
    await expect(answer<proto.CreateResponse>((done) => plugin.grpc.create(request, done))).rejects.toThrow(
      "customTimeouts",
    );
    emulator.faults.clear();
  });

  it("start nothing after a cancellation", async () => {
    const other = await startPlugin();
    await answer<unknown>((done) => other.grpc.cancel(new emptyProto.Empty(), done));
    await expect(other.create("Group", { name: "X" })).rejects.toMatchObject({
      code: status.UNKNOWN,
      message: expect.stringContaining("was cancelled") as string,
    });
    other.close();
  });

  it("mark secret values in outputs and lists", async () => {
    const { outs } = await plugin.create("Variable", {
      key: "API_TOKEN",
      value: "in-clear",
      encrypted: true,
    });
    expect(isSecret(outs["value"])).toBe(true);
    const { returned } = await plugin.invoke("listVariables");
    expect(isSecret(returned["items"])).toBe(true);
  });
});

async function groupId(): Promise<string> {
  const [first] = (await plugin.list("Group")).items;
  return first?.id.split("/").at(-1) ?? "";
}
