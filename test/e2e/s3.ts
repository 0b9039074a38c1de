/** Starts an S3 server with one bucket, behind a proxy that can lose the connection. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { execa } from "execa";
import { afterAll } from "vitest";
import { languageProgram } from "./language-hosts.js";

export interface ObjectStore {
  /** The address of the bucket as `pulumi login` takes it. */
  readonly backend: string;
  readonly env: NodeJS.ProcessEnv;
  /** Keys of the bucket that begin with a prefix. */
  readonly keys: (prefix: string) => Promise<string[]>;
  readonly read: (key: string) => Promise<string>;
  /** Ends all connections, and accepts no others until `restore`. */
  readonly lose: () => void;
  readonly restore: () => void;
}

/** Starts a server that ends after the tests of the file. The bucket is in its memory. */
export async function objectStoreForTests(): Promise<ObjectStore> {
  const server = execa(join(await languageProgram("s3-server"), "s3-server"), {
    stdin: "pipe",
    reject: false,
    buffer: false,
  });
  const [port] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  const proxy = await startProxy(Number(port));
  afterAll(async () => {
    proxy.lose();
    proxy.listener.close();
    server.stdin.end();
    await server;
  });
  const direct = `http://127.0.0.1:${port}/state`;
  const text = async (path: string) => (await fetch(`${direct}${path}`)).text();
  return {
    backend: `s3://state?endpoint=127.0.0.1:${proxy.port}&s3ForcePathStyle=true&disableSSL=true&region=us-east-1`,
    env: { AWS_ACCESS_KEY_ID: "key-of-the-tests", AWS_SECRET_ACCESS_KEY: "secret-of-the-tests" },
    keys: async (prefix) => {
      const list = await text(`?list-type=2&prefix=${encodeURIComponent(prefix)}`);
      return [...list.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => key);
    },
    read: (key) => text(`/${key}`),
    lose: proxy.lose,
    restore: proxy.restore,
  };
}

async function startProxy(port: number) {
  const open = new Set<Socket>();
  let isLost = false;
  const listener: Server = createServer((socket) => {
    if (isLost) return void socket.destroy();
    const other = connect(port, "127.0.0.1");
    for (const each of [socket, other]) {
      open.add(each);
      each.on("close", () => open.delete(each));
    }
    pipeline(socket, other, socket, () => undefined);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    listener,
    port: (listener.address() as AddressInfo).port,
    lose: () => {
      isLost = true;
      for (const socket of open) socket.destroy();
    },
    restore: () => void (isLost = false),
  };
}
