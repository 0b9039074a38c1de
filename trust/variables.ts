/** Which environment variables a workspace file may read. Only the caller of the command says so, never a file of the checkout. */
import { TrustError } from "./errors.js";

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

/** @throws {TrustError} when the variable contains a credential of the run */
export function refuseCredential(variable: string): void {
  if (!isOwnCredential(variable)) return;
  throw new TrustError(
    "variable",
    `${variable} is a credential of the run itself and must not become part of a workspace: if the same value is intended, pass it to the ` +
      "command in a variable of another name",
  );
}

export function isAllowed(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  return (env["WORKSPACE_AUTOMATION_ALLOW_ENV"] ?? "").split(",").includes(name);
}
