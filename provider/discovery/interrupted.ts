/** Finds objects that a killed run created but did not record in the state. */
import { ServiceError } from "../../client/index.js";
import { hasSecret } from "../../diff/values.js";
import type { Intent, Journal } from "../../recovery/journal.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { IN_PLAINTEXT } from "../../resources/definition/secrets/in-plaintext.js";
import { SECRET_REFERENCES } from "../../resources/definition/secrets/references.js";
import { ProviderError } from "../../resources/errors.js";
import { getDefinition } from "../../resources/registry.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { findInterrupted } from "../crud/create.js";
import { pickArgs } from "../crud/diff.js";

/** A creation in progress, as the engine recorded it. */
export interface Unfinished {
  readonly type: string;
  /** The inputs as in the state. Secrets are passed on in any form. */
  readonly inputs: Fields;
  /** Its intent; absent where only the state shows the creation. */
  readonly intent?: Intent | undefined;
}

/** The object, as the state should contain it. */
interface RecoveredObject {
  readonly id: string;
  readonly outputs: Fields;
}

/** The result for a creation in progress. Without properties, there is no sign that the object was created. */
export interface RecoveryFinding {
  readonly found?: RecoveredObject;
  /** Id of an object that may be the one, without proof. */
  readonly maybe?: string;
  /** Why nobody can know whether it was created. */
  readonly unknown?: string;
}

/** Finds the objects that a killed run was creating. Writes nothing to the workspace, and one object never prevents the others. */
export async function findUnfinished(
  connection: Connection,
  journal: Journal,
  objects: readonly Unfinished[],
  options: ReadingOptions = {},
): Promise<RecoveryFinding[]> {
  const session = new Session(connection, { ...options, journal });
  try {
    const findings: RecoveryFinding[] = [];
    for (const object of objects) findings.push(await findOne(session, object));
    return findings;
  } finally {
    await session.close();
  }
}

/**
 * Restricts the state of an object that was read to the declared arguments. A secret one keeps its declared, encrypted form, since the
 * service may show it in plaintext.
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

/** Whether an object is not one of the service, but a part of another one, whose id it has. */
function isPartOfItsParent({ identity, naturalKey, references }: Definition): boolean {
  if (naturalKey.length > 0) return false;
  return Object.values(references).some((reference) => reference?.idOutput === identity.state);
}

async function findOne(session: Session, { type, inputs, intent }: Unfinished): Promise<RecoveryFinding> {
  const { __provider, [SECRET_REFERENCES]: references, [IN_PLAINTEXT]: _plain, ...args } = inputs;
  const definition = getDefinition(type);
  // Whether the order of a pipeline was set is seen in the pipeline, and setting it again changes nothing.
  if (isPartOfItsParent(definition)) return {};
  const isNameless = definition.naturalKey.length === 0 && intent !== undefined && intent.id === undefined;
  if (isNameless) return { unknown: "nothing distinguishes it from others of its type" };
  try {
    const { found, maybe } = await findInterrupted(definition, session.context(args), args, intent);
    if (found !== undefined) {
      const carried = { __provider, ...(references ? { [SECRET_REFERENCES]: references } : {}) };
      const outputs = { ...asDeclared(definition, found.outs, args), ...carried };
      return { found: { id: found.id, outputs } };
    }
    return maybe === undefined ? {} : { maybe };
  } catch (error) {
    // What contains the object, or what it refers to, does not exist any more, so the object does not exist either. A project, whose name
    // is in the path, may also have been renamed.
    if (error instanceof ProviderError && error.code === "unknown-reference") return {};
    if (error instanceof ServiceError && error.status === 404 && !("project" in args)) return {};
    if (error instanceof ServiceError || error instanceof ProviderError) return { unknown: error.message };
    throw error;
  }
}
