/** What an object is called in the file, and what at the service: a file may give it a key of its own. */
import {
  definitions,
  mapReferences,
  type Definition,
  type Fields,
  type DiscoveredObject,
} from "../../../../provider/index.js";
import { escapeKey, unescapeKey } from "../../../../provider/definition/logical-name.js";
import { Interpolated } from "../../../../workspace-file/index.js";
import { AsWritten } from "../../../../workspace-file/edit/index.js";
import { Ref } from "../../../../workspace-file/load/index.js";

export const lastKey = (name: string) => unescapeKey(name.slice(name.lastIndexOf("/") + 1));
/** `projects/web/pipelines` of `projects/web/pipelines/deploy`. */
export const sectionOf = (name: string) => name.slice(0, name.lastIndexOf("/"));
/** `projects/web` of `projects/web/pipelines/deploy`; nothing at the top. */
export const holderOf = (name: string) => sectionOf(name).split("/").slice(0, -1).join("/");

const placed = new Set(definitions.filter(({ document }) => document).map(({ type }) => type));

export class RemoteNames {
  private readonly toLive = new Map<string, string>();
  private readonly toFile = new Map<string, string>();
  /** Names at the service of all of a type, by their last part. */
  private readonly byKey = new Map<string, string[]>();
  private readonly byNumber = new Map<string, DiscoveredObject>();
  private readonly byName = new Map<string, DiscoveredObject>();

  constructor(shown: readonly DiscoveredObject[]) {
    for (const one of shown) {
      const { definition, name, key, outputs } = one;
      this.byName.set(name, one);
      const of = `${definition.type}/${key}`;
      this.byKey.set(of, [...(this.byKey.get(of) ?? []), name]);
      const number = outputs[definition.identity.state];
      if (typeof number === "number") this.byNumber.set(`${definition.type}#${number}`, one);
    }
  }

  /** An entry of the file is this object of the service. */
  tie(file: string, live: string): void {
    this.toLive.set(file, live);
    this.toFile.set(live, file);
  }

  live(file: string): string | undefined {
    return file === "" ? "" : this.toLive.get(file);
  }

  file(live: string): string | undefined {
    return live === "" ? "" : this.toFile.get(live);
  }

  /** The number of what an entry of the file declares. */
  number(file: string): unknown {
    const live = this.byName.get(this.toLive.get(file) ?? "");
    return live?.outputs[live.definition.identity.state];
  }

  /** What a declared value says in the words of the service; undefined when that is not known here. */
  asLive(definition: Definition, arg: string, value: unknown): unknown {
    const reference = definition.references[arg];
    const named = reference
      ? mapReferences(reference, value, ({ to }, inner) => {
          if (typeof inner !== "number") return inner;
          return this.byNumber.get(`${to}#${inner}`)?.key ?? inner;
        })
      : value;
    let known = true;
    const visit = (part: unknown): unknown => {
      const seen =
        part instanceof Ref ? this.keyOf(part.name) : part instanceof Interpolated ? this.filled(part) : part;
      if (seen === undefined && part !== undefined) known = false;
      if (Array.isArray(seen)) return seen.map(visit);
      if (typeof seen !== "object" || seen === null || seen instanceof AsWritten) return seen;
      return Object.fromEntries(Object.entries(seen).map(([key, inner]) => [key, visit(inner)]));
    };
    const result = visit(named);
    return known ? result : undefined;
  }

  private keyOf(file: string): string {
    return lastKey(this.toLive.get(file) ?? file);
  }

  /** A text with outputs of other objects, which are there already. */
  private filled({ parts }: Interpolated): string | undefined {
    let text = "";
    for (const part of parts) {
      const value =
        typeof part === "string" ? part : this.byName.get(this.live(part.name) ?? "")?.outputs[part.output];
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      text += String(value);
    }
    return text;
  }

  /**
   * A value of the service in the words of the file.
   * @param missing told of what the file has no entry for
   */
  asFile(
    definition: Definition,
    arg: string,
    value: unknown,
    referrer: string,
    missing: (type: string, key: string) => void,
  ): unknown {
    const reference = definition.references[arg];
    if (reference === undefined) return value;
    return mapReferences(reference, value, ({ to }, inner) => {
      if (typeof inner !== "string" || !placed.has(to)) return inner;
      const file = this.nearest(to, inner, referrer);
      if (file === undefined) missing(to, inner);
      return file === undefined ? inner : lastKey(file);
    });
  }

  /** Of several of one name, the one that stands in the same object. */
  private nearest(type: string, key: string, referrer: string): string | undefined {
    const all = (this.byKey.get(`${type}/${key}`) ?? []).filter((name) => this.toFile.has(name));
    const steps = referrer.split("/");
    const shared = (name: string) => {
      const differs = name.split("/").findIndex((step, index) => step !== steps[index]);
      return differs < 0 ? Infinity : differs;
    };
    const [best] = all.toSorted((a, b) => shared(b) - shared(a));
    return best === undefined ? this.external(type, key) : this.toFile.get(best);
  }

  private external(type: string, key: string): string | undefined {
    const section = definitions.find((one) => one.type === type)?.document?.section;
    return this.toFile.get(`${section}/${escapeKey(key)}`);
  }
}

/** The arguments with the file's names in them. */
export function argsInFile(
  names: RemoteNames,
  { definition, name }: Pick<DiscoveredObject, "definition" | "name">,
  args: Fields,
  missing: (type: string, key: string) => void,
): Fields {
  return Object.fromEntries(
    Object.entries(args).map(([arg, value]) => [arg, names.asFile(definition, arg, value, name, missing)]),
  );
}

/** Objects or entries by the name of the section that they stand in. */
export function bySection<T extends { readonly name: string }>(all: readonly T[]): Map<string, T[]> {
  const sections = new Map<string, T[]>();
  for (const one of all) {
    const section = sectionOf(one.name);
    const of = sections.get(section);
    if (of) of.push(one);
    else sections.set(section, [one]);
  }
  return sections;
}
