/** Reads the state of a stack, and refuses one that a workspace file cannot have made, such as a state that names other code. */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  buildProviderText,
  findComponentType,
  parsePulumiType,
  type ProviderEngine,
} from "../../provider/index.js";
import { findLibraryRoot, PACKAGE_NAME } from "../../toolchain/locations.js";
import { hasFixedAddress, refuseSecretsProvider } from "../../trust/project.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";
import type { StackTarget } from "./missing-stack.js";
import { type PulumiProjectFolder, stackSettings } from "./project.js";
import { type PulumiCli, runPulumi } from "./pulumi.js";
import type { Deployment, StackLocation, StateEntry } from "./state.js";
import { findDamage } from "./state-integrity.js";
import { parseDeployment, readStateText } from "./state-store.js";

/** Notes which copy of the package runs when another one is installed nearer to the file. */
export function noteOtherCopy({ root }: PulumiProjectFolder, io: Port): void {
  let other: string;
  try {
    other = dirname(createRequire(join(root, "/")).resolve(`${PACKAGE_NAME}/package.json`));
  } catch {
    return;
  }
  if (realpathSync(other) === realpathSync(findLibraryRoot())) return;
  note(
    io,
    `${other} is not run: a workspace file is data, and workspacectl works on it with its own provider.`,
  );
}

/** The stack, and the providers of this package. A reference to another stack would be read with the credentials of the run. */
const BUILT_IN = /^pulumi:(pulumi:Stack$|providers:(pulumi(-nodejs)?|workspace-automation)$)/;

/**
 * Refuses a state that makes Pulumi run other code. The state names the code for each object, and may come with a checkout.
 * @param isOutside whether the backend of the state was named outside the checkout
 * @param mayBeMixed the operation is limited to this package's objects, so that no other code runs
 * @returns the engine of the objects in the state; undefined when there are none
 * @throws {AutomationError} when it contains anything but this package's objects, {TrustError} when it names a secrets provider with an address of
 * its own
 */
export async function refuseCodeInState(
  location: StackLocation & { name: string; cli: PulumiCli },
  isOutside: boolean,
  mayBeMixed: boolean = false,
): Promise<ProviderEngine | undefined> {
  const deployment = await readDeployment(location);
  const { resources = [], pending_operations: pending = [] } = deployment;
  if (!isOutside)
    refuseSecretsProvider(findSecretsProvider(deployment), `the state of stack ${location.name}`);
  const all = [...resources, ...pending.map(({ resource }) => resource)];
  const foreign = mayBeMixed ? undefined : all.find((one) => !isOurs(one));
  const found = new Set(all.flatMap(({ type }) => parsePulumiType(type)?.engine ?? []));
  if (foreign === undefined && found.size > 1)
    throw new AutomationError(
      `the state of stack ${location.name} mixes objects of both engines (dynamic providers and the plugin)`,
      'bring all to one of them with "workspacectl stack migrate --to plugin" (or dynamic)',
    );
  if (foreign === undefined) return [...found][0];
  if (findComponentType(foreign.type) !== undefined)
    throw new AutomationError(
      `the state of stack ${location.name} contains a component of a program (${foreign.type})`,
      `run the program that declares it (--program FOLDER), or remove only the component from the state, which keeps its objects: workspacectl pulumi -- state delete '${foreign.urn}' --stack ${location.name}`,
    );
  throw new AutomationError(
    `stack ${location.name} is that of another program: it contains an object of type ${foreign.type}, which is none of ${PACKAGE_NAME}. To read or delete it, code would run that only the state names, so nothing was done`,
    "Choose another stack for the workspace file with --stack, or use this one with its program (--program FOLDER, or plain pulumi)",
  );
}

function isOurs({ type, inputs = {}, outputs = {} }: StateEntry): boolean {
  if (BUILT_IN.test(type)) return true;
  const own = parsePulumiType(type);
  if (own === undefined || !/^\w+$/.test(own.type)) return false;
  if (own.engine === "plugin") return true;
  const text = buildProviderText(own.type);
  return [inputs, outputs].every(({ __provider: said }) => said === undefined || said === text);
}

/** @throws {AutomationError} when the state cannot be read */
export async function readDeployment(
  location: StackLocation & { name: string; cli: PulumiCli },
): Promise<Deployment> {
  const text = await readStateText(location, location.cli.env);
  if (text !== undefined) {
    const deployment = parseDeployment(text);
    const damage = deployment && findDamage(deployment);
    if (deployment !== undefined && damage === undefined) return deployment;
    throw new AutomationError(
      `the state of stack ${location.name} ${damage === undefined ? "cannot be read" : `is damaged: ${damage}`}; nothing was changed`,
      `run "workspacectl stack repair --stack ${location.name}" to see what can be restored`,
    );
  }
  const exported = await runPulumi(location.cli, ["stack", "export", "--stack", location.name]);
  return (JSON.parse(exported) as { deployment?: Deployment }).deployment ?? {};
}

/** Returns the secrets provider that a trusted state uses, if the settings of the stack specify one with an address of its own. */
export async function findProviderInState(
  { name, project, backend, cli }: StackTarget,
  location: StackLocation,
): Promise<string | undefined> {
  const { secretsprovider } = stackSettings(project, name);
  if (secretsprovider === undefined || hasFixedAddress(secretsprovider) || !backend.isOutside)
    return undefined;
  return readDeployment({ ...location, name, cli }).then(findSecretsProvider, () => undefined);
}

function findSecretsProvider({ secrets_providers: used }: Deployment): string | undefined {
  const { url } = (used as { readonly state?: { readonly url?: unknown } } | undefined)?.state ?? {};
  return typeof url === "string" ? url : undefined;
}
