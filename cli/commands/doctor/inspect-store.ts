/** Checks the store of the states, if the environment or the project names one. */
import { refusesExisting, type StoreEnvironment } from "../../../recovery/bucket.js";
import { isBucketAddress, openBucket } from "../../../recovery/open-bucket.js";
import { findStateAddress } from "../../../recovery/state-address.js";
import {
  createOkCheck,
  createWarningCheck,
  formatErrorLine,
  type ToolchainCheck,
} from "../../../toolchain/index.js";
import type { StateAddress } from "../../../trust/state-address.js";

const NAME = "state";

/** Asks the store of the states whether it can keep locks. Folders and Pulumi's service can. */
export async function inspectStore(env: StoreEnvironment): Promise<ToolchainCheck[]> {
  let address: StateAddress | undefined;
  try {
    address = await findStateAddress(env);
    if (address === undefined || !isBucketAddress(address)) return [];
    return (await refusesExisting(await openBucket(address, env)))
      ? [
          createOkCheck(
            NAME,
            `${address.toString()} refuses to create an object that exists, as locks need it`,
          ),
        ]
      : [
          createWarningCheck(
            NAME,
            `${address.toString()} overwrites objects that it should refuse to create`,
            OVERWRITES,
          ),
        ];
  } catch (error) {
    const found = `${address?.toString() ?? "its address"} could not be asked: ${formatErrorLine(error)}`;
    return [createWarningCheck(NAME, found, "check the address and the keys of the store")];
  }
}

const OVERWRITES =
  "use a store that keeps this condition, because here only `workspacectl stack unlock` can release the lock of a lost run";
