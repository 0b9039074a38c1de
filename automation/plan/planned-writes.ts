/** Collects what a plan permits: its operations from the events of the engine, and their arguments from the provider. */
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import {
  PERMISSION_VARIABLE,
  type PermissionFile,
  PLANNED_VARIABLE,
  readNotes,
} from "../../provider/adapters/permission-file.js";
import {
  type PermittedAdoption,
  type PermittedOperation,
  PermittedOperations,
  type PermittedRemoval,
} from "../../provider/adapters/permitted-operations.js";
import { PlannedArguments } from "../../provider/adapters/planned-arguments.js";
import { writeFileAtomically } from "../config-files/write-file.js";
import { makeTemporaryFolder } from "../temporary-folders.js";
import { findDefinitionAt, parseIdentity } from "../urn.js";

const KINDS: Readonly<Record<string, PermittedOperation["kind"]>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
};

/** What a plan knows of a creation: the existing object that it adopts, or that there is none. */
export type PlannedAdoptions = ReadonlyMap<string, PermittedAdoption | null>;

/** Identifies an object among the adoptions of a plan. */
export function buildAdoptionKey({ type, name }: { readonly type: string; readonly name: string }): string {
  return `${type} ${name}`;
}

export class PlannedWrites {
  readonly args = new PlannedArguments();
  private readonly operations: PermittedOperation[] = [];
  /** URNs and ids of what is replaced by an object that is created first. */
  private readonly replaced = new Set<string>();
  private adoptions: PlannedAdoptions = new Map();
  private removals: readonly PermittedRemoval[] = [];
  private notes: string | undefined;

  onEvent({ resOutputsEvent }: EngineEvent): void {
    if (resOutputsEvent === undefined) return;
    const { metadata } = resOutputsEvent;
    const kind = KINDS[metadata.op];
    if (kind === undefined || findDefinitionAt(metadata) === undefined) return;
    const { urn, old } = metadata;
    // The engine only forgets it.
    if (kind === "delete" && old?.retainOnDelete) return;
    const key = `${urn} ${old?.id ?? ""}`;
    const isReplaced = this.replaced.has(key);
    if (kind === "create") this.replaced.add(key);
    this.operations.push({
      kind,
      type: parseIdentity(metadata).type,
      urn,
      ...(kind === "create" || old === undefined ? {} : { id: old.id }),
      ...(kind === "delete" && isReplaced ? { afterCreation: true } : {}),
    });
  }

  /** Notes what only the checks of the plan have read. */
  complete(found: {
    readonly adoptions: PlannedAdoptions;
    readonly removals: readonly PermittedRemoval[];
  }): void {
    this.adoptions = found.adoptions;
    this.removals = found.removals;
  }

  /** What a run of the plan may do in this process. */
  permit(): PermittedOperations {
    return new PermittedOperations(this.listOperations(), this.args, this.removals);
  }

  /** Lets a preview of a program note its arguments, whose provider runs in another process. @returns its variables */
  planElsewhere(): Record<string, string> {
    this.notes = writePrivately("planned-arguments", `${this.args.firstLine}\n`);
    return { [PLANNED_VARIABLE]: this.notes };
  }

  /** Passes what is permitted to the provider of a program. @returns its variables */
  permitElsewhere(): Record<string, string> {
    const file: PermissionFile = {
      operations: this.listOperations(),
      removals: this.removals,
      planned: this.notes === undefined ? this.args.firstLine : readNotes(this.notes),
    };
    return { [PERMISSION_VARIABLE]: writePrivately("permitted-operations.json", JSON.stringify(file)) };
  }

  private listOperations(): PermittedOperation[] {
    return this.operations.map((one) => {
      if (one.kind !== "create") return one;
      const adopts = this.adoptions.get(buildAdoptionKey(parseIdentity(one)));
      return adopts === undefined ? one : { ...one, adopts };
    });
  }
}

function writePrivately(name: string, text: string): string {
  const file = join(makeTemporaryFolder(), name);
  writeFileAtomically(file, text, { named: true, mode: 0o600 });
  return file;
}
