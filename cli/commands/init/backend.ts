/** Checks the location of the state. */
import { CliError } from "../../errors.js";
import { LOCAL } from "./types.js";

/** Whether a text is an address for `pulumi login`, with its scheme. */
export function isBackend(text: string): boolean {
  return text === LOCAL || /^[a-z][a-z0-9+.-]*:\/\/\S+$/.test(text);
}

/** @throws {CliError} when it is not an address */
export function requireBackend(backend: string): void {
  if (isBackend(backend)) return;
  throw new CliError(
    `--backend takes "${LOCAL}" or the address where the state is to live, such as s3://bucket or https://api.pulumi.com, ` +
      `and not "${backend}"`,
  );
}
