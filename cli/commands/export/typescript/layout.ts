/** Which resource stands in which file: one for all, or people, variables and each project in one of its own. */
import type { Resource } from "./program.js";

/** The module that is run; of a program in parts, it loads the others. */
export const MAIN = "index";
/** Sections that share a module. */
const SHARED: Readonly<Record<string, string>> = {
  members: "people",
  permissionSets: "people",
  groups: "people",
};
/** The section that is a folder, a module per entry. */
const PER_ENTRY = "projects";

/** Are there so many projects that each deserves a module? */
export function hasManyProjects(resources: readonly Resource[]): boolean {
  const ofProjects = resources
    .map(({ name }) => name.split("/"))
    .filter(([section]) => section === PER_ENTRY);
  return new Set(ofProjects.map(([, key]) => key)).size > 1;
}

/** Resources by module (its path without an ending), in the order of the program. */
export function modulesOf(resources: readonly Resource[], split: boolean): ReadonlyMap<string, Resource[]> {
  const modules = new Map<string, Resource[]>([[MAIN, []]]);
  const perEntry = new Map<string, string>();
  for (const resource of resources) {
    const module = split ? moduleOf(resource, perEntry) : MAIN;
    modules.set(module, [...(modules.get(module) ?? []), resource]);
  }
  return modules;
}

function moduleOf({ name }: Resource, perEntry: Map<string, string>): string {
  const [section = "", key = ""] = name.split("/");
  if (section !== PER_ENTRY) return SHARED[section] ?? section;
  const module = perEntry.get(key) ?? freeModule(key.replaceAll("%2F", "-"), [...perEntry.values()]);
  perEntry.set(key, module);
  return module;
}

/** Longer names of files are refused by some systems, which count bytes. */
const LONGEST = 60;

function freeModule(key: string, taken: readonly string[]): string {
  // A dot could make an ending of what follows it (web.d.ts, web.js).
  const characters = [...key.normalize("NFC").replace(/[^\p{L}\p{N}_-]+/gu, "-")];
  const words = characters.slice(0, LONGEST).join("");
  const plain = words.replace(/^-+|-+$/g, "") || "project";
  const base = /^(con|prn|aux|nul|(com|lpt)\d)$/i.test(plain) ? `${plain}-project` : plain;
  // Some file systems take Web.ts and web.ts for one.
  const isTaken = (module: string) => taken.some((other) => other.toLowerCase() === module.toLowerCase());
  let module = `${PER_ENTRY}/${base}`;
  for (let number = 2; isTaken(module); number += 1) module = `${PER_ENTRY}/${base}-${number}`;
  return module;
}

/** How one module names another. */
export function specifier(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up || "./"}${to}`;
}
