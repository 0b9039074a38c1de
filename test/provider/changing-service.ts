/** A service that stores other values than it was sent: the emulator behind a proxy that changes its responses. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Emulator } from "../../emulator/index.js";

export interface ChangingService {
  readonly baseUrl: string;
  readonly close: () => void;
}

/** @param change returns what is sent in place of a response */
export async function startChangingService(
  emulator: Emulator,
  change: (response: string, method: string) => string | Promise<string>,
): Promise<ChangingService> {
  const proxy = createServer((incoming, response) => {
    const { method = "GET", url = "/", headers } = incoming;
    void (async () => {
      const body = method === "GET" ? {} : { body: await buffer(incoming) };
      const answer = await fetch(new URL(url, emulator.baseUrl), {
        method,
        headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
        ...body,
      });
      const text = await change(await answer.text(), method);
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(text);
    })();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}${new URL(emulator.baseUrl).pathname}`;
  return { baseUrl, close: () => void proxy.close() };
}
