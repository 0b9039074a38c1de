/** A survey that goes on where an interrupted one of the same user, workspace and scope has stopped. */
import { createHash } from "node:crypto";
import { ServiceError } from "../../client/index.js";
import type { Connection } from "../connection/connection.js";
import type { Context } from "../definition/context.js";
import { Checkpoint } from "./checkpoint.js";

export interface Resume {
  /** Where answers are kept. */
  readonly folder: string;
  /** What is surveyed: another scope goes on with answers of its own. */
  readonly scope: readonly unknown[];
  /** Begin anew. */
  readonly fresh: boolean;
  /** Told of how many answers are kept, as soon as that is known. */
  readonly onKept?: (answers: () => number) => void;
}

export async function resumed(
  context: Context,
  connection: Connection,
  { folder, scope, fresh, onKept }: Resume,
): Promise<Checkpoint> {
  const subject = [context.address, await caller(context, connection), scope];
  const answers = new Checkpoint(folder, subject, fresh);
  context.reads.answers = answers;
  onKept?.(() => answers.kept);
  return answers;
}

/** Whose answers they are: others may be shown less. A token that may not tell its user speaks for itself. */
async function caller(context: Context, { token, name }: Connection): Promise<unknown> {
  try {
    const user = (await context.reads.single("user", () => context.api.user.get())) as { id?: number };
    if (user.id !== undefined) return user.id;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "denied") throw error;
  }
  return typeof token === "string" ? createHash("sha256").update(token).digest("base64url") : name;
}
