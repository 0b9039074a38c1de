/**
 * Under plain Pulumi nothing checks a plan before it is carried out, and a project's protection prevents its own deletion
 * only after everything in it was deleted. So the provider notes in which protected objects a run still declares
 * something, and deletes nothing in an object that the run does not mention.
 */
import type { Definition, Fields } from "../definition/definition.js";
import { ProviderError } from "../errors.js";

/** Names of the objects whose contents may still be deleted, separated by commas; `*` for all. */
export const DELETE_VARIABLE = "WORKSPACE_AUTOMATION_DELETE_PROJECTS";

export class Mentioned {
  private readonly names = new Set<string>();
  /** A run that checks nothing has no program: `pulumi destroy` means everything. */
  private declares = false;

  /** @param holders definitions of types whose objects are protected by default */
  constructor(
    private readonly holders: readonly Definition[],
    private readonly env: Readonly<Record<string, string | undefined>> = process.env,
  ) {}

  /** Notes a declared object: it and its parents stay, under the old name and the new one. */
  note(definition: Definition, ...all: readonly Fields[]): void {
    this.declares = true;
    for (const fields of all) {
      const { state } = definition.identity;
      if (definition.protect)
        this.add(definition, fields[state], ...definition.naturalKey.map((n) => fields[n]));
      for (const { holder, name } of this.holdersIn(definition, fields)) this.add(holder, name);
    }
  }

  /** @throws {ProviderError} when the run would empty the object's parent and declares nothing else in it */
  refuseDeletion(definition: Definition, state: Fields): void {
    if (!this.declares || definition.protect) return;
    const allowed = (this.env[DELETE_VARIABLE] ?? "").split(",").map((name) => name.trim());
    if (allowed.includes("*")) return;
    const lost = this.holdersIn(definition, state).find(
      ({ holder, name }) => !allowed.includes(name) && !this.names.has(keyOf(holder, name)),
    );
    if (lost === undefined) return;
    throw new ProviderError(
      "refused",
      `${definition.noun} in ${lost.holder.noun} "${lost.name}" is not deleted: the program declares nothing of that ` +
        `${lost.holder.noun} any more, which may be an accident. Declare it again; or, if all in it is to go, set ` +
        `${DELETE_VARIABLE}=${lost.name} (after "pulumi state unprotect" of the ${lost.holder.noun}), or use ` +
        `"workspacectl up --delete-project ${lost.name}"`,
    );
  }

  private add(holder: Definition, ...names: readonly unknown[]): void {
    for (const name of names) if (typeof name === "string") this.names.add(keyOf(holder, name));
  }

  private holdersIn({ references }: Definition, fields: Fields): { holder: Definition; name: string }[] {
    return Object.entries(references).flatMap(([arg, { to }]) => {
      const holder = this.holders.find(({ type }) => type === to);
      const name = fields[arg];
      return holder && typeof name === "string" ? [{ holder, name }] : [];
    });
  }
}

const keyOf = ({ type }: Definition, name: string) => `${type} ${name}`;
