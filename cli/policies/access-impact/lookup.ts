/** Looks up what the access impact of a plan needs from the service: names of ids, levels of sets, and members who stay. */
import { isServiceError, type WorkspaceAutomationClient } from "../../../client/index.js";
import { getAddress, SharedReadCache } from "../../../provider/index.js";
import { keys } from "../../../provider/definition/lists.js";
import { nothingKnown } from "../../../workspace-file/access/index.js";
import type { Io } from "../../terminal/io.js";
import { withClient } from "../../connection/api-client.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import { nameRemoteMember, toRemoteSet } from "./remote-access.js";
import type { AccessLookup } from "./planned.js";

/** Maximum number of members to look up. */
const ASKED = 20;

/** Returns the lookup. What cannot be read counts as unknown, because the impact is not required for a plan. */
export function accessLookup(
  connection: WorkspaceConnection,
  io: Io,
  shared: SharedReadCache = new SharedReadCache(),
): AccessLookup {
  const { workspace, baseUrl } = connection;
  const reads = shared.of(getAddress(baseUrl, workspace));
  const asking = async <T>(
    work: (client: WorkspaceAutomationClient) => Promise<T>,
    otherwise: T,
  ): Promise<T> => {
    try {
      return await withClient(connection, io, work, { retry: { limit: 2 } });
    } catch (error) {
      if (isServiceError(error)) return otherwise;
      throw error;
    }
  };
  return {
    known: () =>
      asking(async ({ members, permissionSets }) => {
        const [people, sets] = await Promise.all([
          reads.list(keys.members, () => members.list(workspace).toArray()),
          reads.list(keys.permissionSets, () => permissionSets.list(workspace).toArray()),
        ]);
        return {
          people: people.map((member) => ({ id: member.id, name: nameRemoteMember(member) })),
          permissionSets: sets.map((set) => ({ id: set.id, ...toRemoteSet(set) })),
        };
      }, nothingKnown),
    staying: (numbers) =>
      asking(async ({ members, user }) => {
        const caller = await reads
          .single("user", () => user.get())
          .then(
            ({ id }) => id,
            (error: unknown) => {
              if (isServiceError(error, "denied")) return undefined;
              throw error;
            },
          );
        const reasons = new Map<number, string>();
        for (const number of numbers.slice(0, ASKED)) {
          if (number === caller) reasons.set(number, "it is the calling user's own membership");
          else if ((await members.get(workspace, number)).workspace_owner)
            reasons.set(number, "the member owns the workspace");
        }
        return reasons;
      }, new Map()),
  };
}
