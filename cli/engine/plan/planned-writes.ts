/** Collects what a plan permits: its operations from the events of the engine, and their arguments from the provider. */
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { PERMISSION_VARIABLE } from "../../../provider/adapters/permission-file.js";
import {
  PermittedOperations,
  PlannedArguments,
  type PermittedOperation,
} from "../../../provider/adapters/permitted-operations.js";
import { makeTemporaryFolder } from "../../temporary-folders.js";
import { writeFileAtomically } from "../../terminal/output.js";
import { findDefinitionAt, parseIdentity } from "../urn.js";

const KINDS: Readonly<Record<string, PermittedOperation["kind"]>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
};

export class PlannedWrites {
  readonly args = new PlannedArguments();
  private readonly operations: PermittedOperation[] = [];

  onEvent({ resOutputsEvent }: EngineEvent): void {
    if (resOutputsEvent === undefined) return;
    const { metadata } = resOutputsEvent;
    const kind = KINDS[metadata.op];
    if (kind === undefined || findDefinitionAt(metadata) === undefined) return;
    const { urn, old } = metadata;
    // The engine only forgets it.
    if (kind === "delete" && old?.retainOnDelete) return;
    const isReplaced = this.operations.some((one) => one.kind === "create" && one.urn === urn);
    this.operations.push({
      kind,
      type: parseIdentity(metadata).type,
      urn,
      ...(kind === "create" || old === undefined ? {} : { id: old.id }),
      ...(kind === "delete" && isReplaced ? { afterCreation: true } : {}),
    });
  }

  /** What a run of the plan may do in this process. */
  permit(): PermittedOperations {
    return new PermittedOperations(this.operations, this.args);
  }

  /** Passes the operations to the provider of a program, which runs in another process. @returns its variables */
  permitElsewhere(): Record<string, string> {
    const file = join(makeTemporaryFolder(), "permitted-operations.json");
    writeFileAtomically(file, JSON.stringify(this.operations), { named: true, mode: 0o600 });
    return { [PERMISSION_VARIABLE]: file };
  }
}
