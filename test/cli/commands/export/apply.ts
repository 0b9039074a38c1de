/** Creates the objects of a file in an emulator in the order of Pulumi's engine, but without the engine. */
import type { Emulator } from "../../../../emulator/index.js";
import { type Fields, mapReferences } from "../../../../provider/index.js";
import { Ref, type ResourceDeclaration } from "../../../../workspace-file/load/load.js";
import { Engine, type State } from "../../../provider/engine.js";

/** Returns the states of the created objects by logical name. */
export async function apply(
  { baseUrl, token, workspace }: Pick<Emulator, "baseUrl" | "token" | "workspace">,
  declarations: readonly ResourceDeclaration[],
): Promise<ReadonlyMap<string, State>> {
  const engine = new Engine(baseUrl, token, workspace);
  const made = new Map<string, State>();
  await engine.run(async () => {
    for (const { definition, name, args } of declarations)
      made.set(name, await engine.create(definition.type, withIds(definition.references, args, made)));
  });
  return made;
}

/** Resolves references in arguments as the resources of a program do. */
export function withIds(
  references: ResourceDeclaration["definition"]["references"],
  args: Fields,
  made: ReadonlyMap<string, State>,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = { ...args };
  for (const [arg, reference] of Object.entries(references)) {
    resolved[arg] = mapReferences(reference, args[arg], ({ property, copies = {} }, value) => {
      const state = value instanceof Ref ? made.get(value.name) : undefined;
      if (state === undefined) return value;
      for (const [to, from] of Object.entries(copies))
        resolved[to] = from === "id" ? state.id : state.outs[from];
      const last = decodeURIComponent(state.id.split("/").at(-1) ?? "");
      return property === undefined ? Number(last) : (state.inputs[property] ?? last);
    });
  }
  return Object.fromEntries(Object.entries(resolved).filter(([, value]) => value !== undefined));
}
