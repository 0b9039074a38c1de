/** Names beside the numbers by which objects refer to each other: `12` says nothing, `Build (12)` does. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { mapReferences, maskArgs, type Definition, type Fields } from "../../../provider/index.js";

/** The names of all objects that the engine told of. */
export class Labels {
  private readonly names = new Map<string, Map<string, string>>();

  note({ type, document }: Definition, { old, new: fresh }: StepEventMetadata): void {
    const state = fresh?.id ? fresh : old;
    const name = (state?.inputs as Fields | undefined)?.[document?.keyedBy ?? ""];
    if (!state?.id || typeof name !== "string") return;
    const number = decodeURIComponent(state.id.split("/").at(-1) ?? "");
    const known = this.names.get(type) ?? new Map<string, string>();
    this.names.set(type, known.set(number, name));
  }

  /** Arguments as they may be shown: without secrets, and with a name beside each number that is known. */
  in(definition: Definition | undefined, args: Fields | undefined): Fields | undefined {
    if (args === undefined || definition === undefined) return args;
    const shown = maskArgs(definition, args);
    const referring = Object.entries(definition.references).filter(([arg]) => arg in shown);
    const named = referring.map(([arg, reference]): [string, unknown] => [
      arg,
      mapReferences(reference, shown[arg], ({ to }, id) => {
        const name = typeof id === "number" ? this.names.get(to)?.get(String(id)) : undefined;
        return name === undefined ? id : `${name} (${String(id)})`;
      }),
    ]);
    return { ...shown, ...Object.fromEntries(named) };
  }
}
