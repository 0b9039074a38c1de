/** Compares the order of lists, limited to objects that both sources have. */
import { isDeepStrictEqual } from "node:util";
import type { Coverage } from "./coverage.js";
import { nameOfSteps } from "./object.js";

export interface OrderDifference {
  /** Logical name and type of the object that contains the list. */
  readonly holder: string;
  readonly type: string;
  readonly section: string;
  /** Names in the order of the list. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly unverifiable?: string;
}

export function orderDifferences(left: Coverage, right: Coverage): OrderDifference[] {
  const [ofLeft, ofRight] = [listsOf(left), listsOf(right)];
  return [...ofLeft].flatMap(([id, list]) => {
    const other = ofRight.get(id);
    if (other === undefined) return [];
    const [ours, theirs] = [new Set(list.keys), new Set(other.keys)];
    const one = list.keys.filter((key) => theirs.has(key));
    const two = other.keys.filter((key) => ours.has(key));
    if (one.length < 2) return [];
    const { holder, type, section } = list;
    const unordered = [left, right].find(({ side }) => side.unordered.has(holder));
    if (unordered !== undefined) {
      const unverifiable = `${unordered.side.facts.name} does not show their order`;
      return [{ holder, type, section, left: one, right: two, unverifiable }];
    }
    return isDeepStrictEqual(one, two) ? [] : [{ holder, type, section, left: one, right: two }];
  });
}

interface List {
  readonly holder: string;
  readonly type: string;
  readonly section: string;
  readonly keys: string[];
}

function listsOf({ objects }: Coverage): Map<string, List> {
  const lists = new Map<string, List>();
  for (const { definition, steps } of objects.values()) {
    if (definition.document.form !== "list") continue;
    const holder = nameOfSteps(steps.slice(0, -1));
    const type = steps.at(-2)?.type ?? "";
    const { section, key } = steps.at(-1) as (typeof steps)[number];
    const id = `${holder}/${section}`;
    const list = lists.get(id) ?? { holder, type, section, keys: [] };
    list.keys.push(key);
    lists.set(id, list);
  }
  return lists;
}
