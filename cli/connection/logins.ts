/** The stored logins, unless they are in the checkout: then the author of a change could have written them, with any address. */
import { existsSync } from "node:fs";
import { findCheckouts } from "../../trust/checkout.js";
import { refuseInCheckout } from "../../trust/programs.js";
import { getCredentialsFile, readCredentials, type Credentials } from "../../provider/index.js";

/**
 * Reads the logins of `workspacectl login`; nothing when there are none.
 * @throws {TrustError} when the environment keeps them in the checkout
 */
export function readLogins(env: NodeJS.ProcessEnv): Credentials {
  const file = getCredentialsFile(env);
  const remedy = "Set WORKSPACE_AUTOMATION_CREDENTIALS to a file outside of it, and log in again.";
  if (existsSync(file)) refuseInCheckout("The credentials file", file, findCheckouts(process.cwd()), remedy);
  return readCredentials(file);
}
