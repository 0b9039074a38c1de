/** Runs a proxy in front of the service that rejects requests with responses that repeat all their secrets. */
import { createServer, type IncomingMessage, request as ask, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Secrets } from "./secrets.js";

export interface Refusal {
  readonly status: number;
  /** Number of read or write requests that pass before. */
  readonly skip: number;
  readonly count: number;
  readonly writes: boolean;
}

export class Echo {
  readonly baseUrl: string;
  private refusals: { refusal: Refusal; seen: number }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
    private readonly secrets: Secrets,
  ) {
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (incoming: IncomingMessage, response) => {
      const answer = async () => {
        const body = await buffer(incoming);
        const status = this.refuses(incoming.method ?? "GET");
        if (status !== undefined) {
          response.writeHead(status, { "content-type": "application/json" });
          response.end(JSON.stringify({ errors: this.echoed(incoming, body) }));
          return;
        }
        const { method, headers, url = "/" } = incoming;
        const passed = ask(`${this.target}${url}`, { ...(method ? { method } : {}), headers }, (answered) => {
          response.writeHead(answered.statusCode ?? 502, answered.headers);
          answered.on("error", () => incoming.socket.destroy());
          answered.pipe(response);
        });
        passed.on("error", () => incoming.socket.destroy());
        passed.end(body);
      };
      answer().catch(() => incoming.socket.destroy());
    });
  }

  static async create(target: string, secrets: Secrets): Promise<Echo> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Echo(server, target, secrets);
  }

  /** Sets the requests that are rejected from now on. */
  set(refusals: readonly Refusal[]): void {
    this.refusals = refusals.map((refusal) => ({ refusal, seen: 0 }));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private refuses(method: string): number | undefined {
    for (const one of this.refusals) {
      const { skip, count, writes, status } = one.refusal;
      if (writes === (method === "GET")) continue;
      one.seen += 1;
      if (one.seen > skip && one.seen <= skip + count) return status;
    }
    return undefined;
  }

  /** Repeats the texts of a request that contain a secret, once in each encoding. */
  private echoed({ headers }: IncomingMessage, body: Buffer): { message: string }[] {
    const texts = [headers.authorization ?? "", ...textsIn(body.toString("utf8"))];
    const secret = texts.filter((text) => this.secrets.in(text).length > 0);
    return encodings.map((encode) => ({ message: `not taken: ${secret.map(encode).join(" and ")}` }));
  }
}

const each = (text: string, encode: (code: number) => string) =>
  [...Buffer.from(text)].map((byte) => encode(byte)).join("");
const two = (code: number) => code.toString(16).padStart(2, "0");

/** What services, proxies and frameworks make of a text that they repeat. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => each(text, (code) => `&#${code};`),
  (text) => each(text, (code) => `&#x${two(code)};`),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => each(text, (code) => `\\u00${two(code)}`),
  (text) => each(text, (code) => `%${two(code)}`),
  (text) => text.toUpperCase(),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`:${text}`).toString("base64url"),
  (text) => Buffer.from(`u:${text}`).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
  (text) => Buffer.from(text).toString("hex").toUpperCase(),
];

function textsIn(body: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(body, (_key, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
  } catch {
    texts.push(body); // A form.
  }
  return texts;
}
