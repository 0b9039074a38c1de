/** Whether the calling user sees everything in a workspace. Only an administrator's token proves that an object does not exist. */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import { lists, loadItems } from "../../resources/definition/lists.js";

/** Whether the calling user is an administrator of the workspace. Requested once, and only when something is missing. */
export function isAdministrator(context: Context): Promise<boolean> {
  return context.once("administrator", async () => {
    const caller = await context.callerId();
    const own = caller === undefined ? undefined : await readOwnMember(context, caller);
    if (own?.admin === true || own?.workspace_owner === true) return true;
    if (typeof own?.admin === "boolean") return false;
    // The token may not read its user. Permission sets are shown to administrators only (spec, Endpoints).
    return await canRead(() => loadItems(context, lists.permissionSets(context)));
  });
}

async function readOwnMember(context: Context, caller: number) {
  const load = () => context.api.members.get(context.workspace, caller);
  return unlessRefused(() => context.reads.single(`members/${caller}`, load));
}

async function canRead(read: () => Promise<object>): Promise<boolean> {
  return (await unlessRefused(read)) !== undefined;
}

async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isServiceError(error, "denied", "not-found", "invalid-url")) return undefined;
    throw error;
  }
}
