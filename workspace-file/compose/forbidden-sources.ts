/**
 * What no placeholder may bring in. A workspace file is data that others propose changes of: it must not be a way to send the
 * credentials of the run, or what tools keep in hidden folders, to a place where the service shows it.
 */
import type { ProblemCode } from "../../provider/definition/problems.js";

/** Why a placeholder is not filled. */
export class SourceRefusal extends Error {
  constructor(
    message: string,
    readonly code: ProblemCode = "placeholder",
  ) {
    super(message);
  }
}

/** Variables that hold the credentials of the run itself: of the state, of the connection, of the backends of Pulumi. */
const credentials = [
  /^PULUMI_CONFIG_PASSPHRASE/,
  /^PULUMI_ACCESS_TOKEN$/,
  /^WORKSPACE_AUTOMATION_.*(TOKEN|SECRET|KEY)$/,
  /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/,
  /^AZURE_(STORAGE_KEY|STORAGE_SAS_TOKEN|CLIENT_SECRET|CLIENT_CERTIFICATE_PASSWORD|PASSWORD)$/,
  /^ARM_(CLIENT_SECRET|ACCESS_KEY|SAS_TOKEN|OIDC_TOKEN|OIDC_REQUEST_TOKEN)$/,
  /^GOOGLE_(CREDENTIALS|APPLICATION_CREDENTIALS|OAUTH_ACCESS_TOKEN|CLOUD_KEYFILE_JSON)$/,
  /^GCLOUD_KEYFILE_JSON$/,
  /^VAULT_TOKEN$/,
  /^ACTIONS_(ID_TOKEN_REQUEST_TOKEN|RUNTIME_TOKEN)$/,
];

/** Does the variable hold a credential of the run itself? The names of variables know no case on Windows. */
export function isOwnCredential(variable: string): boolean {
  const name = variable.trim().toUpperCase();
  return credentials.some((one) => one.test(name));
}

/** @throws {SourceRefusal} where the variable holds a credential of the run */
export function refuseCredential(variable: string): void {
  if (!isOwnCredential(variable)) return;
  throw new SourceRefusal(
    `${variable} is a credential of the run itself, and no value of a workspace: where the same value is meant, give it to the ` +
      "command in a variable of another name",
    "forbidden-source",
  );
}

/**
 * @param steps of the way to a file from the folder that may be read
 * @throws {SourceRefusal} where a hidden folder is on the way
 */
export function refuseHiddenFolder(path: string, steps: readonly string[]): void {
  const hidden = steps.slice(0, -1).find((step) => /^\.[^.]/.test(step));
  if (hidden === undefined) return;
  throw new SourceRefusal(
    `the file ${path} is in the hidden folder ${hidden}, in which tools keep what is theirs: copy it beside the workspace file, ` +
      "or allow that folder itself with --allow-path",
    "forbidden-source",
  );
}
