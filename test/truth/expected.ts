/** Derives from snapshots what drift reports and plans have to say, and what a workspace has to be like. */
import { escapeKey, LogicalName } from "../../resources/definition/logical-name.js";
import { differing, type Shown, type Snapshot } from "./snapshot.js";
import type { Workspace } from "./workspace.js";

type Json = Readonly<Record<string, unknown>>;

/** What was changed outside: objects that a report must name, and those that it may name. */
export interface Outside {
  readonly changed: ReadonlySet<string>;
  /** Objects of which only properties were changed that the file does not declare. */
  readonly unmanaged: ReadonlySet<string>;
}

export function changedOutside(before: Snapshot, after: Snapshot, workspace: Workspace): Outside {
  const changed = new Set<string>();
  const unmanaged = new Set<string>();
  for (const object of before.all) {
    const entry = entryOf(workspace, object.name);
    const holder = exclusiveHolder(workspace, object);
    if (entry === undefined && holder === undefined) continue;
    const now = after.same(object);
    const fields = differing(object, now);
    if (fields === undefined || fields.some((field) => entry !== undefined && declares(entry, field)))
      changed.add(holder ?? object.name);
    else if (fields.length > 0) unmanaged.add(object.name);
    if (object.type === "Pipeline" && hasOtherOrder(before, after, object, workspace))
      changed.add(`${object.name}/actionOrder`);
  }
  for (const object of after.all) {
    const holder = exclusiveHolder(workspace, object);
    if (holder !== undefined && before.same(object) === undefined) changed.add(holder);
  }
  return { changed, unmanaged };
}

/**
 * Names all objects that differ between two moments, as steps of a plan call them.
 * @param declared the workspace before it was changed by hand, when each object had its declared name
 * @param applied the file of that time
 */
export function changedBetween(
  before: Snapshot,
  after: Snapshot,
  workspace: Workspace,
  declared: Snapshot,
  applied: Workspace,
): Set<string> {
  const changed = new Set<string>();
  // An object has the name of its declaration, also while it was renamed by hand.
  const nameOf = (object: Shown): string => {
    const then = declared.same(object);
    const known = then ?? after.same(object) ?? inDeclaredGroup(object);
    const renamed = then && findNewName(workspace, then.name);
    // What the file declares no more is deleted under its former name.
    const name = renamed !== undefined && entryOf(workspace, renamed) !== undefined ? renamed : known.name;
    const holder = exclusiveHolder(workspace, { ...known, name });
    if (holder !== undefined) return holder;
    // A list that is deleted with its group was owned by the former file.
    const former = exclusiveHolder(applied, { ...known, name });
    return former !== undefined && entryOf(workspace, former) === undefined ? former : name;
  };
  // A member that was added by hand is in a group that may have been renamed by hand.
  const inDeclaredGroup = (object: Shown): Shown => {
    if (object.type !== "GroupMember") return object;
    const { parent } = new LogicalName(object.name);
    const group = before.named(parent);
    const then = group && declared.same(group);
    return then ? { ...object, name: then.name + object.name.slice(parent.length) } : object;
  };
  for (const object of before.all)
    if (differing(object, after.same(object))?.length !== 0) changed.add(nameOf(object));
  for (const object of after.all) {
    const then = before.same(object);
    // The first commit makes the default branch.
    if (then === undefined && object.says["default"] !== true) changed.add(nameOf(object));
    else if (then?.type === "Pipeline" && reordered(before, after, then))
      changed.add(`${object.name}/actionOrder`);
  }
  return changed;
}

/** Compares the declared objects of a workspace with those of a fresh one. */
export function unlikeFresh(settled: Snapshot, fresh: Snapshot, workspace: Workspace): string[] {
  const lines: string[] = [];
  for (const object of fresh.all) {
    const entry = entryOf(workspace, object.name);
    if (entry === undefined && exclusiveHolder(workspace, object) === undefined) continue;
    const same = settled.named(object.name);
    const fields = differing(object, same, "setId");
    if (fields === undefined) lines.push(`missing: ${object.name}`);
    for (const field of fields ?? [])
      if (declares(entry ?? {}, field) && !isMasked(object.says[field]))
        lines.push(
          `${object.name} ${field}: ${brief(same?.says[field])}, fresh ${brief(object.says[field])}`,
        );
    if (object.type === "Pipeline" && same !== undefined) {
      const order = (of: Snapshot, pipeline: Shown) => declaredOrder(of, pipeline, workspace).join();
      if (order(settled, same) !== order(fresh, object)) lines.push(`order of ${object.name}`);
    }
  }
  for (const object of settled.all)
    if (exclusiveHolder(workspace, object) !== undefined && fresh.named(object.name) === undefined)
      lines.push(`not declared in a list that the file owns: ${object.name}`);
  return lines;
}

