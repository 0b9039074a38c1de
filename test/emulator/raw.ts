/** Sends bytes to a server without an HTTP client. */
import { request } from "node:http";

/** Describes a request that no client library would send: with any Host header and any bytes as its body. */
export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface RawAnswer {
  /** Is 0 if no response arrived in time. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request to the emulator's address, whatever its Host header says. */
export function raw(address: string, sent: RawRequest, limitMilliseconds = 10_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const { method, path, headers } = sent;
    const call = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        clearTimeout(limit);
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    const limit = setTimeout(() => {
      call.destroy();
      resolve({ status: 0, headers: {}, text: `no response within ${limitMilliseconds} ms` });
    }, limitMilliseconds);
    call.on("error", (error) => {
      clearTimeout(limit);
      reject(error);
    });
    call.end(sent.body);
  });
}
