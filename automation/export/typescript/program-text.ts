/** Writes the source of a program: one module, or separate ones for people, variables and each project. */
import { mapDeep } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";
import { LogicalName } from "../../../resources/definition/logical-name.js";
import { chooseFreeName, groupBy } from "../../../text/lists.js";
import { Ref } from "../../../workspace-file/load/load.js";
import { refersTo, type Resource } from "./declared-resources.js";
import {
  assignIdentifiers,
  Expression,
  INDENT,
  quoteLiteral,
  renderBlock,
  renderComment,
  renderImport,
  renderLiteral,
} from "./literals.js";

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
function groupIntoModules(resources: readonly Resource[], split: boolean): ReadonlyMap<string, Resource[]> {
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
function buildSpecifier(from: string, to: string): string {
  const up = "../".repeat(from.split("/").length - 1);
  return `${up || "./"}${to}`;
}

interface SourceOptions {
  /** A module for each project. */
  readonly split: boolean;
  /** Comments at the top of the program. */
  readonly head: readonly string[];
}

/** Returns the texts of modules by path. */
export function renderModules(
  resources: readonly Resource[],
  { split, head }: SourceOptions,
): ReadonlyMap<string, string> {
  const modules = groupIntoModules(resources, split);
  const home = new Map([...modules].flatMap(([module, of]) => of.map(({ name }) => [name, module] as const)));
  const takenFrom = [...modules].flatMap(([module, of]) =>
    of.flatMap((one) => listNeededBy(one).filter((name) => home.get(name) !== module)),
  );
  const exported = new Set(takenFrom);
  const writer = new Writer(assignNames(modules, exported), home, exported);
  const others = [...modules.keys()].filter((module) => module !== MAIN).sort();
  return new Map(
    [...modules].map(([module, of]) => {
      const loads =
        module === MAIN ? others.map((other) => `import ${quoteLiteral(buildSpecifier(MAIN, other))};`) : [];
      const comment = module === MAIN ? [...head.map(renderComment), ""] : [];
      const lines = [...comment, ...writer.imports(module, of), ...loads, "", ...writer.statements(of)];
      return [`${module}.ts`, `${lines.join("\n").trim()}\n`];
    }),
  );
}

/**
 * Names variables for resources that others refer to, and no others: linters reject unused ones. A variable that is exported
 * has the same name in all modules; other variables are unique in their module only.
 */
function assignNames(
  modules: ReadonlyMap<string, readonly Resource[]>,
  exported: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const referred = new Set([...modules.values()].flat().flatMap(listNeededBy));
  const wish = ({ name, noun }: Resource) => ({ name, noun, keys: new LogicalName(name).keys.toReversed() });
  const shared = [...modules.values()].flat().filter(({ name }) => exported.has(name));
  const names = new Map(assignIdentifiers(shared.map(wish)));
  const taken = [...names.values()];
  for (const resources of modules.values()) {
    const own = resources.filter(({ name }) => referred.has(name) && !exported.has(name));
    for (const [name, variable] of assignIdentifiers(own.map(wish), taken)) names.set(name, variable);
  }
  return names;
}

function listNeededBy({ args, after }: Resource): string[] {
  return [...refersTo(args), ...(after === undefined ? [] : [after])];
}

class Writer {
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly home: ReadonlyMap<string, string>,
    private readonly takenFrom: ReadonlySet<string>,
  ) {}

  imports(module: string, resources: readonly Resource[]): string[] {
    if (resources.length === 0) return [];
    const readsConfig = resources.some(({ args }) => hasExpression(args));
    const classes = [...new Set(resources.map(({ type }) => type))].sort();
    const others = new Map<string, Set<string>>();
    for (const name of resources.flatMap(listNeededBy)) {
      const from = this.home.get(name) ?? MAIN;
      if (from !== module) others.set(from, (others.get(from) ?? new Set()).add(this.nameOf(name)));
    }
    const sorted = [...others].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...(readsConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      renderImport(classes, "pulumi-workspace-automation"),
      ...sorted.map(([from, of]) => renderImport([...of].sort(), buildSpecifier(module, from))),
      ...(readsConfig ? ["", "const config = new pulumi.Config();"] : []),
    ];
  }

  statements(resources: readonly Resource[]): string[] {
    let before: string | undefined;
    return resources.flatMap((resource) => {
      const apart = before !== undefined && before !== resource.type ? [""] : [];
      before = resource.type;
      return [...apart, this.statement(resource)];
    });
  }

  private statement(resource: Resource): string {
    const { type, name, args } = resource;
    const variable = this.names.get(name);
    const exported = this.takenFrom.has(name) ? "export " : "";
    const assigned = variable === undefined ? "" : `${exported}const ${variable} = `;
    const options = this.options(resource);
    const given = this.withVariables(args) as Fields;
    const start = `${assigned}new ${type}(`;
    if (Object.keys(options).length === 0) return `${start}${quoteLiteral(name)}, ${renderBlock(given)});`;
    const parts = [quoteLiteral(name), renderBlock(given, INDENT), renderLiteral(options, INDENT)];
    return `${start}\n${parts.map((part) => `${INDENT}${part},\n`).join("")});`;
  }

  /** Returns the resource options that the loader of a workspace file would set. */
  private options({ after, options: { formerNames, retain, protect } }: Resource): Fields {
    return {
      ...(after === undefined ? {} : { dependsOn: [new Expression(this.nameOf(after))] }),
      ...(formerNames.length === 0 ? {} : { aliases: formerNames.map((name) => ({ name })) }),
      ...(retain ? { retainOnDelete: true } : {}),
      ...(protect === undefined ? {} : { protect }),
    };
  }

  private withVariables(value: unknown): unknown {
    return mapDeep(value, (part) => (part instanceof Ref ? new Expression(this.nameOf(part.name)) : part));
  }

  private nameOf(name: string): string {
    const variable = this.names.get(name);
    if (variable === undefined) throw new TypeError(`${name} is referred to, and has no variable`);
    return variable;
  }
}

function hasExpression(value: unknown): boolean {
  if (value instanceof Expression) return true;
  if (typeof value !== "object" || value === null || value instanceof Ref) return false;
  return Object.values(value).some(hasExpression);
}
