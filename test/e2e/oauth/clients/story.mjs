// What the clients for Node.js share: settings, a browser, and a request that needs a token.
import { createInterface } from "node:readline";

export const settings = JSON.parse(process.env.STORY);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Opens a page in the browser of the test. @returns the address that it leads to */
export async function ask(page) {
  console.log(`open ${page}`);
  return (await lines.next()).value;
}

/** Throws unless the token is good, or is not. */
export async function expectUser(token, isGood) {
  const { status } = await fetch(`${settings.base}/user`, { headers: { authorization: `Bearer ${token}` } });
  if (status !== (isGood ? 200 : 401))
    throw new Error(`expected ${isGood ? "a good" : "no"} token: ${status}`);
}
