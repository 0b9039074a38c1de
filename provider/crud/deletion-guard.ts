/**
 * Protects the contents of protected objects under plain Pulumi, which checks no plan: a project's own protection only
 * takes effect after everything in it was deleted. So the provider notes in which protected objects a run declares
 * something, and deletes nothing in the others.
 */
import type { Definition, Fields } from "../definition/definition.js";
import { ProviderError } from "../errors.js";

/** Names of the objects whose contents may be deleted, separated by commas; `*` for all. */
export const DELETE_VARIABLE = "WORKSPACE_AUTOMATION_DELETE_PROJECTS";

export class Mentioned {
  private readonly names = new Set<string>();
  /** Whether the run has a program. Without one (`pulumi destroy`), everything may be deleted. */
  private declares = false;

  /** @param holders definitions of types whose objects are protected by default */
  constructor(
    private readonly holders: readonly Definition[],
    private readonly env: Readonly<Record<string, string | undefined>> = process.env,
  ) {}

  /** Notes a declared object and its parents, by their old and new names. */
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
      `${definition.noun} in ${lost.holder.noun} "${lost.name}" is not deleted: the program declares nothing in that ` +
        `${lost.holder.noun} any more, which may be a mistake. Declare it again; or, to delete everything in it, set ` +
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
