/** Tests what both adapters promise to any client of the protocol: failures of every size, reads of partial states, and no compression. */
import http2 from "node:http2";
import type grpc from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { toProps } from "../../../provider/adapters/grpc.js";
import { startChangingService } from "../changing-service.js";
import {
  closing,
  engines,
  noReferences,
  type ServedProvider,
  serveProvider,
  textOf,
} from "../served-provider.js";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({
    seed: {
      users: [{ email: "owner@example.com" }],
      workspaces: [
        {
          domain: "acme",
          projects: [
            {
              name: "web",
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
          ],
        },
      ],
    },
  });
});
afterAll(() => emulator.close());

describe.each(engines)("the %s adapter", (engine) => {
  const serve = (baseUrl = emulator.baseUrl): Promise<ServedProvider> =>
    serveProvider(engine, baseUrl, emulator.token, noReferences, {});

  it.each([1_000, 48_000, 64_000])(
    "returns an object of %i characters that the service changed in part",
    async (size) => {
      const service = await startChangingService(emulator, (response) =>
        response.replace(/x{999,}/, (text) => `${text.slice(1)}y`),
      );
      closing.push(service.close);
      const { client } = await serve(service.baseUrl);
      const inputs = { name: `${engine} ${size}`, description: "x".repeat(size), ...textOf(engine, "Group") };
      const error = (await client
        .create("Group", inputs)
        .catch((reason: unknown) => reason)) as grpc.ServiceError;
      const [details] = error.metadata.get("grpc-status-details-bin");
      const [any] = statusProto.Status.deserializeBinary(details as Buffer).getDetailsList();
      const failed = proto.ErrorResourceInitFailed.deserializeBinary(
        any?.getValue_asU8() ?? new Uint8Array(),
      );
      expect(failed.getId()).toMatch(/^acme\/\d+$/);
      expect(toProps(failed.getProperties())).toMatchObject({ description: `${"x".repeat(size - 1)}y` });
      expect(failed.getReasonsList()).toHaveLength(1);
    },
  );

  it("refuses compressed messages, and goes on", async () => {
    const { client } = await serve();
    const session = http2.connect(`http://${client.grpc.getChannel().getTarget().replace("dns:", "")}`);
    const call = session.request({
      ":method": "POST",
      ":path": "/pulumirpc.ResourceProvider/Check",
      te: "trailers",
      "content-type": "application/grpc",
      "grpc-encoding": "gzip",
    });
    call.end(Buffer.from([1, 0, 0, 0, 1, 0]));
    const headers = await new Promise<http2.IncomingHttpHeaders>((resolve) => call.once("response", resolve));
    session.destroy();
    expect(Number(headers["grpc-status"])).toBe(status.UNIMPLEMENTED);
    expect((await client.check("Group", {}, { name: "QA", ...textOf(engine, "Group") })).failures).toEqual(
      [],
    );
  });

  it("takes null for an argument that is not set, unless it clears a text", async () => {
    const { client } = await serve();
    const pipeline = { project: "web", name: "nightly", triggerMode: "MANUAL", refName: "main" };
    const none = { refType: null, cron: null, alwaysFromScratch: null };
    const checked = await client.check(
      "Pipeline",
      {},
      { ...pipeline, ...none, ...textOf(engine, "Pipeline") },
    );
    expect(checked.failures).toEqual([]);
    expect(checked.inputs).toMatchObject(pipeline);
    for (const name of Object.keys(none)) expect(checked.inputs).not.toHaveProperty(name);
    const group = { name: "QA", description: null, ...textOf(engine, "Group") };
    expect((await client.check("Group", {}, group)).inputs).toMatchObject({ name: "QA", description: null });
    const nameless = await client.check("Group", {}, { ...group, name: null });
    expect(nameless.failures).toMatchObject([{ reason: expect.stringContaining("name: ") as string }]);
  });

  it("reads an action with any part of its state, or says what is missing, and never reports it as deleted", async () => {
    const { client } = await serve();
    const plugin = await serveProvider("plugin", emulator.baseUrl, emulator.token, noReferences, {});
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web/pipelines" });
    const [pipeline] = (body as { pipelines: { id: number }[] }).pipelines;
    const path = `/workspaces/acme/projects/web/pipelines/${pipeline?.id}/actions`;
    const listed = (await emulator.edit({ method: "GET", path })).body as { actions: { id: number }[] };
    const importId = `acme/web/${pipeline?.id}/${listed.actions[0]?.id}`;
    const whole = await plugin.client.read("Action", importId);
    const known = { ...whole.props, ...textOf(engine, "Action") };
    let found = 0;
    const parts = fc.subarray(Object.keys(known).filter((name) => name !== "__provider"));
    const property = fc.asyncProperty(parts, async (names) => {
      const part = Object.fromEntries(names.map((name) => [name, known[name as keyof typeof known]]));
      const props = { ...part, ...textOf(engine, "Action") };
      const read = await client
        .read("Action", whole.id, props)
        .catch((error: unknown) => error as grpc.ServiceError);
      if (read instanceof Error) {
        expect(read.message).not.toMatch(/undefined|NaN|""/);
        return;
      }
      expect(read.id).toBe(whole.id);
      found++;
    });
    await fc.assert(property, { numRuns: 60 });
    expect(found).toBeGreaterThan(5);
  });
});
