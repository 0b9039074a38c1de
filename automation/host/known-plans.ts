/**
 * Plans that are known without the engine: a new stack creates all that its file declares, and a destroy deletes all that is in the state. They
 * are events as the engine sends them, so whatever reads a plan reads these too. Any doubt is left to the engine.
 */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { registerAll } from "../../components/register.js";
import { buildStackUrn, buildUrn } from "../../components/urn.js";
import type { Deployment, StateEntry } from "../stack/state.js";
import { findDefinitionAt, isObject } from "../urn.js";
import { startProvider } from "./attached.js";
import { createEvent } from "./engine-event.js";
import type { FileProgram } from "./file-program.js";
import { type Attachment, createProviderEnvironment } from "./provider-environment.js";

/** A stack that does not exist yet, and has no configuration. */
export interface NewStack {
  readonly project: string;
  readonly stack: string;
}

/** Plans by the code that the engine would ask. @returns undefined where the engine may say something else */
export async function planCreations(
  program: FileProgram,
  attachment: Attachment,
  { project, stack }: NewStack,
): Promise<readonly EngineEvent[] | undefined> {
  const provider = await startProvider(program, createProviderEnvironment(program, attachment));
  const parent = buildStackUrn(project, stack);
  const events: EngineEvent[] = [];
  const register: Parameters<typeof registerAll>[1]["register"] = async ({ type, name, ...registration }) => {
    const urn = buildUrn(project, stack, type, name);
    const { inputs, outputs } = await provider.planCreation(urn, registration.inputs);
    const options = {
      ...(registration.protect ? { protect: true } : {}),
      ...(registration.retain ? { retainOnDelete: true } : {}),
    };
    const created = { type, urn, custom: true, id: "", parent, ...options, inputs, outputs };
    events.push(createEvent({ op: "create", type, urn, new: created }));
    return { urn, outputs, isPartial: true };
  };
  try {
    provider.run.configure(() => undefined);
    const declarations = program.declare({ stack, config: () => undefined });
    for (const { name, asWritten } of declarations) attachment.open?.add("declared", name, asWritten);
    const options = { engine: program.engine, parallel: 0 };
    return (await registerAll(declarations, { register }, parent, options)) ? events : undefined;
  } catch {
    // The engine finds it, too, and reports it with all else that is wrong.
    return undefined;
  } finally {
    provider.close(true);
  }
}

/** What a state says of an object on whose deletion nothing else has a bearing. */
const PLAIN = new Set(
  (
    "urn type custom id inputs outputs parent provider dependencies propertyDependencies created modified " +
    "ignoreChanges protect"
  ).split(" "),
);

/** @returns undefined where an object is protected, kept, half done or not this package's */
export function planDeletions({
  resources = [],
  pending_operations: pending = [],
}: Deployment): readonly EngineEvent[] | undefined {
  const isPlain = (one: StateEntry) =>
    !one.protect &&
    Object.keys(one).every((name) => PLAIN.has(name)) &&
    (!isObject(one) || findDefinitionAt(one) !== undefined);
  if (pending.length > 0 || !resources.every(isPlain)) return undefined;
  return resources
    .toReversed()
    .map((old) => createEvent({ op: "delete", type: old.type, urn: old.urn, old }));
}
