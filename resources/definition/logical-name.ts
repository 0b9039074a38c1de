/** Logical names, which are paths: a slash in a key becomes `%2F`. */

/** The part of a logical name for a key. A `%2F` in the key itself becomes `%252F`, so that different keys stay different. */
export function escapeKey(key: string): string {
  return key.replace(/%(?=(?:25)*2F)/g, "%25").replaceAll("/", "%2F");
}

/** The key of a part of a logical name. */
export function unescapeKey(part: string): string {
  return part.replaceAll("%2F", "/").replace(/%25(?=(?:25)*(?:2F))/g, "%");
}

/** The name of an entry. @param parent the object that contains it; nothing at the top */
export function buildNameIn(parent: string | undefined, section: string, key: string): string {
  return `${parent ? `${parent}/` : ""}${section}/${escapeKey(key)}`;
}

/** Whether an object is this one, or in it. */
export function isWithin(name: string, parent: string): boolean {
  return name === parent || name.startsWith(`${parent}/`);
}

/** How many parts two names begin with in common. */
export function countCommonParts(one: string, other: string): number {
  const parts = other.split("/");
  const differs = one.split("/").findIndex((part, index) => part !== parts[index]);
  return differs < 0 ? parts.length : differs;
}

/**
 * Keys of the objects of a list, by their names in its order: the name, and `Build 2` for the second object called Build.
 * @param others keys of other objects
 */
export function chooseOwnKeys(names: readonly string[], others: Iterable<string> = []): string[] {
  const used = new Set(others);
  const given = new Set(names);
  return names.map((name) => {
    let key = name;
    for (let number = 2; used.has(key) || (key !== name && given.has(key)); number++)
      key = `${name} ${number}`;
    used.add(key);
    return key;
  });
}

/** A section and the key of an entry in it. */
export interface NameStep {
  readonly section: string;
  readonly key: string;
  /** Key as it appears in the name. */
  readonly escaped: string;
}

/** Splits a logical name: pairs of a section and a key, such as `projects/web/pipelines/deploy`. */
export class LogicalName {
  private readonly parts: readonly string[];

  constructor(name: string) {
    this.parts = name === "" ? [] : name.split("/");
  }

  /** Sections and keys that lead to the object. The last step is its own. A name in another form has a part without a key, which is not a step. */
  get steps(): readonly NameStep[] {
    const steps: NameStep[] = [];
    for (let index = 0; index + 1 < this.parts.length; index += 2) {
      const [section = "", escaped = ""] = this.parts.slice(index);
      steps.push({ section, escaped, key: unescapeKey(escaped) });
    }
    return steps;
  }

  /** The keys that lead to the object. The last one is its own. */
  get keys(): readonly string[] {
    return this.steps.map(({ key }) => key);
  }

  /** Names of the objects that contain it, the outermost first. */
  get ancestors(): readonly string[] {
    const names: string[] = [];
    for (let end = 2; end < this.parts.length; end += 2) names.push(this.parts.slice(0, end).join("/"));
    return names;
  }

  /** Its own key. */
  get key(): string {
    return unescapeKey(this.parts.at(-1) ?? "");
  }

  /** Name of the list that contains the object: `projects/web/pipelines`. */
  get section(): string {
    return this.parts.slice(0, -1).join("/");
  }

  /** Name of the object that contains it: `projects/web`. Empty at the top. */
  get parent(): string {
    return this.parts.slice(0, -2).join("/");
  }
}
