/**
 * Tests both adapters with the Go client of Pulumi's engine: failures of every size up to 1 MB, and calls that are cancelled. That of
 * Node.js receives details of 64,000 characters at most (`protocol.test.ts`).
 */
import { status } from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { toProps, toStruct } from "../../../provider/adapters/grpc.js";
import type { Props } from "../../../provider/adapters/secret-marks.js";
import { missingGo } from "../../e2e/language-hosts.js";
import { startChangingService } from "../changing-service.js";
import { clients, type Result } from "../grpc-clients.js";
import { urn } from "../plugin-client.js";
import { closing, engines, noReferences, serveProvider, textOf } from "../served-provider.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const noGo = await missingGo();
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

describe.skipIf(noGo !== undefined).each(engines)("the %s adapter", (engine) => {
  /** @param change as of `startChangingService` */
  async function connect(change: (response: string, method: string) => string | Promise<string>) {
    const service = await startChangingService(emulator, change);
    const { client } = await serveProvider(engine, service.baseUrl, emulator.token, noReferences, {});
    const port = Number(client.grpc.getChannel().getTarget().split(":").at(-1));
    const go = await clients["grpc-go"](port);
    closing.push(service.close, () => void go.close());
    const call = (method: string, request: { serializeBinary(): Uint8Array }, cancelAfterMs?: number) =>
      go.call({
        path: `/pulumirpc.ResourceProvider/${method}`,
        messages: [Buffer.from(request.serializeBinary())],
        ...(cancelAfterMs === undefined ? {} : { cancelAfterMs }),
      });
    const create = (inputs: Props, cancelAfterMs?: number) => {
      const request = new proto.CreateRequest();
      request.setUrn(urn("Group"));
      request.setProperties(toStruct({ ...inputs, ...textOf(engine, "Group") }));
      return call("Create", request, cancelAfterMs);
    };
    const update = (id: string, olds: Props, inputs: Props) => {
      const request = new proto.UpdateRequest();
      request.setUrn(urn("Group"));
      request.setId(id);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct({ ...inputs, ...textOf(engine, "Group") }));
      return call("Update", request);
    };
    return { create, update };
  }

  it("returns objects of any size that the service created and changed in part", async () => {
    const { create, update } = await connect((response) =>
      response.replace(/([xz])\1{99,}/, (text) => `${text.slice(1)}y`),
    );
    let groups = 0;
    const property = fc.asyncProperty(fc.integer({ min: 100, max: 1_000_000 }), async (size) => {
      const name = `${engine} ${++groups}`;
      const shown = (letter: string) => `${letter.repeat(size - 1)}y`;
      const created = readFailure(await create({ name, description: "x".repeat(size) }));
      expect(created.id).toMatch(/^acme\/\d+$/);
      expect(created.props["description"] === shown("x")).toBe(true);
      const inputs = { name, description: "z".repeat(size) };
      const updated = readFailure(await update(created.id, created.props, inputs));
      expect(updated.props["description"] === shown("z")).toBe(true);
      expect([created.reasons, updated.reasons]).toEqual([1, 1]);
    });
    await fc.assert(property, {
      numRuns: 20,
      examples: [[1_000_000], [48_000], [64_000], [65_536], [262_144]],
    });
  });

  it("completes a creation whose call is cancelled, and goes on", async () => {
    let arrived: () => void = () => undefined;
    let go: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (go = resolve));
    const waiting = new Promise<void>((resolve) => (arrived = resolve));
    const { create } = await connect(async (response, method) => {
      if (method !== "POST" || !response.includes("held")) return response;
      arrived();
      await hold;
      return response;
    });
    const cancelled = create({ name: `${engine} held` }, 2_000);
    await waiting;
    expect((await cancelled).code).toBe(status.CANCELLED);
    expect(await create({ name: `${engine} next` })).toMatchObject({ code: status.OK });
    go();
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
    const { groups } = body as { readonly groups: readonly { readonly name: string }[] };
    const names = groups.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([`${engine} held`, `${engine} next`]));
    expect((await create({ name: `${engine} held` })).details).toContain("already exists");
  });
});

/** The object in the details of a failure. */
function readFailure({ code, details, status: bytes }: Result) {
  if (bytes === undefined) throw new Error(`code ${code} without details: ${details.slice(0, 300)}`);
  const [any] = statusProto.Status.deserializeBinary(bytes).getDetailsList();
  const failed = proto.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
  return {
    id: failed.getId(),
    props: toProps(failed.getProperties()),
    reasons: failed.getReasonsList().length,
  };
}
