/** Tests the provider as a gRPC service, with requests as an engine sends them. */
import grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asSecret } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { DynamicService } from "../../../provider/adapters/dynamic-service.js";
import { toProps, toStruct } from "../../../provider/adapters/grpc.js";
import { serve, type Server } from "../../../provider/adapters/grpc-server.js";
import type { ProviderService } from "../../../provider/adapters/service.js";
import { buildProviderText, READ_ONLY_VARIABLE } from "../../../provider/index.js";
import { temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();
let emulator: Emulator;
let provider: ProviderService;
let server: Server;
let client: providerGrpc.ResourceProviderClient;
let lines: string[];

beforeEach(async () => {
  emulator = await startEmulator();
  await listen();
});
afterEach(async () => {
  client.close();
  server.close();
  provider.close(true);
  await emulator.close();
});

async function listen(more: Record<string, string> = {}): Promise<void> {
  lines = [];
  provider = new DynamicService({
    env: {
      WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: emulator.token,
      WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
      WORKSPACE_AUTOMATION_CREDENTIALS: `${folder}/credentials.json`,
      WORKSPACE_AUTOMATION_JOURNAL: `${folder}/journal`,
      ...more,
    },
    print: (line) => lines.push(line),
  });
  server = await serve([provider.service]);
  client = new providerGrpc.ResourceProviderClient(
    `127.0.0.1:${server.port}`,
    grpc.credentials.createInsecure(),
  );
}

const __provider = buildProviderText("Group");

function create(props: Record<string, unknown>): Promise<proto.CreateResponse> {
  const request = new proto.CreateRequest();
  request.setProperties(toStruct(props));
  return new Promise((resolve, reject) => {
    client.create(request, (error, response) => (error ? reject(error) : resolve(response)));
  });
}

function read(id: string, props: object, inputs: object): Promise<proto.ReadResponse> {
  const request = new proto.ReadRequest();
  request.setId(id);
  request.setProperties(toStruct({ ...props }));
  request.setInputs(toStruct({ ...inputs }));
  return new Promise((resolve, reject) => {
    client.read(request, (error, response) => (error ? reject(error) : resolve(response)));
  });
}

describe("the provider service", () => {
  it("does not report arguments that the program no longer declares as changed outside", async () => {
    const made = await create({ name: "QA", description: "Testers", __provider });
    const [id, outs] = [made.getId(), toProps(made.getProperties())];
    // As after an import with `adopt`, and an update without it and without the description.
    const props = { ...outs, adopt: true };
    const declared = { name: "QA", __provider };
    expect(Object.keys(toProps((await read(id, props, declared)).getInputs())).sort()).toEqual([
      "__provider",
      "name",
    ]);
    // A difference is reported, declared or not.
    const edited = toProps((await read(id, { ...props, description: "Old" }, declared)).getInputs());
    expect(edited["description"]).toBe("Testers");
    // An import declares nothing yet.
    expect(toProps((await read(id, outs, {})).getInputs())["description"]).toBe("Testers");
  });

  it("creates an object and returns its state, including the provider text", async () => {
    const made = await create({ name: "QA", __provider });
    expect(made.getId()).toMatch(/^acme\/\d+$/);
    expect(toProps(made.getProperties())).toMatchObject({ name: "QA", __provider });
  });

  it("uses the stack's configuration for its connection", async () => {
    client.close();
    server.close();
    await listen({ WORKSPACE_AUTOMATION_DOMAIN: "" });
    await expect(create({ name: "QA", __provider })).rejects.toThrow("no workspace was specified");
    client.close();
    server.close();
    await listen({ WORKSPACE_AUTOMATION_DOMAIN: "" });
    const configuration = new proto.ConfigureRequest();
    configuration.setArgs(toStruct({ "workspace-automation:workspace": asSecret("acme") }));
    await new Promise<void>((resolve, reject) => {
      client.configure(configuration, (error) => (error ? reject(error) : resolve()));
    });
    expect((await create({ name: "QA", __provider })).getId()).toMatch(/^acme\//);
  });

  it("does not run code from a state", async () => {
    const planted = 'exports.handler=()=>{throw new Error("ran")}';
    await expect(create({ name: "QA", __provider: planted })).rejects.toThrow(
      "the state contains objects of another package than workspace-automation, and its code is not run",
    );
    await expect(create({ name: "QA", __provider: `${planted};${__provider}` })).rejects.toThrow(
      "of another package",
    );
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("returns a partially created object with its id and properties", async () => {
    const invited = await emulator.edit({
      method: "POST",
      path: "/workspaces/acme/members",
      body: { email: "ann@example.com" },
    });
    const members = [(invited.body as { id: number }).id];
    emulator.faults.add({ kind: "status", status: 400, method: "POST", path: /groups\/\d+\/members$/ });
    const error = (await create({ name: "QA", exclusive: true, members, __provider }).catch(
      (caught: unknown) => caught,
    )) as grpc.ServiceError;
    expect(error.code).toBe(grpc.status.UNKNOWN);
    const [bytes] = error.metadata.get("grpc-status-details-bin");
    const [detail] = statusProto.Status.deserializeBinary(bytes as Buffer).getDetailsList();
    expect(detail?.getTypeUrl()).toBe("type.googleapis.com/pulumirpc.ErrorResourceInitFailed");
    const failed = proto.ErrorResourceInitFailed.deserializeBinary(
      detail?.getValue_asU8() ?? new Uint8Array(),
    );
    expect(failed.getId()).toMatch(/^acme\/\d+$/);
    expect(toProps(failed.getProperties())).toMatchObject({ name: "QA", __provider });
    expect(failed.getReasonsList()).toEqual([error.details]);
  });

  it("writes nothing when the environment requests read-only mode", async () => {
    client.close();
    server.close();
    await listen({ [READ_ONLY_VARIABLE]: "00ff" });
    await expect(create({ name: "QA", __provider })).rejects.toThrow("this run is read-only");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("returns UNIMPLEMENTED for requests that no dynamic provider supports", async () => {
    const error = await new Promise<grpc.ServiceError | null>((resolve) => {
      client.getSchema(new proto.GetSchemaRequest(), (failed) => resolve(failed));
    });
    expect(error?.code).toBe(grpc.status.UNIMPLEMENTED);
  });
});
