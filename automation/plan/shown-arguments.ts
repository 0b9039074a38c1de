/** Picks the arguments of an object that a plan shows, and finds what changes in them. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { HIDDEN } from "../../diff/values.js";
import { type Fields, maskVersions } from "../../provider/index.js";
import { findDefinitionAt } from "../urn.js";
import {
  createChangeAt,
  listChangesBetween,
  listSecrets,
  type ObjectLabels,
  type PropertyChange,
} from "./property-changes.js";

/** The arguments of an object before and after an operation, for display: secrets masked, with names next to ids. */
export interface ShownArgs extends Sides {
  /** The same with ids alone, for programs. */
  readonly exact: Sides;
  /** The arguments of which one side shows what is next to its secrets. */
  readonly open: ReadonlySet<string>;
}

interface Sides {
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
}

/** Identifies the arguments of a step, or of an object that was changed outside. */
export function buildShownKey(
  { type, name }: { readonly type: string; readonly name: string },
  outside: boolean = false,
): string {
  return [outside ? "outside" : "step", type, name].join(" ");
}

export function listChanges(
  metadata: StepEventMetadata,
  { before, after, open }: ShownArgs,
): PropertyChange[] {
  const { op, new: fresh, diffs = [] } = metadata;
  const changes = listChangesBetween(before, after, open);
  if (op !== "update" && op !== "replace") return changes;
  const hidden = listSecrets(fresh?.inputs).filter((name) => !changes.some(({ parts }) => parts[0] === name));
  const named = hidden.filter((name) => diffs.includes(name));
  // Under plain Pulumi, nothing says which one it is.
  const secrets = named.length > 0 || changes.length > 0 || op !== "update" ? named : hidden;
  return [...changes, ...secrets.map((name) => createChangeAt([name], HIDDEN, HIDDEN))];
}

const NONE_OPEN: ReadonlySet<string> = new Set();

export function pickShownArgs(
  metadata: StepEventMetadata,
  labels: ObjectLabels,
  declared?: number,
): ShownArgs {
  const { op, old, new: fresh } = metadata;
  const definition = findDefinitionAt(metadata);
  const sides = [op === "create" ? undefined : old?.inputs, op === "delete" ? undefined : fresh?.inputs];
  const { versions, open } =
    definition === undefined
      ? { versions: sides, open: NONE_OPEN }
      : maskVersions(definition, sides, declared);
  const [before, after] = versions;
  const exact = { before, after };
  return { before: labels.in(definition, before), after: labels.in(definition, after), exact, open };
}

export function listOutsideChanges(
  metadata: StepEventMetadata,
  { before, after, open }: ShownArgs,
): PropertyChange[] {
  const changes = listChangesBetween(before, after, open);
  const shown = new Set(changes.map(({ parts }) => parts[0]));
  return [...changes, ...listSecretChanges(metadata).filter(({ parts }) => !shown.has(parts[0]))];
}

/** The secrets that differ, if the engine names them. Its events mask their values. */
function listSecretChanges({ old, new: fresh, diffs = [] }: StepEventMetadata): PropertyChange[] {
  const before = listSecrets(old?.inputs);
  const names = listSecrets(fresh?.inputs).filter((name) => before.includes(name) && diffs.includes(name));
  return names.map((name) => createChangeAt([name], HIDDEN, HIDDEN));
}
