/** Looking again at a workspace that was surveyed: what somebody counts on, and no list showed. */
import type { Connection } from "../connection/connection.js";
import { Session } from "../connection/session.js";
import { hiddenOf, type ExpectedName } from "./masked.js";
import type { Gap } from "./discover.js";

/** Those that are there, or may be: a caller is not shown all. Reads one object for each. */
export async function hiddenAt(
  connection: Connection,
  expected: readonly ExpectedName[],
  debug?: (line: string) => void,
): Promise<readonly Gap[]> {
  if (expected.length === 0) return [];
  const session = new Session(connection, { debug });
  try {
    return await hiddenOf(session.context({}), expected, []);
  } finally {
    await session.close();
  }
}
