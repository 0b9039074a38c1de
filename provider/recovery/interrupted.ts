/** Finds objects that a killed run created but did not record in the state. */
import type { Connection } from "../connection/connection.js";
import { findInterrupted } from "../crud/create.js";
import type { Definition, Fields } from "../definition/definition.js";
import { pickArgs } from "../crud/diff.js";
import { ProviderError } from "../errors.js";
import { FileJournal } from "./file-journal.js";
import { journalFolder, type Interrupted } from "./create-journal.js";
import { definitionOf } from "../resources/registry.js";
import { Session } from "../connection/session.js";
import { SECRET_REFERENCES } from "../definition/secrets/references.js";
import { hasSecret } from "../../diff/values.js";

type Env = Readonly<Record<string, string | undefined>>;

/** A creation in progress, as the engine recorded it. */
export interface Unfinished {
  readonly type: string;
  /** The inputs as in the state. Secrets are passed on in any form. */
  readonly inputs: Fields;
}

/** The object, as the state should contain it. */
export interface RecoveredObject {
  readonly id: string;
  readonly outputs: Fields;
}

/** The result for a creation in progress. Without properties, there is no sign that the object was created. */
export interface RecoveryFinding {
  readonly found?: RecoveredObject;
  /** Id of an object that may be the one, without proof. */
  readonly maybe?: string;
}

/** Finds the objects that a killed run of a project was creating. Writes nothing to the workspace. */
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
 * The creations that killed runs of `workspacectl` began in a stack. The state may not contain them: an engine whose provider was killed
 * assumes that nothing was created.
 */
export function interruptedCreations(
  project: string,
  stack: string,
  env: Env = process.env,
): Promise<Interrupted[]> {
  return new FileJournal(journalFolder(env), env).interrupted(`urn:pulumi:${stack}::${project}::`);
}

/**
 * Restricts the state of an object that was read to the declared arguments. A secret one keeps its declared, encrypted form, since the
 * service may show it in clear.
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
  const { __provider, [SECRET_REFERENCES]: references, ...args } = inputs;
  try {
    const { found, maybe } = await findInterrupted(definitionOf(type), session.context(args), args);
    if (found !== undefined) {
      const carried = { __provider, ...(references ? { [SECRET_REFERENCES]: references } : {}) };
      const outputs = { ...asDeclared(definitionOf(type), found.outs, args), ...carried };
      return { found: { id: found.id, outputs } };
    }
    return maybe === undefined ? {} : { maybe };
  } catch (error) {
    // A referenced object does not exist any more, so this one does not exist either.
    if (error instanceof ProviderError && error.code === "unknown-reference") return {};
    throw error;
  }
}
