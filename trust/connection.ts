/** Which service gets which token. Only the caller names an address; a checkout may confirm it, and choose among connections by name. */
import { TrustError } from "./errors.js";

/** Settings of a connection that a checkout contains, in the stack's configuration of a workspace file. */
export interface CheckoutConnection {
  readonly baseUrl?: string | undefined;
  readonly token?: string | undefined;
}

/** What the caller has named for the same connection, in the environment or by a login. */
export interface CallerConnection {
  /** Absent when the caller names no address. */
  readonly baseUrl?: string | undefined;
  /** Where the address is from, for messages. */
  readonly source: string;
  /** Variable in which the caller may name the address. */
  readonly variable: string;
  /** Base addresses of all logins, by the name of the connection. */
  readonly logins: Readonly<Record<string, string | undefined>>;
}

const FROM = "the stack's configuration (workspace-automation:baseUrl)";

/**
 * Refuses an address of a checkout that its caller has not named for this connection. Otherwise, the author of a change could choose who
 * receives the caller's requests, and with them names and values.
 * @throws {TrustError}
 */
export function refuseForeignAddress({ baseUrl }: CheckoutConnection, caller: CallerConnection): void {
  if (baseUrl === undefined || (caller.baseUrl !== undefined && isSameAddress(baseUrl, caller.baseUrl)))
    return;
  const { variable, logins } = caller;
  const names = Object.keys(logins).filter((name) => isSameAddress(logins[name] ?? "", baseUrl));
  const choose =
    names.length === 0 ? "" : `choose the login of that address with --connection ${names.join(" or ")}, `;
  throw new TrustError(
    "address",
    caller.baseUrl === undefined
      ? `${FROM} names ${baseUrl}, which you have not named: nothing was sent. A checkout does not decide where requests go`
      : `${FROM} names ${baseUrl}, but ${caller.source} names ${caller.baseUrl}: nothing was sent`,
    caller.baseUrl === undefined
      ? `If the address is right, ${choose}set ${variable}=${baseUrl} together with its token, or run "workspacectl login --base-url ${baseUrl}"`
      : `Remove the address from the stack's configuration, where it is not needed; or, if it is the right one, ${choose}set ` +
          `${variable}=${baseUrl} together with its token, or log in to it`,
  );
}

/**
 * Returns the token of a checkout that may be used when the caller has none. Call it only with an address that was not refused.
 * @throws {TrustError} when the checkout does not say for which address its token is
 */
export function findTokenOfCheckout(
  { baseUrl, token }: CheckoutConnection,
  { baseUrl: address, variable }: Pick<CallerConnection, "baseUrl" | "variable">,
): string | undefined {
  if (token === undefined || baseUrl !== undefined) return token;
  throw new TrustError(
    "address",
    `the stack's configuration has a token (workspace-automation:token), and does not say for which address: nothing was sent to ${address}`,
    `Run "workspacectl login", or set ${variable} to the token for this address`,
  );
}

/**
 * Refuses variables of a fleet file that would send a token to another address than the one that the caller has named next to it.
 * @param mapping variables that the file sets, each with the variable of the caller that contains its value
 * @throws {TrustError}
 */
export function refuseMixedPairs(
  mapping: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const [to, from] of Object.entries(mapping)) {
    const isToken = /^WORKSPACE_AUTOMATION_(\w+_)?TOKEN$/.test(to);
    if (!isToken && !/^WORKSPACE_AUTOMATION_(\w+_)?BASE_URL$/.test(to)) continue;
    const other = isToken ? to.replace(/TOKEN$/, "BASE_URL") : to.replace(/BASE_URL$/, "TOKEN");
    const beside = from.replace(to, () => other);
    const source = mapping[other];
    // A token without an address belongs to the caller's address.
    const isFree = isToken ? !env[beside] || isSameAddress(env[beside], env[other] ?? "") : !env[other];
    if (source === beside || (source === undefined && isFree)) continue;
    throw new TrustError(
      "address",
      `${to} is read from ${from}, but ${other} ${source === undefined ? "is not set together with it" : `from ${source}`}: a token is sent only to the address that is set together with it`,
      `Write "${other}: ${beside}" under environment, too`,
    );
  }
}

/** Whether two base addresses are one. */
export function isSameAddress(one: string, other: string): boolean {
  const normal = (address: string) => trimAddress(URL.canParse(address) ? new URL(address).href : address);
  return normal(one) === normal(other);
}

/** Removes slashes at the end. */
export function trimAddress(address: string): string {
  return address.replace(/\/+$/, "");
}
