/** Starts an S3 server with one bucket, behind a proxy that delays the connection and can lose it. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, pipeline, Transform } from "node:stream";
import { execa } from "execa";
import { languageProgram } from "./e2e/language-hosts.js";

export interface ObjectStore {
  /** The address of the bucket as `pulumi login` takes it. */
  readonly backend: string;
  readonly env: NodeJS.ProcessEnv;
  /** Keys of the bucket that begin with a prefix. */
  readonly keys: (prefix: string) => Promise<string[]>;
  /** Bytes of all objects. */
  readonly bytes: () => Promise<number>;
  readonly read: (key: string) => Promise<string>;
  readonly write: (key: string, text: string) => Promise<void>;
  /** Ends all connections, and accepts no others until `restore`. */
  readonly lose: () => void;
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server. The bucket is in its memory.
 * @param latencyMs time from a request to its response, as if the store were so far away
 * @param host address on which it listens
 */
export async function startObjectStore(latencyMs: number = 0, host = "127.0.0.1"): Promise<ObjectStore> {
  const server = execa(join(await languageProgram("s3-server"), "s3-server"), {
    stdin: "pipe",
    reject: false,
    buffer: false,
  });
  const [port] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  const proxy = await startProxy(Number(port), latencyMs / 2, host);
  const direct = `http://127.0.0.1:${port}/state`;
  const text = async (path: string) => (await fetch(`${direct}${path}`)).text();
  /** Lists the objects whose keys begin with a prefix, page by page. */
  const list = async (prefix: string): Promise<{ key: string; size: number }[]> => {
    const found: { key: string; size: number }[] = [];
    for (let token: string | undefined = ""; token !== undefined;) {
      const query = new URLSearchParams({ "list-type": "2", prefix });
      if (token !== "") query.set("continuation-token", token);
      const page = await text(`?${query.toString()}`);
      const keys = listTexts(page, "Key");
      const sizes = listTexts(page, "Size");
      found.push(...keys.map((key, index) => ({ key, size: Number(sizes[index]) })));
      [token] = listTexts(page, "NextContinuationToken");
    }
    return found;
  };
  return {
    backend: `s3://state?endpoint=127.0.0.1:${proxy.port}&s3ForcePathStyle=true&disableSSL=true&region=us-east-1`,
    env: { AWS_ACCESS_KEY_ID: "key-of-the-tests", AWS_SECRET_ACCESS_KEY: "secret-of-the-tests" },
    keys: async (prefix) => (await list(prefix)).map(({ key }) => key),
    bytes: async () => (await list("")).reduce((total, { size }) => total + size, 0),
    read: (key) => text(`/${key}`),
    write: async (key, body) => void (await fetch(`${direct}/${key}`, { method: "PUT", body })),
    lose: proxy.lose,
    restore: proxy.restore,
    async close() {
      proxy.lose();
      proxy.listener.close();
      server.stdin.end();
      await server;
    },
  };
}

function listTexts(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, "g"))].map(([, found = ""]) => found);
}

/** @param delayMs time that each direction takes */
async function startProxy(port: number, delayMs: number, host: string) {
  const open = new Set<Socket>();
  let isLost = false;
  const listener: Server = createServer((socket) => {
    if (isLost) return void socket.destroy();
    const other = connect(port, "127.0.0.1");
    for (const each of [socket, other]) {
      open.add(each);
      each.on("close", () => open.delete(each));
    }
    pipeline(socket, later(delayMs), other, later(delayMs), socket, () => undefined);
  });
  listener.listen(0, host);
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

/** Delays each part without holding up those after it. */
function later(delayMs: number): Transform {
  if (delayMs === 0) return new PassThrough();
  return new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => this.push(chunk), delayMs);
      done();
    },
    flush: (done) => void setTimeout(done, delayMs),
  });
}
