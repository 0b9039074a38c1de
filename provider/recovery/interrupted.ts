/** For whoever mends the state after a crash: which objects a killed run made. */
import type { Connection } from "../connection/connection.js";
import { findInterrupted } from "../crud/create.js";
import type { Definition, Fields } from "../definition/definition.js";
import { pickArgs } from "../crud/diff.js";
import { ProviderError } from "../errors.js";
import { FileJournal } from "./file-journal.js";
import { journalFolder, type Interrupted } from "./create-journal.js";
import { definitionOf } from "../resources/registry.js";
import { Session } from "../connection/session.js";
import { hasSecret } from "../../diff/values.js";

type Env = Readonly<Record<string, string | undefined>>;

/** An object that was being created, as the engine noted it. */
export interface Unfinished {
  readonly type: string;
  /** As in the state: secrets may be in whatever form, they are handed through. */
  readonly inputs: Fields;
}

/** The object, as the state should hold it. */
export interface RecoveredObject {
  readonly id: string;
  readonly outputs: Fields;
}

/** What became of an object that was being created. Nothing: it was never made, as far as anybody can tell. */
export interface RecoveryFinding {
  readonly found?: RecoveredObject;
  /** Number of an object that may be the one, without a proof. */
  readonly maybe?: string;
}

/** Looks for the objects that a killed run of a project was creating. Writes nothing to the workspace. */
export async function findUnfinished(
  connection: Connection,
  project: string,
  objects: readonly Unfinished[],
  env: Env = process.env,
): Promise<RecoveryFinding[]> {
  const journal = new FileJournal(journalFolder(env), { ...env, PULUMI_NODEJS_PROJECT: project });
  const session = new Session(connection, { journal });
  try {
    const findings: RecoveryFinding[] = [];
    for (const object of objects) findings.push(await findOne(session, object));
    return findings;
  } finally {
    await session.close();
  }
}

/**
 * Creations that killed runs of `workspacectl` began in a stack. The state may say nothing of them: an engine whose provider was killed
 * takes what it was creating for not made.
 */
export function interruptedCreations(
  project: string,
  stack: string,
  env: Env = process.env,
): Promise<Interrupted[]> {
  return new FileJournal(journalFolder(env), env).interrupted(`urn:pulumi:${stack}::${project}::`);
}

/**
 * What the state may hold of an object that was read: of its arguments those that were declared. A secret one stays as it was declared,
 * encrypted: the service may show it in clear.
 */
function asDeclared(definition: Definition, outs: Fields, args: Fields): Fields {
  const declared = pickArgs(definition, args);
  const fromService = Object.keys(pickArgs(definition, outs)).filter((name) => declared[name] === undefined);
  const secrets = Object.entries(declared).filter(([, value]) => hasSecret(value));
  const hidden = new Set([...fromService, ...secrets.map(([name]) => name)]);
  const shown = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name)));
  const observed = shown((outs["observed"] ?? {}) as Fields);
  return {
    ...shown(outs),
    ...Object.fromEntries(secrets),
    ...("observed" in outs ? { observed } : {}),
  };
}

async function findOne(session: Session, { type, inputs }: Unfinished): Promise<RecoveryFinding> {
  const { __provider, ...args } = inputs;
  try {
    const { found, maybe } = await findInterrupted(definitionOf(type), session.context(args), args);
    if (found !== undefined) {
      const outputs = { ...asDeclared(definitionOf(type), found.outs, args), __provider };
      return { found: { id: found.id, outputs } };
    }
    return maybe === undefined ? {} : { maybe };
  } catch (error) {
    // What it refers to is gone, and it is nowhere either.
    if (error instanceof ProviderError && error.code === "unknown-reference") return {};
    throw error;
  }
}
