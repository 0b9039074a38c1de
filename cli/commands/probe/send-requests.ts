/** Sends the requests of a probe. Every response counts as an answer, also one that refuses. */
import {
  connect,
  type ConnectionOptions,
  type Exchange,
  isServiceError,
  personalToken,
  type TokenProvider,
} from "../../../client/index.js";
import type { Connection } from "../../../provider/index.js";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Question {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: object | undefined;
  /** Sends a token that nobody has. */
  readonly unknownToken?: true | undefined;
}

export interface Answer {
  readonly status: number;
  /** An empty object when the response is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The service's messages about a refusal. */
  readonly messages: readonly string[];
  /** What is left of the hour's requests, as the headers say. */
  readonly rate: { readonly remaining: number; readonly resetInSeconds: number } | null;
}

/** Why a question has no answer. Never contains what the service wrote. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export interface Questions {
  ask(question: Question): Promise<Answer>;
  /** Number of requests so far. */
  readonly sent: number;
  close(): Promise<void>;
}

/** A part of a path that no service knows. */
export const UNKNOWN_PATH = "workspacectl-probe";
/** The largest number that fits everywhere, which no object has yet. */
export const UNUSED_ID = 2_147_483_647;

/** The schedules of the probe's own pipeline: on the 29th of February. */
export const SCHEDULES = ["0 0 29 2 *", "0 1 29 2 *"] as const;

/** A token of the form that services use, which no user has. */
const NOBODY = personalToken("workspacectl-probe-is-nobody");

interface QuestionLimits {
  /** Greatest number of requests. */
  readonly most: number;
  /** Requests of the hour that are left for others, such as those that remove what was created. */
  readonly reserve?: number;
  /** Ends the questions. A request that writes is completed, so that its result is known. */
  readonly signal?: AbortSignal;
  readonly client?: Pick<ConnectionOptions, "fetch" | "rateLimit" | "retry">;
}

/** Asks a service, at most so many times. */
export class ServiceQuestions implements Questions {
  sent = 0;
  private rate: Answer["rate"] = null;
  private remaining = Infinity;
  private readonly connection: ReturnType<typeof connect>;

  constructor(
    { baseUrl, token, allowInsecure }: Pick<Connection, "baseUrl" | "token" | "allowInsecure">,
    private readonly limits: QuestionLimits,
  ) {
    const tokens: TokenProvider = typeof token === "string" ? personalToken(token) : token;
    this.connection = connect(
      {
        baseUrl,
        allowInsecure,
        retry: { limit: 2 },
        rateLimit: { maxWaitMs: 0 },
        ...limits.client,
        permit: { ensure: () => this.count(), isCertain: true },
        onExchange: (exchange) => {
          this.rate = readRate(exchange);
          this.remaining = this.rate?.remaining ?? this.remaining;
        },
      },
      tokens,
    );
  }

  async ask({ method, path, query, body, unknownToken }: Question): Promise<Answer> {
    this.rate = null;
    const { signal } = this.limits;
    signal?.throwIfAborted();
    try {
      const response = await this.connection.transport.call(
        {
          method,
          path,
          query,
          body,
          ...(unknownToken ? { bearer: NOBODY } : {}),
          repeatable: method !== "POST",
        },
        { signal: method === "GET" ? signal : undefined },
      );
      const isObject = typeof response === "object" && response !== null;
      return {
        status: 200,
        body: isObject ? (response as Answer["body"]) : {},
        messages: [],
        rate: this.rate,
      };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const { status, code, serviceMessages: messages } = error;
      if (status === undefined || status >= 500 || code === "rate-limited" || code === "invalid-response")
        throw new Unanswered(
          `a ${method} request got no usable response (${code}${status === undefined ? "" : `, HTTP ${status}`})`,
        );
      return { status, body: {}, messages: [...messages], rate: this.rate };
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private count(): undefined {
    const { most, reserve = 0 } = this.limits;
    if (this.sent >= most) throw new Unanswered(`the probe sends no more than ${most} requests`);
    if (this.remaining < reserve)
      throw new Unanswered(
        "this hour's requests are nearly used up, and the rest is kept for the removal of what was created",
      );
    this.sent++;
    return undefined;
  }
}

function readRate({ rate }: Exchange): Answer["rate"] {
  if (rate === undefined) return null;
  return {
    remaining: rate.remaining,
    resetInSeconds: Math.round((rate.resetAt.getTime() - Date.now()) / 1000),
  };
}
