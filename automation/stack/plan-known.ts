/** Finds out whether a plan needs the engine. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Fields, Rename } from "../../provider/index.js";
import type { FileProgram } from "../host/file-program.js";
import type { NewStack } from "../host/known-plans.js";
import type { Attachment } from "../host/provider-environment.js";
import { type Asked, asksOnlyForDifferences } from "../unchanged/answerable-operations.js";
import { readPassphrase } from "./passphrase.js";
import type { PulumiCli } from "./pulumi.js";
import { parseDeployment, readStateText } from "./state-store.js";

/** What is known of a stack before an operation. */
interface StackFacts {
  /** Its name. */
  readonly stack: string;
  readonly cli: PulumiCli;
  readonly program: FileProgram | undefined;
  readonly unmade: NewStack | undefined;
  /** Whether it has a configuration, or may have one. */
  readonly isConfigured: boolean;
  /** Renames that the provider follows. */
  readonly renames: readonly Rename[];
  /** Outputs that the program registers. */
  readonly outputs: Fields | undefined;
  /** Settles when the connection has been checked. */
  readonly ready: () => Promise<void>;
}

/** The events of a plan that needs no engine; undefined where only the engine knows it. */
export async function planKnown(
  { stack, cli, program, unmade, isConfigured, renames, outputs, ready }: StackFacts,
  operation: Asked & { readonly fromState?: boolean | undefined },
  attachment: Attachment,
): Promise<readonly EngineEvent[] | undefined> {
  const { command, plan, selection, fromState } = operation;
  const { location } = cli;
  if (program === undefined || plan !== undefined || selection !== undefined) return undefined;
  if (command === "preview" && unmade !== undefined) {
    const { planCreations } = await import("../host/known-plans.js");
    return planCreations(program, attachment, unmade);
  }
  if (location === undefined) return undefined;
  if (command === "previewDestroy" && fromState) {
    const { planDeletions } = await import("../host/known-plans.js");
    const deployment = parseDeployment(await readStateText(location, attachment.env));
    return deployment && planDeletions(deployment);
  }
  if (isConfigured || renames.length > 0 || !asksOnlyForDifferences(operation, attachment.env))
    return undefined;
  const { findUnchanged } = await import("../unchanged/find-unchanged.js");
  const passphrase = () => readPassphrase(cli);
  return findUnchanged({ stack, location, program, attachment, outputs, passphrase, ready });
}