const brief = (value: unknown) => String(JSON.stringify(value)).slice(0, 100);
const isMasked = (value: unknown) => typeof value === "string" && value.startsWith("secure!");

/** Returns the entry of a declared object as a map of its properties. */
export function entryOf(workspace: Workspace, name: string): Json | undefined {
  let holder: unknown = workspace;
  for (const { section, key } of new LogicalName(name).steps) {
    const entries = (holder as Json)[section] as Json | readonly unknown[] | undefined;
    if (Array.isArray(entries)) {
      const list = entries as unknown[];
      holder = list.find((one) => one === key || (one as Json)["name"] === key);
    } else holder = entries !== undefined && Object.hasOwn(entries, key) ? (entries as Json)[key] : undefined;
    if (holder === undefined) return undefined;
  }
  return typeof holder === "object" && holder !== null ? (holder as Json) : { value: holder };
}

/** Returns the name that a version of the file gives an object of an earlier version. */
export function findNewName(workspace: Workspace, name: string): string {
  let holder: unknown = workspace;
  return new LogicalName(name).steps
    .flatMap(({ section, key }) => {
      const entries = (holder as Json | undefined)?.[section] ?? {};
      const named: readonly (readonly [string, unknown])[] = Array.isArray(entries)
        ? (entries as readonly (string | Json)[]).map((one) => [
            typeof one === "string" ? one : String(one["name"]),
            one,
          ])
        : Object.entries(entries);
      const isRenamed = (entry: unknown) => String((entry as Json | null)?.["previously"]) === key;
      const [now, entry] = named.find(([, one]) => isRenamed(one)) ??
        named.find(([one]) => one === key) ?? [key];
      holder = entry;
      return [section, escapeKey(now)];
    })
    .join("/");
}

/** What no snapshot shows: who owns a list, and the schedule of a pipeline. */
const unseen = ["exclusive", "cron", "cronUpdates", "startDate", "delay", "paused", "runAlways"];

/** Whether two versions of the file differ in what no snapshot shows of an object. @param former its name in the earlier one */
export function differsUnseen(name: string, before: Workspace, now: Workspace, former = name): boolean {
  const [then, later] = [entryOf(before, former) ?? {}, entryOf(now, name) ?? {}];
  return unseen.some((property) => then[property] !== later[property]);
}

/** Properties whose name in a snapshot is not that of the service. */
const names: Readonly<Record<string, string>> = { set: "permissionSet", setId: "permissionSet" };

function declares(entry: Json, field: string): boolean {
  const property = names[field] ?? field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  if (Object.hasOwn(entry, property) || property === "name" || property === "content") return true;
  return typeof entry["fields"] === "object" && Object.hasOwn(entry["fields"] as Json, field);
}

/** Returns the name of the object that owns the list which contains a member. */
function exclusiveHolder(workspace: Workspace, { type, name }: Shown): string | undefined {
  if (type !== "GroupMember" && type !== "ProjectMember") return undefined;
  const { parent } = new LogicalName(name);
  return entryOf(workspace, parent)?.["exclusive"] === true ? parent : undefined;
}

/** Whether actions that exist both times are in another order. */
function reordered(before: Snapshot, after: Snapshot, pipeline: Shown, workspace?: Workspace): boolean {
  const now = after.order(pipeline);
  const then = before
    .order(pipeline)
    .filter((id) => now.includes(id))
    .filter((id) => workspace === undefined || isDeclaredAction(before, id, workspace));
  return now.filter((id) => then.includes(id)).join() !== then.join();
}

const actionOf = (snapshot: Snapshot, id: string) =>
  snapshot.all.find((one) => one.type === "Action" && one.id === id)!;

const isDeclaredAction = (snapshot: Snapshot, id: string, workspace: Workspace) =>
  entryOf(workspace, actionOf(snapshot, id).name) !== undefined;

/** Whether the order of a pipeline's actions was changed, or deleted with it. */
function hasOtherOrder(before: Snapshot, after: Snapshot, pipeline: Shown, workspace: Workspace): boolean {
  return after.same(pipeline) === undefined
    ? declaredOrder(before, pipeline, workspace).length > 1
    : reordered(before, after, pipeline, workspace);
}

function declaredOrder(snapshot: Snapshot, pipeline: Shown, workspace: Workspace): string[] {
  const ids = snapshot.order(pipeline).filter((id) => isDeclaredAction(snapshot, id, workspace));
  return ids.map((id) => actionOf(snapshot, id).name);
}
