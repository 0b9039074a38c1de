/** For whoever mends the state after a crash: which objects a killed run made. */
import type { Connection } from "./connection.js";
import { leftByCrash } from "./creation.js";
import type { Fields } from "./definition.js";
import { ProviderError } from "./errors.js";
import { FileJournal, journalFolder } from "./journal.js";
import { definitionOf } from "./registry.js";
import { Session } from "./session.js";

type Env = Readonly<Record<string, string | undefined>>;

/** An object that was being created, as the engine noted it. */
export interface Unfinished {
  readonly type: string;
  /** As in the state: secrets may be in whatever form, they are handed through. */
  readonly inputs: Fields;
}

/** The object, as the state should hold it. */
export interface Found {
  readonly id: string;
  readonly outputs: Fields;
}

/**
 * Looks for the objects that a killed run of a project was creating. Undefined stands for one that was never made, or that
 * nothing proves to be of that run. Writes nothing to the workspace.
 */
export async function findUnfinished(
  connection: Connection,
  project: string,
  objects: readonly Unfinished[],
  env: Env = process.env,
): Promise<(Found | undefined)[]> {
  const journal = new FileJournal(journalFolder(env), { ...env, PULUMI_NODEJS_PROJECT: project });
  const session = new Session(connection, () => {}, undefined, journal);
  try {
    const found: (Found | undefined)[] = [];
    for (const object of objects) found.push(await findOne(session, object));
    return found;
  } finally {
    await session.close();
  }
}

async function findOne(session: Session, { type, inputs }: Unfinished): Promise<Found | undefined> {
  const { __provider, ...args } = inputs;
  try {
    const kept = await leftByCrash(definitionOf(type), session.context(args), args);
    return kept && { id: kept.id, outputs: { ...kept.outs, __provider } };
  } catch (error) {
    // What it refers to is gone, and it is nowhere either.
    if (error instanceof ProviderError && error.code === "unknown-reference") return undefined;
    throw error;
  }
}
