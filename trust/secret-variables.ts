/** Which environment variables contain credentials. Every command asks at its start, so this loads nothing. */

/** Reports whether a variable contains a credential of the service or of Pulumi. */
export function isSecretVariable(name: string): boolean {
  return isServiceCredential(name) || /^PULUMI_(ACCESS_TOKEN|CONFIG_PASSPHRASE)$/.test(name);
}

/** Reports whether a variable contains a credential of the service. */
export function isServiceCredential(name: string): boolean {
  return /^WORKSPACE_AUTOMATION_(.*_)?(TOKEN|SECRET)$/.test(name);
}
