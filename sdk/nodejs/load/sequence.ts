/** The order of ordered lists: entries made one after the other, and a resource of its own that keeps their order. */
import { definitions } from "../../../provider/index.js";
import type { Declaration } from "./declaration.js";
import type { Entry } from "./entries.js";
import { Ref } from "./names.js";

/** Entries of an ordered list are made one after the other, and a resource of its own keeps their order. */
export function inSequence(
  declarations: readonly Declaration[],
  entries: ReadonlyMap<string, Entry>,
): Declaration[] {
  const result: Declaration[] = [];
  const lists = new Map<string, Declaration[]>();
  for (const declaration of declarations) {
    const entry = entries.get(declaration.name);
    const order = declaration.definition.document?.order;
    if (!order || !entry?.parent) {
      result.push(declaration);
      continue;
    }
    const list = lists.get(entry.parent.name) ?? [];
    const ordered = { ...declaration, after: list.at(-1)?.name };
    list.push(ordered);
    lists.set(entry.parent.name, list);
    result.push(ordered);
  }
  for (const [parentName, list] of lists) {
    const [first] = list;
    const order = first?.definition.document?.order;
    const definition = definitions.find((d) => d.type === order?.type);
    if (list.length < 2 || !first || !order || !definition) continue;
    const parent = entries.get(parentName);
    const { [order.parent]: parentArg, project, workspace } = first.args;
    const args = {
      [order.parent]: parentArg,
      ...(project ? { project } : {}),
      ...(workspace ? { workspace } : {}),
    };
    result.push({
      definition,
      name: `${parentName}/${lowerFirst(order.type)}`,
      formerNames: (parent?.formerNames ?? []).map((former) => `${former}/${lowerFirst(order.type)}`),
      path: parent?.path ?? [],
      args: { ...args, [order.items]: list.map((item) => new Ref(item.name)) },
      retain: false,
      protect: undefined,
      after: undefined,
    });
  }
  return result;
}

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
