/** Where the state of a new workspace file is to live. */
import { CliError } from "../../errors.js";
import { LOCAL } from "./types.js";

/** What `pulumi login` takes, written out: an address with its kind. */
export function isBackend(text: string): boolean {
  return text === LOCAL || /^[a-z][a-z0-9+.-]*:\/\/\S+$/.test(text);
}

/** @throws {CliError} when it is no address */
export function requireBackend(backend: string): void {
  if (isBackend(backend)) return;
  throw new CliError(
    `--backend takes "${LOCAL}" or the address where the state is to live, such as s3://bucket or https://api.pulumi.com, ` +
      `and not "${backend}"`,
  );
}
