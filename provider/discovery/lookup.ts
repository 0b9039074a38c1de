/** Finds objects by their keys in a workspace file, without a state. Only reads. */
import type { Context } from "../../resources/definition/context.js";
import type { Definition } from "../../resources/definition/definition.js";
import { resolveReferences } from "../../resources/definition/references.js";
import { ProviderError } from "../../resources/errors.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { buildId } from "../crud/state.js";
import { withRemote } from "../crud/target.js";
import { findExisting } from "../existence/sources.js";
import { locateInside, type ManagedObject } from "./unmanaged.js";

/** An object, by its type and its key in its parent. */
export interface NamedPart {
  readonly definition: Definition;
  readonly key: string;
}

type Parent = Pick<ManagedObject, "id" | "outputs"> & Pick<NamedPart, "definition">;

export class Lookup {
  private readonly session: Session;
  private readonly context: Context;

  constructor(connection: Connection, options: ReadingOptions = {}) {
    this.session = new Session(connection, options);
    this.context = this.session.context({});
  }

  /**
   * Whether an object exists.
   * @param chain its parents, the outermost first, and itself
   * @throws {ServiceError} when it cannot be read
   */
  async has(chain: readonly NamedPart[]): Promise<boolean> {
    let parent: Parent | undefined;
    for (const part of chain) {
      parent = await this.within(parent, part);
      if (parent === undefined) return false;
    }
    return true;
  }

  private async within(
    parent: Parent | undefined,
    { definition, key }: NamedPart,
  ): Promise<Parent | undefined> {
    const { context } = this;
    const { under, keyedBy } = definition.document!;
    const arg = parent === undefined ? undefined : under[parent.definition.type];
    const location =
      parent === undefined || typeof arg !== "string" ? {} : locateInside(definition, arg, parent);
    const named = { ...location, [keyedBy]: key };
    const state = await resolveReferences(definition.references, context, named).then(
      (ids) => ({ ...named, ...ids }),
      (error: unknown) => {
        // The member by whom it is named does not exist, so neither does it.
        if (error instanceof ProviderError) return undefined;
        throw error;
      },
    );
    const [remote] = state === undefined ? [] : await findExisting({ definition, context, state });
    if (state === undefined || remote === undefined) return undefined;
    const outputs = withRemote(definition, state, remote);
    return { definition, id: buildId({ definition, context, state: outputs }), outputs };
  }

  close(): Promise<void> {
    return this.session.close();
  }
}
