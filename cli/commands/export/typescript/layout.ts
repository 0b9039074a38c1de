/** Assigns resources to modules: one for all, or separate ones for people, variables and each project. */
import { chooseFreeName, groupBy } from "../../../lists.js";
import type { Resource } from "./program.js";
import { LogicalName } from "../../../../provider/definition/logical-name.js";

/** The main module, which imports the others. */
export const MAIN = "index";
/** Sections that share a module. */
const SHARED: Readonly<Record<string, string>> = {
  members: "people",
  permissionSets: "people",
  groups: "people",
};
/** The section that has a folder with a module per entry. */
const PER_ENTRY = "projects";

/** Whether there is more than one project. */
export function hasManyProjects(resources: readonly Resource[]): boolean {
  const first = resources.map(({ name }) => new LogicalName(name).steps[0]);
  return new Set(first.filter((step) => step?.section === PER_ENTRY).map((step) => step?.key)).size > 1;
}

/** Groups resources by module (its path without an extension), in the order of the program. */
export function groupIntoModules(
  resources: readonly Resource[],
  split: boolean,
): ReadonlyMap<string, Resource[]> {
  const perEntry = new Map<string, string>();
  const modules = groupBy(resources, (one) => (split ? chooseModule(one, perEntry) : MAIN));
  return new Map([[MAIN, []], ...modules]);
}

function chooseModule({ name }: Resource, perEntry: Map<string, string>): string {
  const [section = "", key = ""] = name.split("/");
  if (section !== PER_ENTRY) return SHARED[section] ?? section;
  const module = perEntry.get(key) ?? chooseFreeModule(key.replaceAll("%2F", "-"), [...perEntry.values()]);
  perEntry.set(key, module);
  return module;
}

/** Some file systems reject longer names; they count bytes. */
const LONGEST = 60;

function chooseFreeModule(key: string, taken: readonly string[]): string {
  // A dot could begin a file extension (web.d.ts, web.js).
  const characters = [...key.normalize("NFC").replace(/[^\p{L}\p{N}_-]+/gu, "-")];
  const words = characters.slice(0, LONGEST).join("");
  const plain = words.replace(/^-+|-+$/g, "") || "project";
  const base = /^(con|prn|aux|nul|(com|lpt)\d)$/i.test(plain) ? `${plain}-project` : plain;
  // Some file systems do not distinguish Web.ts and web.ts.
  const isTaken = (module: string) => taken.some((other) => other.toLowerCase() === module.toLowerCase());
  return chooseFreeName(isTaken, (suffix) => `${PER_ENTRY}/${base}${suffix}`);
}

/** Returns the import path from one module to another. */
export function buildSpecifier(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up || "./"}${to}`;
}
