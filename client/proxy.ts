/** The proxies that the environment names, with limits of time. */
import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici/index.js";

/** A failure before the proxy has opened a tunnel. `classifyFault` explains the code. */
class ProxyError extends Error {
  constructor(
    readonly code: "PROXY_ADDRESS" | "PROXY_TIMEOUT",
    cause?: unknown,
  ) {
    super(code, { cause });
  }
}

/** The connections to a proxy, which say when it did not open a tunnel in time. undici calls `connect` without a callback. */
class ProxyPool extends Pool {
  override connect(to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(
    to: Dispatcher.ConnectOptions,
    callback: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void;
  override connect(to: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    return super.connect(to).catch((error: Error & { code?: string }) => {
      throw error.code === "UND_ERR_HEADERS_TIMEOUT" ? new ProxyError("PROXY_TIMEOUT", error) : error;
    });
  }
}

/** Whether the environment names a proxy. */
export function hasProxy(): boolean {
  return [findProxy("http_proxy"), findProxy("https_proxy")].some((address) => address !== "");
}

/**
 * Sends through the proxies of the environment.
 * @param connect its timeout is for the connection to the proxy, and again for its answer
 * @throws {ProxyError} when an address of one is none
 */
export function createProxyDispatcher(
  options: EnvHttpProxyAgent.Options,
  connect: { readonly timeout: number },
): Dispatcher {
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: findProxy("http_proxy"),
    httpsProxy: findProxy("https_proxy"),
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, own) => new ProxyPool(origin, { ...own, headersTimeout: connect.timeout }),
  });
}

/** Like curl, takes `host:port` for an HTTP proxy, and an empty variable for none. */
function findProxy(name: string): string {
  const address = process.env[name] || process.env[name.toUpperCase()] || "";
  const whole = address === "" || address.includes("://") ? address : `http://${address}`;
  if (whole !== "" && !URL.canParse(whole)) throw new ProxyError("PROXY_ADDRESS");
  return whole;
}
