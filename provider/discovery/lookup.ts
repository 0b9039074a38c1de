/** Finds objects of a workspace by what a workspace file calls them, where no state knows them. Reads only. */
import type { Connection } from "../connection/connection.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { withRemote } from "../crud/target.js";
import { idOf } from "../crud/state.js";
import { findExisting } from "../crud/remote-object.js";
import { resolveReferences } from "../definition/references.js";
import { Session } from "../connection/session.js";
import { inside } from "./unmanaged.js";

/** An object by its type and what it is called, within what holds it. */
export interface NamedPart {
  readonly definition: Definition;
  readonly key: string;
}

interface Holder {
  readonly definition: Definition;
  readonly id: string;
  readonly outputs: Fields;
}

export class Lookup {
  private readonly session: Session;
  private readonly context: Context;

  constructor(connection: Connection, print?: (line: string) => void, debug?: (line: string) => void) {
    this.session = new Session(connection, { print, debug });
    this.context = this.session.context({});
  }

  /** Is the last of these there? Each stands in the one before it. @throws {ServiceError} when that cannot be read */
  async has(chain: readonly NamedPart[]): Promise<boolean> {
    let holder: Holder | undefined;
    for (const part of chain) {
      holder = await this.within(holder, part);
      if (holder === undefined) return false;
    }
    return true;
  }

  private async within(
    holder: Holder | undefined,
    { definition, key }: NamedPart,
  ): Promise<Holder | undefined> {
    const { context } = this;
    const { under, keyedBy } = definition.document!;
    const arg = holder === undefined ? undefined : under[holder.definition.type];
    const place = holder === undefined || typeof arg !== "string" ? {} : inside(definition, arg, holder);
    const named = { ...place, [keyedBy]: key };
    const state = await resolveReferences(definition.references, context, named).then(
      (ids) => ({ ...named, ...ids }),
      (error: unknown) => {
        // What it is called after (a member) is not there, and so it is not either.
        if (error instanceof ProviderError) return undefined;
        throw error;
      },
    );
    const [remote] = state === undefined ? [] : await findExisting({ definition, context, state });
    if (state === undefined || remote === undefined) return undefined;
    const outputs = withRemote(definition, state, remote);
    return { definition, id: idOf({ definition, context, state: outputs }), outputs };
  }

  close(): Promise<void> {
    return this.session.close();
  }
}
