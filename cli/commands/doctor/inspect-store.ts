/** Checks the store of the states, if the environment or the project names one. */
import { NotMadeYet, refusesExisting, type StoreEnvironment } from "../../../recovery/bucket.js";
import { explainDatabaseRefusal, FIRST_TO_LOOK_FOR_ITS_TABLE } from "../../../recovery/database-refusals.js";
import { findStateAddress } from "../../../recovery/find-state-address.js";
import { isBucketAddress, openBucket } from "../../../recovery/open-bucket.js";
import {
  createMissingCheck,
  createOkCheck,
  createWarningCheck,
  findVersionIn,
  formatErrorLine,
  isAtLeast,
  PULUMI_VERSION,
  type ToolchainCheck,
} from "../../../toolchain/index.js";
import type { StateAddress } from "../../../trust/state-address.js";

const NAME = "state";

/**
 * Asks the store of the states whether Pulumi can open it, and whether it can keep locks. Folders and Pulumi's service can.
 * @param machine what was found on this machine, with the version of Pulumi
 */
export async function inspectStore(
  env: StoreEnvironment,
  machine: Promise<readonly ToolchainCheck[]>,
): Promise<ToolchainCheck[]> {
  let address: StateAddress | undefined;
  try {
    address = await findStateAddress(env);
    if (address === undefined || !isBucketAddress(address)) return [];
    const bucket = await openBucket(address, env);
    const pulumi = (await machine).find((check) => check.name === "Pulumi CLI");
    const version = findVersionIn(pulumi?.found ?? "") ?? PULUMI_VERSION;
    await bucket.rehearseOpening?.(!isAtLeast(version, FIRST_TO_LOOK_FOR_ITS_TABLE));
    return (await refusesExisting(bucket))
      ? [createOkCheck(NAME, `${address.toString()} ${REFUSES}`)]
      : [createWarningCheck(NAME, `${address.toString()} ${OVERWRITES}`, UNLOCK)];
  } catch (error) {
    const message = formatErrorLine(error);
    const name = address?.toString() ?? "its address";
    if (error instanceof NotMadeYet) return [createOkCheck(NAME, `${name}: ${message}; Pulumi can make it`)];
    const remedy = explainDatabaseRefusal(message);
    return [
      remedy === undefined
        ? createWarningCheck(NAME, `${name} could not be asked: ${message}`, CHECK)
        : createMissingCheck(NAME, `${name} refuses what Pulumi does there: ${message}`, remedy),
    ];
  }
}

const REFUSES = "refuses to create an object that exists, as locks need it";
const OVERWRITES = "overwrites objects that it should refuse to create";
const UNLOCK =
  "use a store that keeps this condition, because here only `workspacectl stack unlock` can release the lock of a lost run";
const CHECK = "check the address and the keys of the store";
