/** Two gRPC clients with one interface, for the conformance of our server: @grpc/grpc-js, and the Go client that Pulumi's engine uses. */
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import { execa } from "execa";
import { languageProgram } from "../e2e/language-hosts.js";

export interface Call {
  readonly path: string;
  readonly messages: readonly Buffer[];
  /** Whether the request is a stream. */
  readonly sends?: boolean;
  /** Whether the response is a stream. */
  readonly receives?: boolean;
  /** With gzip. */
  readonly compressed?: boolean;
  readonly cancelAfterMs?: number;
}

export interface Result {
  readonly code: number;
  readonly details: string;
  readonly messages: readonly Buffer[];
  /** The status in its binary form, if the server sent one. */
  readonly status?: Buffer;
}

export interface Client {
  readonly call: (call: Call) => Promise<Result>;
  readonly close: () => Promise<void>;
}

export const clients = { "grpc-js": connectNode, "grpc-go": connectGo } as const;
export type ClientName = keyof typeof clients;

const same = (bytes: Buffer) => bytes;

function connectNode(port: number): Promise<Client> {
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  const compressing = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    "grpc.default_compression_algorithm": 2,
  });
  const call = ({ path, messages, sends, receives, compressed, cancelAfterMs }: Call) =>
    new Promise<Result>((resolve) => {
      const received: Buffer[] = [];
      const chosen = compressed ? compressing : client;
      const made = sends
        ? send(chosen.makeBidiStreamRequest(path, same, same), messages)
        : chosen.makeServerStreamRequest(path, same, same, messages[0] ?? Buffer.alloc(0));
      made.on("data", (message: Buffer) => received.push(message));
      made.on("error", () => {});
      made.on("status", ({ code, details, metadata }: grpc.StatusObject) => {
        const [status] = metadata.get("grpc-status-details-bin");
        const isWhole = receives === true || received.length === 1 || code !== grpc.status.OK;
        if (!isWhole) throw new Error(`${received.length} messages in the response`);
        resolve({ code, details, messages: received, ...(Buffer.isBuffer(status) ? { status } : {}) });
      });
      if (cancelAfterMs !== undefined) setTimeout(() => made.cancel(), cancelAfterMs);
    });
  const close = () => {
    client.close();
    compressing.close();
    return Promise.resolve();
  };
  return Promise.resolve({ call, close });
}

function send(call: grpc.ClientDuplexStream<Buffer, Buffer>, messages: readonly Buffer[]) {
  for (const message of messages) call.write(message);
  call.end();
  return call;
}

interface GoResult {
  readonly id: number;
  readonly code: number;
  readonly details: string;
  readonly messages: readonly string[] | null;
  readonly status?: string;
}

async function connectGo(port: number): Promise<Client> {
  const program = join(await languageProgram("grpc-client"), "grpc-client");
  const child = execa(program, [`127.0.0.1:${port}`], { stdin: "pipe", reject: false, buffer: false });
  const waiting = new Map<number, (result: Result) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, code, details, messages, status } = JSON.parse(line) as GoResult;
    const bytes = (text: string) => Buffer.from(text, "base64");
    const result = { code, details, messages: (messages ?? []).map(bytes) };
    waiting.get(id)?.({ ...result, ...(status === undefined ? {} : { status: bytes(status) }) });
    waiting.delete(id);
  });
  let calls = 0;
  const call = ({ messages, ...rest }: Call) =>
    new Promise<Result>((resolve) => {
      const id = ++calls;
      waiting.set(id, resolve);
      const line = { id, ...rest, messages: messages.map((message) => message.toString("base64")) };
      child.stdin.write(`${JSON.stringify(line)}\n`);
    });
  const close = async () => {
    const ended = once(child, "exit");
    child.stdin.end();
    await ended;
  };
  return { call, close };
}
