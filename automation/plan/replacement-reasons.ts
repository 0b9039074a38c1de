/** Explains why an object is replaced, also where no visible property differs. */
import type { OpType, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import type { Definition } from "../../provider/index.js";
import { nameReplaced, parseIdAtService } from "../urn.js";
import { listSecrets, type PropertyChange } from "./property-changes.js";

/** Why an object is replaced. */
export interface Reason {
  /** The property that forces it; absent when the reason is another object. */
  readonly property?: string;
  readonly text: string;
}

/** Another object that is replaced in the same plan. */
export interface Replaced {
  readonly type: string;
  readonly name: string;
  readonly metadata: StepEventMetadata;
}

/** Returns at least one reason, whatever the engine reports. */
export function listReasons(
  definition: Definition | undefined,
  metadata: StepEventMetadata,
  changes: readonly PropertyChange[],
  replaced: readonly Replaced[],
): Reason[] {
  const keys = (metadata.keys ?? []).filter((key) => !Object.hasOwn(DECIDED_BY_ENGINE, key));
  const decided = (metadata.keys ?? []).flatMap((key) => DECIDED_BY_ENGINE[key] ?? []);
  if (decided.length > 0 && keys.length === 0) return decided.map((text) => ({ text }));
  const reasons = keys.map((property) => ({
    property,
    text: explainProperty(property, definition, metadata, changes, replaced),
  }));
  if (reasons.length > 0) return reasons;
  const parents = Object.keys(definition?.references ?? {}).flatMap((property) => {
    const parent = findReplacedParent(property, definition, metadata, replaced);
    return parent === undefined ? [] : [{ property, text: isReplaced(property, parent) }];
  });
  if (parents.length > 0) return parents;
  return [{ text: "its replacementTrigger changes, or something that it depends on is replaced" }];
}

/** Replacements that the engine decides without asking for a diff, by the key that it names. */
const DECIDED_BY_ENGINE: Readonly<Record<string, string>> = {
  id: "Pulumi was asked to replace it (state taint, or --replace)",
  replaceWith: "an object in its replaceWith is replaced",
  deletedWith: "the object in its deletedWith is replaced",
  provider: "its provider is another one",
};

/** Explains why a change of this path forces the replacement; undefined when it does not. */
export function findForcing(path: string, reasons: readonly Reason[]): string | undefined {
  const found = reasons.find(({ property }) => property !== undefined && isAtOrBelow(path, property));
  if (found === undefined) return undefined;
  // The line itself already shows that it changes.
  return found.text === formatChanged(found.property) ? "forces the replacement" : formatForced(found);
}

/** Formats a reason as a line of its own. */
export const formatForced = ({ text }: Reason) => `forces the replacement: ${text}`;

/** Returns the reasons that no line of a changed property shows. */
export function listReasonsWithoutChange(
  reasons: readonly Reason[],
  changes: readonly PropertyChange[],
): Reason[] {
  return reasons.filter(
    ({ property }) => property === undefined || !changes.some(({ path }) => isAtOrBelow(path, property)),
  );
}

function explainProperty(
  property: string,
  definition: Definition | undefined,
  metadata: StepEventMetadata,
  changes: readonly PropertyChange[],
  replaced: readonly Replaced[],
): string {
  const parent = findReplacedParent(property, definition, metadata, replaced);
  if (parent !== undefined) return isReplaced(property, parent);
  if (changes.some(({ path }) => isAtOrBelow(path, property))) return formatChanged(property);
  const identity = definition?.references[property]?.identity;
  if (identity !== undefined && changes.some(({ path }) => path === identity))
    return `${property} is another ${definition?.references[property]?.to ?? "object"} now`;
  const secret = listSecrets(metadata.new?.inputs).includes(property);
  return secret
    ? `${property} changes (its value is secret)`
    : `${property} differs from what the object was created with`;
}

const formatChanged = (property: string | undefined) => `${property ?? ""} changes`;

const isReplaced = (property: string, { type, name }: Replaced) =>
  `${property} is replaced (${type} ${name})`;

/** Finds the object that a property refers to, if it is replaced too. */
function findReplacedParent(
  property: string,
  definition: Definition | undefined,
  { old }: StepEventMetadata,
  replaced: readonly Replaced[],
): Replaced | undefined {
  const reference = definition?.references[property];
  if (reference === undefined || old === undefined) return undefined;
  const { to, identity, idOutput } = reference;
  return replaced.find(({ type, metadata: { old: other } }) => {
    if (type !== to || other === undefined) return false;
    if (identity !== undefined && old.inputs[identity] !== undefined)
      return old.inputs[identity] === other.id;
    if (reference.property !== undefined && other.inputs[reference.property] === old.inputs[property])
      return true;
    const last = parseIdAtService(other.id);
    return String(idOutput === undefined ? old.inputs[property] : old.outputs[idOutput]) === last;
  });
}

function isAtOrBelow(path: string, property: string): boolean {
  return path === property || (path.startsWith(property) && /^[.[]/.test(path.slice(property.length)));
}

/** Operations that precede the deletion of what is replaced. The engine marks that with the first of them. */
const REPLACING: readonly OpType[] = ["create-replacement", "replace"];

/**
 * What an earlier run has replaced and could not delete has the URN of its successor, so it gets a name of its own. The engine deletes it
 * with the next update.
 * @param replaced what this run replaces, which it deletes as a part of that
 */
export function withOwnName(metadata: StepEventMetadata, replaced: readonly Replaced[]): StepEventMetadata {
  const { op, urn, old, new: fresh } = metadata;
  const isOfThisRun =
    REPLACING.includes(op) ||
    replaced.some((one) => one.metadata.urn === urn && one.metadata.old?.id === old?.id);
  if (old?.delete !== true || isOfThisRun) return metadata;
  const own = nameReplaced(urn, old.id);
  return {
    ...metadata,
    op: op === "delete-replaced" ? "delete" : op,
    urn: own,
    old: { ...old, urn: own },
    ...(fresh ? { new: { ...fresh, urn: own } } : {}),
  };
}
