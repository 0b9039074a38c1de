/** The grant authorization_code: a user consents in a browser, which returns a code. */
import type { OAuthServer, Tokens } from "../../../client/index.js";
import { CliError } from "../../errors.js";
import { note, type Io } from "../../terminal/io.js";
import { listenForCallback, redirectUri } from "./loopback.js";
import { askLine } from "./secrets.js";

export interface BrowserLogin {
  readonly server: OAuthServer;
  readonly scopes: readonly string[];
  /** Port of the redirect address. */
  readonly port: number;
}

/** Opens the consent page in the browser, and waits for the redirect. */
export async function loginInBrowser({ server, scopes, port }: BrowserLogin, io: Io): Promise<Tokens> {
  const callback = await listenForCallback(port);
  let message = "The login failed: the terminal says why. You may close this window.";
  try {
    const request = await server.authorization({ redirectUri: callback.redirectUri, scopes });
    const answer = callback.answer(request.state);
    note(io, "Opening the browser. If none opens, go to");
    note(io, `  ${request.url}`);
    await openBrowser(request.url, io);
    const tokens = await server.exchangeCode(await answer, { ...request, redirectUri: callback.redirectUri });
    message = "You are logged in. You may close this window and go back to the terminal.";
    return tokens;
  } finally {
    await callback.end(message);
  }
}

async function openBrowser(url: string, io: Io): Promise<void> {
  if (io.browse) return io.browse(url);
  const { default: open } = await import("open");
  try {
    const child = await open(url);
    child.on("error", () => undefined);
  } catch {
    note(io, "No browser could be opened here.");
  }
}

/** Prints the address of the consent page, and asks for the code, which the user copies from the browser. */
export async function loginByPasting({ server, scopes, port }: BrowserLogin, io: Io): Promise<Tokens> {
  const back = redirectUri(port);
  const request = await server.authorization({ redirectUri: back, scopes });
  note(io, "Open this address in a browser, on any machine:");
  note(io, `  ${request.url}`);
  note(io, `Then copy the address that the browser is sent to (it begins with ${back}), or the code in it.`);
  const pasted = await askLine("The address, or the code", io);
  if (pasted === "") throw new CliError("no code was given; nothing was done");
  const answer = URL.canParse(pasted) ? new URL(pasted) : { code: pasted };
  return server.exchangeCode(answer, { ...request, redirectUri: back });
}
