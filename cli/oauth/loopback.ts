/** Logs in with a browser: a local server receives the redirect after the consent. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AutomationError } from "../../automation/errors.js";
import { note } from "../../automation/port.js";
import type { OAuthServer, Tokens } from "../../client/index.js";
import type { Io } from "../../reports/io.js";
import { escapeMarkup } from "../../text/safe-text.js";
import { findCheckouts } from "../../trust/checkout.js";
import { filterPath } from "../../trust/programs.js";
import { type BrowserProcess, openInBrowser } from "../../trust/start-program.js";
import { askLine } from "../terminal/answers.js";

/** Port of the redirect address, unless the client is registered with another. */
export const DEFAULT_PORT = 8976;

const HOST = "127.0.0.1";
const PATH = "/callback";

/** The redirect address that a client must be registered with. */
export function buildRedirectUri(port: number): string {
  return `http://${HOST}:${port}${PATH}`;
}

interface Callback {
  readonly redirectUri: string;
  /** Waits for the redirect with this state. */
  answer(state: string): Promise<URL>;
  /** Shows the result in the browser, and closes the server. */
  end(message: string): Promise<void>;
}

/** Time limit for the consent. */
const PATIENCE_MS = 10 * 60_000;

/** @param port 0 for any free port, when the authorization server ignores the port of a loopback address (RFC 8252) */
async function listenForCallback(port: number, patienceMs = PATIENCE_MS): Promise<Callback> {
  let waiting: { state: string; come: (url: URL) => void } | undefined;
  let browser: ServerResponse | undefined;
  let late: NodeJS.Timeout | undefined;
  const server = createServer((request, response) => {
    const url = findOwnAddress(request);
    // Rejects everything but the redirect of this login.
    if (
      url?.pathname !== PATH ||
      browser ||
      !waiting ||
      url.searchParams.get("state") !== waiting.state ||
      request.method !== "GET"
    ) {
      say(response, 404, "This is not the login that workspacectl is waiting for.");
      return;
    }
    browser = response;
    waiting.come(url);
  });
  const bound = await listen(server, port);
  return {
    redirectUri: buildRedirectUri(bound),
    answer: (state) =>
      new Promise((resolve, reject) => {
        late = setTimeout(() => reject(createTooLateError(patienceMs)), patienceMs);
        waiting = { state, come: resolve };
      }),
    async end(message) {
      clearTimeout(late);
      if (browser) say(browser, 200, message);
      await new Promise((closed) => {
        server.close(closed);
        server.closeIdleConnections();
      });
    },
  };
}

/**
 * Returns the requested address if the host is this server's own: another host name can resolve to it (DNS rebinding),
 * and a path such as `//` is not an address.
 */
function findOwnAddress({ url, headers, socket }: IncomingMessage): URL | undefined {
  const own = `http://${HOST}:${socket.localPort}`;
  if (`http://${headers.host}` !== own || !url?.startsWith("/")) return undefined;
  return URL.canParse(own + url) ? new URL(own + url) : undefined;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(createNotListeningError(port, error)));
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function say(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", connection: "close" });
  response.end(
    `<!doctype html><title>workspacectl</title><p style="font-family:sans-serif">${escapeMarkup(message)}</p>\n`,
  );
}

function createNotListeningError(port: number, { code, message }: NodeJS.ErrnoException): AutomationError {
  return new AutomationError(
    code === "EADDRINUSE"
      ? `port ${port} of this machine is in use`
      : `the command cannot listen on port ${port}, to which the browser returns after a login: ${message}`,
    code === "EADDRINUSE"
      ? `choose another with --port (the client must be registered with ${buildRedirectUri(port).replace(String(port), "PORT")}), or log in with --no-browser`
      : "Choose another with --port, or log in with --no-browser",
  );
}

function createTooLateError(patienceMs: number): AutomationError {
  return new AutomationError(
    `no login was completed in the browser within ${Math.round(patienceMs / 60_000)} minutes`,
    "log in again, or use --no-browser",
  );
}

interface BrowserLogin {
  readonly server: OAuthServer;
  readonly scopes: readonly string[];
  /** Port of the redirect address. */
  readonly port: number;
}

/** Opens the consent page in the browser, and waits for the redirect. */
export async function loginInBrowser({ server, scopes, port }: BrowserLogin, io: Io): Promise<Tokens> {
  const callback = await listenForCallback(port);
  let message = "The login failed: the terminal shows the reason. You may close this window.";
  try {
    const request = await server.authorization({ redirectUri: callback.redirectUri, scopes });
    const answer = callback.answer(request.state);
    note(io, "Opening your browser. If it does not open, go to");
    note(io, `  ${request.url}`);
    await openBrowser(request.url, io);
    const tokens = await server.exchangeCode(await answer, { ...request, redirectUri: callback.redirectUri });
    message = "You are logged in. You may close this window and go back to the terminal.";
    return tokens;
  } finally {
    await callback.end(message);
  }
}

/** Opens the browser. @returns the program that does */
export async function openBrowser(url: string, io: Io): Promise<BrowserProcess | undefined> {
  if (io.browse) return void (await io.browse(url));
  try {
    return await openInBrowser(url, filterPath(process.env, findCheckouts(process.cwd())));
  } catch {
    note(io, "No browser could be opened here.");
    return undefined;
  }
}

/** Prints the address of the consent page, and asks for the code, which the user copies from the browser. */
export async function loginByPasting({ server, scopes, port }: BrowserLogin, io: Io): Promise<Tokens> {
  const back = buildRedirectUri(port);
  const request = await server.authorization({ redirectUri: back, scopes });
  note(io, "Open this address in a browser, on any machine:");
  note(io, `  ${request.url}`);
  note(io, `Then copy the address that the browser is sent to (it begins with ${back}), or the code in it.`);
  const pasted = await askLine("The address, or the code", io);
  if (pasted === "")
    throw new AutomationError(
      "no address or code was pasted; nothing was stored",
      "log in again, and paste the address of the last page, or the code in it",
    );
  const answer = URL.canParse(pasted) ? new URL(pasted) : { code: pasted };
  return server.exchangeCode(answer, { ...request, redirectUri: back });
}
