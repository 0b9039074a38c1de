/** Applies the steps of a journal to a state, with the result that the engine would have written. */
import { randomUUID } from "node:crypto";
import type { Deployment, StateEntry } from "../stack/state.js";
import type { Header, Line, RegisteredOptions } from "./journal-file.js";

export interface State {
  readonly deployment: Deployment;
}

/** Numbers of objects that the steps created, changed and deleted. */
export interface Counts {
  created: number;
  updated: number;
  deleted: number;
}

const PROVIDER_TYPE = "pulumi:providers:pulumi-nodejs";

/**
 * The state must be the one at the start of the run. If it contained some of the steps, replaced objects would be counted twice.
 * @returns the state, and the objects whose creation has no response, because `pulumi stack import` takes no pending operations
 */
export function replayed(
  state: State,
  { salt }: Partial<Pick<Header, "salt">>,
  lines: readonly Line[],
): { readonly state: State; readonly counts: Counts; readonly pending: readonly StateEntry[] } {
  const { deployment } = state;
  const replay = new Replay(deployment.resources ?? []);
  for (const line of lines) replay.apply(line);
  const pending = [...replay.pending.values()];
  const others = deployment.pending_operations?.filter(({ resource }) => !replay.pending.has(resource.urn));
  const whole = {
    ...deployment,
    ...(deployment.secrets_providers || salt === undefined
      ? {}
      : { secrets_providers: { type: "passphrase", state: { salt } } }),
    resources: inOrder(replay.resources),
    ...(others ? { pending_operations: others } : {}),
  };
  return { state: { ...state, deployment: whole }, counts: replay.counts, pending };
}

class Replay {
  /** Objects whose creation has no response, by URN. */
  readonly pending = new Map<string, StateEntry>();
  readonly counts: Counts = { created: 0, updated: 0, deleted: 0 };
  private readonly renamed = new Map<string, string>();

  constructor(public resources: readonly StateEntry[]) {}

  apply(line: Line): void {
    const { urn, at, registered } = line;
    if (registered) this.rename(registered.formerly, urn);
    switch (line.op) {
      case "creating": {
        const said = { ...statedBy(registered), provider: this.providerFor(urn, registered) };
        this.pending.set(urn, { urn, custom: true, type: typeOf(urn), inputs: line.inputs, ...said });
        break;
      }
      case "created": {
        const { id, outputs, errors } = line;
        const begun = this.pending.get(urn) ?? { urn, custom: true, type: typeOf(urn) };
        this.pending.delete(urn);
        this.resources = [
          ...this.resources.flatMap((one) => withoutReplaced(one, urn, id)),
          { ...begun, id, outputs, created: at, modified: at, ...initErrors(errors) },
        ];
        this.counts.created++;
        break;
      }
      case "failed":
        this.pending.delete(urn);
        break;
      case "updated": {
        const { id, inputs, outputs, errors } = line;
        const changed = { inputs, outputs, modified: at, ...statedBy(registered), ...initErrors(errors) };
        this.change((one) => one.urn === urn && one.id === id, changed);
        this.counts.updated++;
        break;
      }
      case "deleted": {
        const gone = this.find(urn, line.id) ?? this.find(this.renamed.get(urn) ?? urn, line.id);
        this.resources = this.resources.filter((one) => one !== gone);
        this.counts.deleted++;
        break;
      }
      case "registered":
        this.change((one) => one.urn === urn, statedBy(registered));
        break;
    }
  }

  private change(isIt: (one: StateEntry) => boolean, fields: Partial<StateEntry>): void {
    this.resources = this.resources.map((one) => (isIt(one) && !one.delete ? { ...one, ...fields } : one));
  }

  /** Lists objects to delete before the others. */
  private find(urn: string, id: string): StateEntry | undefined {
    const found = this.resources.filter((one) => one.urn === urn && one.id === id);
    return found.find((one) => one.delete) ?? found[0];
  }

