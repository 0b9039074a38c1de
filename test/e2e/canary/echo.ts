/** Runs a proxy in front of the service that rejects requests with responses that repeat all their secrets. */
import { createServer, request as ask, type IncomingMessage, type Server } from "node:http";
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
          response.end(JSON.stringify({ errors: [{ message: this.echoed(incoming, body) }] }));
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

  /** Returns the texts of a request that contain a secret. */
  private echoed({ headers }: IncomingMessage, body: Buffer): string {
    const texts = [headers.authorization ?? "", ...textsIn(body.toString("utf8"))];
    return `not taken: ${texts.filter((text) => this.secrets.in(text).length > 0).join(", ")}`;
  }
}

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
