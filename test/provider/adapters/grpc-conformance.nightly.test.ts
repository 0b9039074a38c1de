/** Holds our gRPC server by its protocol, with the client of Node.js and that of Pulumi's engine. The second is built from Go modules. */
import type grpc from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { handleStream, handleUnary } from "../../../provider/adapters/grpc.js";
import { serve, type Server, status } from "../../../provider/adapters/grpc-server.js";
import { missingGo } from "../../e2e/language-hosts.js";
import { type Call, type Client, type ClientName, clients } from "../grpc-clients.js";

vi.setConfig({ testTimeout: 300_000 });

const same = (bytes: Buffer) => bytes;
const method = (name: string, requestStream: boolean, responseStream: boolean) => ({
  path: `/test.Bytes/${name}`,
  ...{ requestStream, responseStream },
  ...{ requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same },
});
const definition = {
  repeat: method("Repeat", false, false),
  join: method("Join", true, false),
  split: method("Split", false, true),
  wait: method("Wait", false, false),
  fail: method("Fail", false, false),
};
const paths = Object.fromEntries(
  Object.entries(definition).map(([name, { path }]) => [name, path]),
) as Record<keyof typeof definition, string>;

/** Ends the calls of `Wait`. */
let finish: () => void = () => undefined;
let finished = 0;
const failing = "no: ä € 😀 100 %\nnext line";
const implementation: grpc.UntypedServiceImplementation = {
  repeat: handleUnary((bytes: Buffer) => bytes),
  join: ((call, callback) => {
    const all: Buffer[] = [];
    call.on("data", (bytes: Buffer) => all.push(bytes));
    call.on("end", () => callback(null, Buffer.concat(all)));
  }) as grpc.handleClientStreamingCall<Buffer, Buffer>,
  split: handleStream((bytes: Buffer, write: (part: Buffer) => void) => {
    for (const letter of bytes.toString()) write(Buffer.from(letter));
    return bytes.includes("no") ? Promise.reject(new Error(failing)) : Promise.resolve();
  }),
  wait: handleUnary(async (bytes: Buffer) => {
    await new Promise<void>((resolve) => (finish = resolve));
    finished += 1;
    return bytes;
  }),
  fail: handleUnary(() => Promise.reject(new Error(failing))),
};

const noGo = await missingGo();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe.each(Object.keys(clients) as ClientName[])("the gRPC server, to %s,", (name) => {
  async function connect(): Promise<{ readonly client: Client; readonly server: Server }> {
    const server = await serve([[definition, implementation]]);
    const client = await clients[name](server.port);
    ends.push(client.close, server.close);
    return { client, server };
  }
  const story = (title: string, tell: () => Promise<void>) =>
    it(title, async ({ skip }) => {
      if (name === "grpc-go" && noGo !== undefined) skip(noGo);
      await tell();
    });
  const text = (value: string) => Buffer.from(value);
  const repeat = (message: Buffer): Call => ({ path: paths.repeat, messages: [message] });

  story("responds to messages of any size, many at a time", async () => {
    const { client } = await connect();
    const sizes = [0, 1, 16_383, 16_384, 16_385, 65_535, 65_536, 1_000_000, 20_000_000];
    const messages = [...sizes, ...Array.from({ length: 200 }, (_, at) => at * 100)].map((size) =>
      Buffer.alloc(size, "xyz"),
    );
    const results = await Promise.all(messages.map((message) => client.call(repeat(message))));
    const ended = results.map(({ code, messages: [response] }) => ({ code, size: response?.length }));
    expect(ended).toEqual(messages.map(({ length: size }) => ({ code: status.OK, size })));
    expect(results.every(({ messages: [response] }, at) => response?.equals(messages[at] as Buffer))).toBe(
      true,
    );
  });

  story("accepts and sends streams", async () => {
    const { client } = await connect();
    const parts = ["a", "", "b".repeat(200_000), ...Array.from({ length: 100 }, String)].map(text);
    const joined = await client.call({ path: paths.join, messages: parts, sends: true });
    expect(joined.messages.map((bytes) => bytes.equals(Buffer.concat(parts)))).toEqual([true]);
    const split = await client.call({ path: paths.split, messages: [text("parts")], receives: true });
    expect({ code: split.code, all: split.messages.map(String) }).toEqual({
      code: status.OK,
      all: [..."parts"],
    });
    const empty = await client.call({ path: paths.split, messages: [text("")], receives: true });
    expect(empty).toMatchObject({ code: status.OK, messages: [] });
  });

  story("returns errors with their texts, before and after a part of the response", async () => {
    const { client } = await connect();
    const failed = { code: status.UNKNOWN, details: failing };
    expect(await client.call({ path: paths.fail, messages: [text("")] })).toMatchObject(failed);
    const half = await client.call({ path: paths.split, messages: [text("no")], receives: true });
    expect({ ...half, messages: half.messages.map(String) }).toMatchObject({
      ...failed,
      messages: ["n", "o"],
    });
    const unknown = await client.call({ path: "/test.Bytes/Unknown", messages: [text("")] });
    expect(unknown.code).toBe(status.UNIMPLEMENTED);
  });

  story("refuses compressed messages of each kind of call, and goes on", async () => {
    const { client } = await connect();
    const message = Buffer.alloc(5_000, "x");
    const refused = [
      await client.call({ ...repeat(message), compressed: true }),
      await client.call({ path: paths.join, messages: [message, message], sends: true, compressed: true }),
      await client.call({ path: paths.split, messages: [message], receives: true, compressed: true }),
    ];
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => status.UNIMPLEMENTED));
    expect(refused[0]?.details).toContain("identity");
    expect(await client.call(repeat(message))).toMatchObject({ code: status.OK });
  });

  story("lets a cancelled call end by itself, and goes on", async () => {
    const { client } = await connect();
    const before = finished;
    const cancelled = await client.call({ path: paths.wait, messages: [text("")], cancelAfterMs: 100 });
    expect(cancelled.code).toBe(1);
    expect(await client.call(repeat(text("next")))).toMatchObject({ code: status.OK });
    expect(finished).toBe(before);
    finish();
    expect(await client.call(repeat(text("last")))).toMatchObject({ code: status.OK });
    await vi.waitFor(() => expect(finished).toBe(before + 1), { timeout: 60_000 });
  });

  story("ends open calls when it is closed, and survives a client that is gone", async () => {
    const { server, client } = await connect();
    const gone = await clients[name](server.port);
    void gone.call({ path: paths.wait, messages: [text("")] });
    expect(await gone.call(repeat(text("there")))).toMatchObject({ code: status.OK });
    await gone.close();
    expect(await client.call(repeat(text("still there")))).toMatchObject({ code: status.OK });
    const open = client.call({ path: paths.wait, messages: [text("")] });
    expect(await client.call(repeat(text("open")))).toMatchObject({ code: status.OK });
    server.close();
    expect((await open).code).toBe(status.UNAVAILABLE);
  });
});