  /** Prefers an object with the new URN to those with former ones, as the engine does. */
  private rename(formerly: readonly string[], urn: string): void {
    const has = (wanted: string) => this.resources.some((one) => one.urn === wanted && !one.delete);
    const from = has(urn) ? undefined : formerly.find(has);
    if (from === undefined) return;
    this.renamed.set(from, urn);
    const renamed = (one: string) => (one === from ? urn : one);
    this.resources = this.resources.map((one) => ({
      ...withReferences(one, (to) => [renamed(to)]),
      urn: renamed(one.urn),
    }));
  }

  /** Adds the default provider and the stack's own object, which the engine creates by itself. */
  private providerFor(urn: string, registered: RegisteredOptions | undefined): string {
    const parent = registered?.parent;
    if (parent !== undefined && !this.resources.some((one) => one.urn === parent))
      this.resources = [{ urn: parent, custom: false, type: typeOf(parent) }, ...this.resources];
    const own = `${urn.split("::").slice(0, 2).join("::")}::${PROVIDER_TYPE}::default`;
    let provider = this.resources.find((one) => one.urn === own && !one.delete);
    if (provider === undefined) {
      provider = { urn: own, custom: true, id: randomUUID(), type: PROVIDER_TYPE };
      this.resources = [...this.resources, provider];
    }
    return `${provider.urn}::${provider.id ?? ""}`;
  }
}

/** The type in a URN of an object whose parent is the stack. */
function typeOf(urn: string): string {
  return urn.split("::")[2] ?? "";
}

function statedBy(registered: RegisteredOptions | undefined): Partial<StateEntry> {
  if (registered === undefined) return {};
  const { parent, dependencies, propertyDependencies, protect, retainOnDelete, ignoreChanges } = registered;
  return { parent, dependencies, propertyDependencies, protect, retainOnDelete, ignoreChanges };
}

/** Removes the earlier value if there is no new one. */
function initErrors(errors: readonly string[] | undefined): Partial<StateEntry> {
  return { initErrors: errors };
}

/** Handles a replaced object: it is already deleted, the same one, or still to be deleted. */
function withoutReplaced(one: StateEntry, urn: string, id: string): StateEntry[] {
  if (one.urn !== urn || one.delete) return [one];
  return one.id === id || one.pendingReplacement ? [] : [{ ...one, delete: true }];
}

/** Changes the references of an object; undefined removes one. */
function withReferences(one: StateEntry, change: (urn: string) => readonly string[]): StateEntry {
  const { parent, dependencies, propertyDependencies, deletedWith } = one;
  const all = (urns: readonly string[] | null) => (urns ?? []).flatMap(change);
  return {
    ...one,
    ...(parent === undefined ? {} : { parent: change(parent)[0] }),
    ...(deletedWith === undefined ? {} : { deletedWith: change(deletedWith)[0] }),
    ...(dependencies === undefined ? {} : { dependencies: all(dependencies) }),
    ...(propertyDependencies === undefined
      ? {}
      : {
          propertyDependencies: Object.fromEntries(
            Object.entries(propertyDependencies).map(([name, urns]) => [name, all(urns)]),
          ),
        }),
  };
}

/** Sorts objects after those that they refer to and drops references to missing ones, because the engine accepts no other state. */
function inOrder(resources: readonly StateEntry[]): StateEntry[] {
  const byUrn = new Map<string, StateEntry[]>();
  for (const one of resources) byUrn.set(one.urn, [...(byUrn.get(one.urn) ?? []), one]);
  const ordered: StateEntry[] = [];
  const visited = new Set<StateEntry>();
  const visit = (one: StateEntry): void => {
    if (visited.has(one)) return;
    visited.add(one);
    for (const urn of referredBy(one)) for (const other of byUrn.get(urn) ?? []) visit(other);
    ordered.push(withReferences(one, (urn) => (byUrn.has(urn) ? [urn] : [])));
  };
  for (const one of resources) visit(one);
  return ordered;
}

function referredBy({
  parent,
  provider,
  dependencies = [],
  propertyDependencies = {},
  deletedWith,
}: StateEntry): string[] {
  const named = Object.values(propertyDependencies).flatMap((urns) => urns ?? []);
  const providerUrn = provider?.slice(0, provider.lastIndexOf("::"));
  return [parent, providerUrn, deletedWith, ...dependencies, ...named].filter((urn) => urn !== undefined);
}
