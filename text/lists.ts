/** Operations on lists that many commands need. */

export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Joins the first names of a list, and counts the others: `a, b, and 3 more`. */
export function formatFirst(names: readonly string[], limit: number): string {
  const more = names.length > limit ? [`and ${names.length - limit} more`] : [];
  return [...names.slice(0, limit), ...more].join(", ");
}

/** Finds a name that is not in use: the wanted one, or one with a number. */
export function chooseFreeName(
  isTaken: (name: string) => boolean,
  nameOf: (suffix: string) => string,
  separator = "-",
): string {
  let name = nameOf("");
  for (let number = 2; isTaken(name); number += 1) name = nameOf(`${separator}${number}`);
  return name;
}
