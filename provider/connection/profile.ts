/** The profile of a connection: what a probe has measured at its service. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import { type Profile, profileSchema } from "../../assumptions/profile.js";
import type { ClientOptions } from "../../client/index.js";
import { describeInvalid } from "../../resources/definition/problems.js";
import { ProviderError } from "../../resources/errors.js";

export interface ConnectionProfile extends Profile {
  /** Path of the file. */
  readonly file: string;
}

/** @throws {ProviderError} `no-connection` when the file is not a profile */
export function readProfile(path: string): ConnectionProfile {
  const file = resolve(path);
  const refusal = (why: string, cause: unknown) =>
    new ProviderError(
      "no-connection",
      `the profile of the connection, ${file}, ${why}`,
      'write it again with "workspacectl probe --save-profile FILE", or remove WORKSPACE_AUTOMATION_PROFILE',
      { cause },
    );
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const { code = "it is not JSON" } = error as NodeJS.ErrnoException;
    throw refusal(`cannot be read (${code})`, error);
  }
  const parsed = profileSchema.safeParse(content);
  if (!parsed.success) throw refusal(`is not a profile: ${describeInvalid(parsed.error)}`, parsed.error);
  return { ...parsed.data, file };
}

/** The options of a client for a service that behaves like this. */
export function buildClientOptions({ maxPerPage, largePages, missingStatus }: MeasuredBehavior = {}): Pick<
  ClientOptions,
  "pageSize" | "missingStatus"
> {
  const pageSize = maxPerPage ?? (largePages === "refused" ? DOCUMENTED_PAGE : undefined);
  return { pageSize, missingStatus };
}

/** The default page size of the spec, which every service accepts. */
const DOCUMENTED_PAGE = 20;
