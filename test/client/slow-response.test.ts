/** Tests that a late response is told while it is awaited. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ProgressEvent } from "../../client/index.js";
import { host, mockedClient } from "./helpers.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const facts = { type: "slow-response", method: "GET", path: "/workspaces/acme/groups/7" } as const;

it("says every 5 seconds which request waits, which attempt it is, and when it is given up", async () => {
  const events: ProgressEvent[] = [];
  let respond: (response: Response) => void = () => undefined;
  const response = new Promise<Response>((resolve) => (respond = resolve));
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const fetch: typeof globalThis.fetch = (url) => {
    expect(url).toBe(`${host}/api/workspaces/acme/groups/7`);
    asked();
    return response;
  };
  const client = mockedClient({
    fetch,
    onProgress: (event) => events.push(event),
    timeouts: { headersMs: 20_000 },
  });
  const group = client.groups.get("acme", 7);
  await isAsked;
  vi.advanceTimersByTime(4_999);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(5_001);
  const first = { ...facts, attempt: 1, attempts: 5, waitedMs: 5_000, leftMs: 25_000, hasBegun: false };
  expect(events).toEqual([first, { ...first, waitedMs: 10_000, leftMs: 20_000 }]);
  respond(Response.json({ id: 7, name: "QA" }));
  expect(await group).toMatchObject({ id: 7 });
  vi.advanceTimersByTime(60_000);
  expect(events).toHaveLength(2);
});

it("says of a response that has begun when it is given up", async () => {
  const events: ProgressEvent[] = [];
  let end: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"id": 7,'));
      end = () => {
        controller.enqueue(new TextEncoder().encode('"name": "QA"}'));
        controller.close();
      };
    },
  });
  const client = mockedClient({
    fetch: () => {
      setImmediate(begun);
      return Promise.resolve(new Response(body, { headers: { "content-type": "application/json" } }));
    },
    onProgress: (event) => events.push(event),
    timeouts: { headersMs: 20_000, answerMs: 8_000 },
  });
  const group = client.groups.get("acme", 7);
  await hasBegun;
  vi.advanceTimersByTime(5_000);
  expect(events).toEqual([
    { ...facts, attempt: 1, attempts: 5, waitedMs: 5_000, leftMs: 8_000, hasBegun: true },
  ]);
  end();
  expect(await group).toMatchObject({ id: 7 });
});
