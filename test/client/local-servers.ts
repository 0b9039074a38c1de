/** Servers on this machine and clients of them, which are closed after each test. */
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, vi } from "vitest";
import { type ClientOptions, WorkspaceAutomationClient } from "../../client/index.js";
import { FakeClock, listen, type Listening } from "./helpers.js";

/** What undoes the steps of a test, the last first. */
export const cleanUp: (() => unknown)[] = [];

/** Closes what the tests of a file open, and restores the environment. */
export function closeAfterEach(): void {
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const undo of cleanUp.splice(0).reverse()) await undo();
  });
}

export async function serve(listener: RequestListener, server: Server = createServer()): Promise<Listening> {
  server.on("request", listener);
  const listening = await listen(server);
  cleanUp.push(listening.close);
  return listening;
}

let serial = 0;

export function client(baseUrl: string, options: Partial<ClientOptions> = {}): WorkspaceAutomationClient {
  const made = new WorkspaceAutomationClient({
    baseUrl,
    token: `t-${++serial}`,
    clock: new FakeClock(),
    ...options,
  });
  cleanUp.push(() => made.close());
  return made;
}

export const user: RequestListener = (_, response) => void response.end('{"id":1}');
