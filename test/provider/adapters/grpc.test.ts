/**
 * Tests the gRPC server and client of this package against @grpc/grpc-js, which stands in for Pulumi's
 * engine.
 */
import grpc from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GrpcClient, GrpcError, handleUnary } from "../../../provider/adapters/grpc.js";
import { serve, status } from "../../../provider/adapters/grpc-server.js";

const limits = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const insecure = grpc.credentials.createInsecure();
/** Exceeds a frame, a window and the default message limit. */
const large = "xyz".repeat(8_000_000);
const failing = "no: ä € 😀 100 %\nnext line";

function method(name: string, requestStream = false): grpc.MethodDefinition<string, string> {
  const [write, read] = [(text: string) => Buffer.from(text), (bytes: Buffer) => bytes.toString()];
  return {
    path: `/test.Texts/${name}`,
    requestStream,
    responseStream: false,
    requestSerialize: write,
    requestDeserialize: read,
    responseSerialize: write,
    responseDeserialize: read,
  };
}

const texts = { repeat: method("Repeat"), join: method("Join", true), lacking: method("Lacking") };
const implementation: grpc.UntypedServiceImplementation = {
  repeat: handleUnary(async (text: string) => {
    await new Promise((resolve) => setTimeout(resolve, text.length % 7));
    if (text.startsWith("no")) throw new Error(text);
    return text;
  }),
  join: ((call, callback) => {
    const all: string[] = [];
    call.on("data", (text: string) => all.push(text));
    call.on("end", () => callback(null, all.join("")));
  }) as grpc.handleClientStreamingCall<string, string>,
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe("the gRPC server", () => {
  type Reply = (error: grpc.ServiceError | null, text?: string) => void;
  interface Texts extends grpc.Client {
    repeat(text: string, reply: Reply): void;
    join(reply: Reply): grpc.ClientWritableStream<string>;
    lacking(text: string, reply: Reply): void;
  }
  async function client(): Promise<Texts> {
    const server = await serve([[texts, implementation]]);
    const Client = grpc.makeGenericClientConstructor(texts, "Texts");
    const made = new Client(`127.0.0.1:${server.port}`, insecure, limits) as unknown as Texts;
    ends.push(() => made.close(), server.close);
    return made;
  }
  const replied = (ask: (reply: Reply) => void) =>
    new Promise<string>((resolve, reject) => {
      ask((error, text = "") => (error ? reject(error) : resolve(text)));
    });

  it("responds to many concurrent calls, including empty and large ones", async () => {
    const made = await client();
    const all = ["", large, ...Array.from({ length: 500 }, (_, n) => "text ".repeat(n + 1))];
    expect(await Promise.all(all.map((text) => replied((reply) => made.repeat(text, reply))))).toEqual(all);
  });

  it("accepts a stream of messages", async () => {
    const made = await client();
    const sent = ["a", "", large, ...Array.from({ length: 100 }, String)];
    const text = await replied((reply) => {
      const stream = made.join(reply);
      for (const one of sent) stream.write(one);
      stream.end();
    });
    expect(text === sent.join("")).toBe(true);
  });

  it("returns error texts in any characters, and UNIMPLEMENTED for an unknown method", async () => {
    const made = await client();
    await expect(replied((reply) => made.repeat(failing, reply))).rejects.toMatchObject({
      code: status.UNKNOWN,
      details: failing,
    });
    await expect(replied((reply) => made.lacking("", reply))).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });

  it("ends pending calls when it is closed", async () => {
    const server = await serve([[texts, { repeat: handleUnary(() => new Promise<string>(() => {})) }]]);
    const made = new GrpcClient(`127.0.0.1:${server.port}`);
    ends.push(() => made.close());
    const calling = made.call(texts.repeat, "");
    setTimeout(server.close, 20);
    await expect(calling).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });
});

describe("the gRPC client", () => {
  async function client(): Promise<GrpcClient> {
    const server = new grpc.Server(limits);
    server.addService({ repeat: texts.repeat }, { repeat: implementation["repeat"]! });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    const made = new GrpcClient(`127.0.0.1:${port}`);
    ends.push(
      () => made.close(),
      () => server.forceShutdown(),
    );
    return made;
  }

  it("makes many concurrent calls, including large ones", async () => {
    const made = await client();
    const all = ["x", large, ...Array.from({ length: 500 }, (_, n) => "text ".repeat(n + 1))];
    expect(await Promise.all(all.map((text) => made.call(texts.repeat, text)))).toEqual(all);
  });

  it("bypasses the proxy of the environment", async () => {
    vi.stubEnv("https_proxy", "http://127.0.0.1:1");
    vi.stubEnv("http_proxy", "http://127.0.0.1:1");
    ends.push(() => vi.unstubAllEnvs());
    expect(await (await client()).call(texts.repeat, "text")).toBe("text");
  });

  it("fails with the status code and text of the server", async () => {
    const made = await client();
    await expect(made.call(texts.repeat, failing)).rejects.toEqual(new GrpcError(status.UNKNOWN, failing));
    await expect(made.call(texts.lacking, "")).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it("fails with UNAVAILABLE when nothing listens at the address", async () => {
    const server = await serve([]);
    server.close();
    const made = new GrpcClient(`127.0.0.1:${server.port}`);
    ends.push(() => made.close());
    await expect(made.call(texts.repeat, "")).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });
});
