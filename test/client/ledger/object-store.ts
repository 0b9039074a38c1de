/** An object store in memory that speaks S3: objects with versions, conditional writes, and faults on demand. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What happens to a request: a status instead of the work, or the work without a response. */
type Fault = number | "lost";

interface StoredRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

export interface MemoryObjectStore {
  /** Address of a bucket, as Pulumi's backends have it. */
  readonly address: string;
  readonly objects: Map<string, string>;
  readonly requests: StoredRequest[];
  /** Applies these faults, in this order, to the next requests with this method and end of path. */
  fail(method: string, end: string, ...faults: Fault[]): void;
  close(): Promise<void>;
}

/** @param ignores conditions that the store does not know */
export async function startObjectStore(ignores: readonly string[] = []): Promise<MemoryObjectStore> {
  const objects = new Map<string, string>();
  const requests: StoredRequest[] = [];
  const faults: { method: string; end: string; fault: Fault }[] = [];
  const etag = (body: string) => `"${createHash("md5").update(body).digest("hex")}"`;

  function put(path: string, body: string, headers: IncomingMessage["headers"]): number {
    const current = objects.get(path);
    const condition = (name: "if-match" | "if-none-match") =>
      ignores.includes(name) ? undefined : headers[name];
    if (condition("if-none-match") === "*" && current !== undefined) return 412;
    const match = condition("if-match");
    if (match !== undefined && current === undefined) return 404;
    if (match !== undefined && match !== etag(current ?? "")) return 412;
    objects.set(path, body);
    return 200;
  }

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers });
      const index = faults.findIndex((one) => one.method === method && path.endsWith(one.end));
      const { fault } = (index < 0 ? undefined : faults.splice(index, 1)[0]) ?? {};
      if (typeof fault === "number")
        return response.writeHead(fault).end(`<Error><Code>Injected</Code></Error>`);
      const status = method === "PUT" ? put(path, body, headers) : objects.has(path) ? 200 : 404;
      if (fault === "lost") return request.socket.destroy();
      const stored = objects.get(path);
      response.writeHead(status, stored === undefined || status !== 200 ? {} : { etag: etag(stored) });
      return response.end(method === "GET" ? stored : "");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `s3://state/fleet?endpoint=127.0.0.1:${port}&s3ForcePathStyle=true&disableSSL=true&region=us-east-1`,
    objects,
    requests,
    fail: (method, end, ...more) => faults.push(...more.map((fault) => ({ method, end, fault }))),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
