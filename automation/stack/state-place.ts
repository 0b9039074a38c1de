/** Records where the state is: in Pulumi.yaml for everybody, and among the logins of the user who has named it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { findCheckouts } from "../../trust/checkout.js";
import { readText } from "../../trust/checkout-files.js";
import { makeFolder, writeFile } from "../../trust/output-files.js";
import { refuseInRepository } from "../../trust/programs.js";
import type { StateAddress } from "../../trust/state-address.js";
import { note, type Port } from "../port.js";
import { findBackend, loginFolder } from "./backend.js";
import { findProject, locateProjectFile } from "./project.js";
import { listStacksAt } from "./state-store.js";

interface NewProject {
  /** The project's name, unless the stack has a state by the name that it has without a Pulumi.yaml. */
  readonly name: string;
  readonly stack: string | undefined;
}

/**
 * Writes the address of the state into Pulumi.yaml, unless a file of the checkout names it, or it is our own folder: the next shell and
 * the next clone find the same state.
 * @param named where there is no Pulumi.yaml yet
 * @returns the written file
 */
export async function recordStatePlace(
  workspaceFile: string,
  named: NewProject,
  io: Port,
): Promise<string | undefined> {
  const project = findProject(workspaceFile);
  const { url, isOwn } = findBackend(project, io.env);
  if (isOwn || project.settings.backendUrl !== undefined) return undefined;
  if (url.whole !== String(url)) {
    note(
      io,
      `The address of the state is not written into Pulumi.yaml, because a part of it may be a password: set PULUMI_BACKEND_URL in each shell.`,
    );
    return undefined;
  }
  const folder = project.own ? dirname(project.root) : project.root;
  const file = locateProjectFile(folder);
  const document = parseDocument(existsSync(file) ? readText(file) : "");
  if (project.own) {
    const existing = await listStacksAt({ backendUrl: url, project: project.name }, io.env);
    const isThere = named.stack !== undefined && existing?.includes(named.stack);
    document.set("name", isThere ? project.name : suggestProjectName(named.name));
    document.set("runtime", "nodejs");
  }
  document.setIn(["backend", "url"], url.whole);
  writeFile(
    file,
    file.endsWith(".json") ? `${JSON.stringify(document.toJS(), null, 2)}\n` : String(document),
  );
  rememberPlace(url, io);
  return file;
}

/** Whether the state is in our own folder next to the workspace file: a commit does not contain it. */
export function isOnlyHere(workspaceFile: string, { env }: Port): boolean {
  return findBackend(findProject(workspaceFile), env).isOwn;
}

/** A name of a project that Pulumi accepts. */
export function suggestProjectName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
  return plain.replace(/^-+|-+$/g, "") || "workspace";
}

/** Adds an address that the user has named to Pulumi's logins, as `pulumi login` would. The current login stays. */
export function rememberPlace(url: StateAddress, { env }: Port): void {
  if (url.whole !== String(url) || url.isOfService) return;
  const file = join(loginFolder(env), "credentials.json");
  try {
    refuseInRepository("Pulumi's credentials file", file, findCheckouts(process.cwd()), "");
    const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Logins) : {};
    if (before.accounts?.[url.whole] !== undefined) return;
    const after = { ...before, accounts: { ...before.accounts, [url.whole]: {} } };
    makeFolder(dirname(file), { named: true, mode: 0o700 });
    writeFile(file, `${JSON.stringify(after, null, 4)}\n`, { named: true, mode: 0o600 });
  } catch {
    // A home that cannot be written, or lies in a checkout: the next shell asks for a login.
  }
}

interface Logins {
  readonly accounts?: Readonly<Record<string, object>>;
}
