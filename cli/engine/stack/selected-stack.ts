/** The selected stack: Pulumi keeps the selection in the user's own folder, by project. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getPulumiHome, type Backend } from "./backend.js";
import type { PulumiProjectFolder } from "./project.js";

type Project = Pick<PulumiProjectFolder, "root" | "name">;

interface Selection {
  /** The form of older releases. */
  readonly stack?: string;
  /** By address of the backend. */
  readonly stacks?: Readonly<Record<string, string>>;
}

/** Returns the stack that `stack select` names. */
export function findSelectedStack(
  project: Project,
  backend: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const { stack, stacks = {} } = readSelection(project, env);
  const selected = stacks[backend.url] ?? stack;
  if (!selected) return undefined;
  // Pulumi writes its own form of a name for backends that have no organizations.
  const own = `organization/${project.name}/`;
  return selected.startsWith(own) ? selected.slice(own.length) : selected;
}

/** Selects a stack, so that plain `pulumi` uses it too. */
export async function selectStack(
  project: Project,
  backend: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
  stack: string,
): Promise<void> {
  const file = locateSelectionFile(project, env);
  const before = readSelection(project, env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const selection: Selection = { ...before, stacks: { ...before.stacks, [backend.url]: stack } };
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(file, `${JSON.stringify(selection, null, 4)}\n`, { mode: 0o600 });
}

/** Ends the selection of a stack that was removed. */
export async function deselectStack(
  project: Project,
  backend: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
  stack: string,
): Promise<void> {
  if (findSelectedStack(project, backend, env) === stack) await selectStack(project, backend, env, "");
}

function readSelection(project: Project, env: NodeJS.ProcessEnv): Selection {
  const file = locateSelectionFile(project, env);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Selection;
  } catch {
    return {};
  }
}

/** Pulumi names the file by the project and a digest of the path of its Pulumi.yaml. */
function locateSelectionFile({ root, name }: Project, env: NodeJS.ProcessEnv): string {
  const digest = createHash("sha1").update(join(root, "Pulumi.yaml")).digest("hex");
  return join(getPulumiHome(env), "workspaces", `${name}-${digest}-workspace.json`);
}
