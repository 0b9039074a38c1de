/** Adds names to the ids by which objects refer to each other: `Build (12)` instead of `12`. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { mapReferences, maskArgs, type Definition, type Fields } from "../../../provider/index.js";

/** Collects the names of all objects in the engine's events. */
export class ObjectLabels {
  private readonly names = new Map<string, Map<string, string>>();

  note({ type, document }: Definition, { old, new: fresh }: StepEventMetadata): void {
    const state = fresh?.id ? fresh : old;
    const name = (state?.inputs as Fields | undefined)?.[document?.keyedBy ?? ""];
    if (!state?.id || typeof name !== "string") return;
    const number = decodeURIComponent(state.id.split("/").at(-1) ?? "");
    const known = this.names.get(type) ?? new Map<string, string>();
    this.names.set(type, known.set(number, name));
  }

  /** Prepares arguments for display: secrets masked, and a name beside each known id. */
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
