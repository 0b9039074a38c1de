/**
 * Sources that placeholders must not read. Others can propose changes to a workspace file, so it must not be able to send the
 * credentials of the run, or files in hidden folders of tools, to where the service shows them.
 */
import type { ProblemCode } from "../../provider/definition/problems.js";

/** Error for a placeholder that is not replaced. */
export class SourceRefusal extends Error {
  constructor(
    message: string,
    readonly code: ProblemCode = "placeholder",
  ) {
    super(message);
  }
}

/** Variables with the credentials of the run itself: of the state, the connection and Pulumi's backends. */
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

/** Reports whether a variable contains a credential of the run itself. Names are case-insensitive on Windows. */
export function isOwnCredential(variable: string): boolean {
  const name = variable.trim().toUpperCase();
  return credentials.some((one) => one.test(name));
}

/** @throws {SourceRefusal} when the variable contains a credential of the run */
export function refuseCredential(variable: string): void {
  if (!isOwnCredential(variable)) return;
  throw new SourceRefusal(
    `${variable} is a credential of the run itself and must not become part of a workspace: if the same value is intended, pass it to the ` +
      "command in a variable of another name",
    "forbidden-source",
  );
}

/**
 * @param steps path of the file, relative to the folder that may be read
 * @throws {SourceRefusal} when the path contains a hidden folder
 */
export function refuseHiddenFolder(path: string, steps: readonly string[]): void {
  const hidden = steps.slice(0, -1).find((step) => /^\.[^.]/.test(step));
  if (hidden === undefined) return;
  throw new SourceRefusal(
    `the file ${path} is in the hidden folder ${hidden}, which belongs to a tool: copy it next to the workspace file, ` +
      "or allow the folder with --allow-path",
    "forbidden-source",
  );
}
