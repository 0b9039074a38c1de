/** An object store in memory that speaks S3, with faults on demand. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

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
  /** Answers the next request with this method and end of path with a status. */
  fail(method: string, end: string, status: number): void;
  close(): Promise<void>;
}

export async function startObjectStore(): Promise<MemoryObjectStore> {
  const objects = new Map<string, string>();
  const requests: StoredRequest[] = [];
  const faults: { method: string; end: string; status: number }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers });
      const index = faults.findIndex((one) => one.method === method && path.endsWith(one.end));
      const fault = index < 0 ? undefined : faults.splice(index, 1)[0];
      if (fault) return response.writeHead(fault.status).end(`<Error><Code>Injected</Code></Error>`);
      if (method === "POST") {
        for (const [, key = ""] of body.matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(`/state/${key}`);
        return response.writeHead(200).end("<DeleteResult/>");
      }
      if (method === "PUT") objects.set(path, body);
      const stored = objects.get(path);
      return response.writeHead(stored === undefined ? 404 : 200).end(method === "GET" ? stored : "");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `s3://state/fleet?endpoint=127.0.0.1:${port}&s3ForcePathStyle=true&disableSSL=true&region=us-east-1`,
    objects,
    requests,
    fail: (method, end, status) => faults.push({ method, end, status }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
