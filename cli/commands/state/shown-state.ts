/** Reads the state of a stack for people: its objects and outputs, with what is secret masked. */
import type { StackWords } from "../../../automation/next-command.js";
import { pickDeclared } from "../../../automation/plan/property-changes.js";
import { GUARDS_OUTPUT } from "../../../automation/policy/guards/record.js";
import { createMissingStackError, stackExists, stackNames } from "../../../automation/stack/missing-stack.js";
import { runPulumi } from "../../../automation/stack/pulumi.js";
import { openPulumi } from "../../../automation/stack/pulumi-project.js";
import { noteUnsettled } from "../../../automation/stack/recovery.js";
import {
  type Deployment,
  findOutputsOfStack,
  isManaged,
  type StateEntry,
} from "../../../automation/stack/state.js";
import { compareByName, findDefinitionAt, isObject, parseResourceType } from "../../../automation/urn.js";
import { parseLogicalName } from "../../../components/urn.js";
import { type Fields, maskArgs } from "../../../provider/index.js";
import type { Io } from "../../../reports/io.js";

/** An object as its state shows it. */
export interface ShownObject {
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly isProtected: boolean;
  readonly args: Fields;
  /** What only the service knew: without the arguments. */
  readonly outputs: Fields;
}

interface ShownState {
  readonly stack: string;
  readonly objects: readonly ShownObject[];
  /** The outputs of a program. */
  readonly program: Fields;
}

/** @throws {AutomationError} when the stack does not exist */
export async function readShownState(
  options: Pick<StackWords, "file" | "stack">,
  io: Io,
): Promise<ShownState> {
  const { cli, stack, location, target } = await openPulumi(options, { secrets: true }, io);
  if (!(await stackExists(target)))
    throw await createMissingStackError(target, await stackNames(cli), options);
  await noteUnsettled(location, cli, options, io);
  const text = await runPulumi(cli, ["stack", "export", "--stack", stack]);
  const { deployment = {} } = JSON.parse(text) as { readonly deployment?: Deployment };
  const { [GUARDS_OUTPUT]: _, ...program } = findOutputsOfStack(deployment);
  const { resources = [] } = deployment;
  const objects = resources.filter((one) => isManaged(one) && one.delete !== true && isObject(one));
  return { stack, objects: objects.map(toShown).toSorted(compareByName), program };
}

function toShown(entry: StateEntry): ShownObject {
  const { urn, type, id = "", protect, inputs = {}, outputs = {} } = entry;
  const definition = findDefinitionAt(entry);
  const all = pickDeclared({ ...inputs, ...outputs });
  const shown = definition === undefined ? all : maskArgs(definition, all);
  const isArgument = (name: string) => Object.hasOwn(inputs, name);
  const isOutput = (name: string) =>
    !isArgument(name) && (definition === undefined || Object.hasOwn(definition.outputs, name));
  const pick = (is: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(shown).filter(([name, value]) => is(name) && value !== null));
  return {
    name: parseLogicalName(urn),
    type: parseResourceType(type),
    id,
    isProtected: protect === true,
    args: pick(isArgument),
    outputs: pick(isOutput),
  };
}
