/** Orders declarations by their lists and their references. */
import type { Problem } from "../../resources/definition/problems.js";
import { type Around, getDefinition } from "../../resources/index.js";
import type { Entry } from "./entries.js";
import { mapRefs, Ref } from "./resolve-names.js";
import { createPlainDeclaration, type ResourceDeclaration } from "./resource-declaration.js";

/** Chains the entries of ordered lists, and adds a resource that manages their order. */
export function chainActions(
  declarations: readonly ResourceDeclaration[],
  entries: ReadonlyMap<string, Entry>,
): ResourceDeclaration[] {
  const result: ResourceDeclaration[] = [];
  const lists = new Map<Entry, ResourceDeclaration[]>();
  for (const declaration of declarations) {
    const parent = entries.get(declaration.name)?.parent;
    if (!parent || !declaration.definition.document?.order) {
      result.push(declaration);
      continue;
    }
    const list = lists.get(parent) ?? [];
    const ordered = { ...declaration, after: list.at(-1)?.name };
    list.push(ordered);
    lists.set(parent, list);
    result.push(ordered);
  }
  for (const [parent, list] of lists) {
    const [first, second] = list;
    const order = first?.definition.document?.order;
    if (!order || !second) continue;
    const { [order.parent]: parentArg, project, workspace } = first.args;
    const nameIn = (name: string) => `${name}/${lowerFirstLetter(order.type)}`;
    const args = {
      [order.parent]: parentArg,
      ...(project ? { project } : {}),
      ...(workspace ? { workspace } : {}),
      [order.items]: list.map((item) => new Ref(item.name)),
    };
    result.push({
      ...createPlainDeclaration(getDefinition(order.type), nameIn(parent.name), args),
      formerNames: parent.formerNames.map(nameIn),
      path: parent.path,
      retain: parent.retain,
    });
  }
  return result;
}

/**
 * Sorts each declaration after those that it refers to or waits for, and otherwise in the order of the file. Reports circular
 * references.
 */
export function sortByNeeds(
  declarations: readonly ResourceDeclaration[],
  problems: Problem[],
): ResourceDeclaration[] {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const waitsFor = listWaiting(declarations, byName);
  const result = new Set<ResourceDeclaration>();
  const open = new Set<ResourceDeclaration>();
  const visit = (declaration: ResourceDeclaration) => {
    if (result.has(declaration)) return;
    if (open.has(declaration)) {
      const circle = [...open].map(({ name }) => name);
      const names = [...circle.slice(circle.indexOf(declaration.name)), declaration.name];
      const message = `these objects refer to one another in a circle: ${names.join(" -> ")}. Remove one of the references`;
      problems.push({ path: declaration.path, code: "cycle", message, atKey: true });
      return;
    }
    open.add(declaration);
    for (const name of listNeeded(declaration)) {
      const other = byName.get(name);
      if (other) visit(other);
    }
    for (const other of waitsFor.get(declaration) ?? []) visit(other);
    open.delete(declaration);
    result.add(declaration);
  };
  for (const declaration of declarations) visit(declaration);
  return [...result];
}

/** Returns the names of the declarations that each one refers to or waits for, by name. */
export function collectNeeds(
  declarations: readonly ResourceDeclaration[],
): ReadonlyMap<string, readonly string[]> {
  const waitsFor = listWaiting(declarations, new Map(declarations.map((one) => [one.name, one])));
  return new Map(
    declarations.map((one) => {
      const awaited = (waitsFor.get(one) ?? []).map(({ name }) => name);
      return [one.name, [...new Set([...listNeeded(one), ...awaited])]];
    }),
  );
}

/**
 * Returns the declarations that each one waits for without referring to them. References take precedence: a declaration does not
 * wait for one that needs it, directly or indirectly.
 */
function listWaiting(
  declarations: readonly ResourceDeclaration[],
  byName: ReadonlyMap<string, ResourceDeclaration>,
): ReadonlyMap<ResourceDeclaration, readonly ResourceDeclaration[]> {
  const result = new Map<ResourceDeclaration, ResourceDeclaration[]>();
  const needs = (
    one: ResourceDeclaration,
    other: ResourceDeclaration,
    visited = new Set<ResourceDeclaration>(),
  ): boolean => {
    if (one === other) return true;
    if (visited.has(one)) return false;
    visited.add(one);
    const next = [...listNeeded(one).flatMap((name) => byName.get(name) ?? []), ...(result.get(one) ?? [])];
    return next.some((each) => needs(each, other, visited));
  };
  const byProject = new Map<string, ResourceDeclaration[]>();
  for (const declaration of declarations) {
    const project = findProject(declaration.args);
    if (project === undefined) continue;
    const inProject = byProject.get(project) ?? [];
    inProject.push(declaration);
    byProject.set(project, inProject);
  }
  for (const inProject of byProject.values()) {
    const around: Around = (type) => inProject.filter((d) => d.definition.type === type).map((d) => d.args);
    for (const declaration of inProject) {
      const wanted = new Set(declaration.definition.waitsFor?.(declaration.args, around));
      if (wanted.size === 0) continue;
      const awaited: ResourceDeclaration[] = [];
      result.set(declaration, awaited);
      for (const other of inProject)
        if (wanted.has(other.args) && !needs(other, declaration)) awaited.push(other);
    }
  }
  return result;
}

function findProject({ project }: ResourceDeclaration["args"]): string | undefined {
  if (project instanceof Ref) return `declared ${project.name}`;
  return typeof project === "string" ? `named ${project}` : undefined;
}

/** Returns the names of the declarations that one refers to. */
function listNeeded({ args, after }: ResourceDeclaration): string[] {
  const names = after === undefined ? [] : [after];
  mapRefs(args, (ref) => {
    names.push(...(ref instanceof Ref ? [ref] : ref.outputs).map(({ name }) => name));
    return ref;
  });
  return names;
}

const lowerFirstLetter = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
