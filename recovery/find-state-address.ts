/** Finds the place of a state as the CLI of plain Pulumi does, because nothing tells it to a provider. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makeAddressAbsolute } from "../trust/backend.js";
import { takeProjectSettings } from "../trust/project.js";
import { StateAddress } from "../trust/state-address.js";
import { listNamesIn } from "./stores.js";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The address of the environment, else that of the project, else that of the login. Pulumi takes relative folders from where it was started,
 * which is the project's folder as a rule.
 * @param folder the folder of the program
 */
export async function findStateAddress(
  env: Env,
  folder: string = process.cwd(),
): Promise<StateAddress | undefined> {
  const file = findProjectFile(folder);
  const named =
    StateAddress.in(env["PULUMI_BACKEND_URL"]) ??
    (file === undefined ? undefined : await readAddressIn(file)) ??
    loginAddress(env);
  return named && makeAddressAbsolute(named, file === undefined ? folder : dirname(file));
}

/** Pulumi takes the first file of the folder by its name. */
function findProjectFile(folder: string): string | undefined {
  const [name] = listNamesIn(folder)
    .filter((one) => /^Pulumi\.(json|ya?ml)$/.test(one))
    .toSorted();
  if (name !== undefined) return join(folder, name);
  return folder === dirname(folder) ? undefined : findProjectFile(dirname(folder));
}

async function readAddressIn(file: string): Promise<StateAddress | undefined> {
  const { default: yaml } = await import("yaml");
  return takeProjectSettings(yaml.parse(readFileSync(file, "utf8"))).backendUrl;
}

function loginAddress(env: Env): StateAddress | undefined {
  const folder = env["PULUMI_CREDENTIALS_PATH"] || env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  try {
    const text = readFileSync(join(folder, "credentials.json"), "utf8");
    return StateAddress.in((JSON.parse(text) as { current?: string }).current);
  } catch {
    return undefined;
  }
}
