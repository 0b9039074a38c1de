/** Turns findings into edits that update the workspace file to match the workspace. Entries of unmanaged objects come from an export onto the file. */
import { mapDeep } from "../../diff/values.js";
import {
  type Connection,
  type Definition,
  definitions,
  type DiscoveredObject,
  type Fields,
  getSpelling,
  isSameSpelling,
} from "../../provider/index.js";
import { isWithin } from "../../resources/definition/logical-name.js";
import { AsWritten, type Edit } from "../../workspace-file/edit/edit.js";
import type { LoadedFile, ResourceDeclaration } from "../../workspace-file/load/load.js";
import { type Existing, getLastKey, getSectionOf } from "../export/patch/existing-file.js";
import { listExpectedIn } from "../export/patch/patch-existing.js";
import { type LiveWorkspace, type PatchPlan, patchPlan } from "../export/patch/plan-edits.js";
import { readConnection } from "../export/read-workspace.js";
import { collectVariables, collectVariablesIn, type Needed, Placeholders } from "../export/written-values.js";
import type { Port } from "../port.js";
import type { DriftFinding } from "./drift-report.js";

export interface Accepted {
  readonly edits: NewEntries["edits"];
  /** Secrets that cannot be read: the file gets placeholders for them. */
  readonly missing: readonly Needed[];
  /** Findings that cannot be accepted, and why. */
  readonly left: readonly { readonly finding: DriftFinding; readonly why: string }[];
}

const byType = new Map(definitions.map((definition) => [definition.type, definition]));

/**
 * Builds the edits that accept findings about declared objects.
 * @param file the file that they change
 * @param entries those of unmanaged objects
 */
export function planEdits(
  findings: readonly DriftFinding[],
  { declarations: declared, sources }: Pick<LoadedFile, "declarations" | "sources">,
  entries: NewEntries = { edits: [], needed: [], left: [], replaced: [] },
): Accepted {
  const edits = [...entries.edits];
  const missing = new Placeholders([
    ...collectVariables(sources),
    ...entries.needed.map(({ variable }) => variable),
  ]);
  const left: { finding: DriftFinding; why: string }[] = [...entries.left];
  const gone = findings.filter((one) => one.class === "deleted").map(({ name }) => name);
  for (const finding of findings) {
    const definition = byType.get(finding.type);
    const within =
      gone.some((name) => finding.name.startsWith(`${name}/`)) || entries.replaced.includes(finding.name);
    if (definition === undefined || (within && finding.class === "deleted")) continue;
    // Its edits, or the reason why there are none, come from the workspace.
    if (needsLiveValue(finding, declared)) continue;
    const accepted = planEdit(finding, definition, declared, missing);
    if (typeof accepted === "string") left.push({ finding, why: accepted });
    else if (accepted) edits.push({ edit: accepted, finding });
  }
  return { edits: inSequence(edits), missing: [...entries.needed, ...missing.needed], left };
}

/** Puts the order of a list after deletions from it, and before additions to it, since it names the items that stay. */
function inSequence(edits: NewEntries["edits"]): NewEntries["edits"] {
  const ordered = new Set(
    edits.flatMap(({ edit }) => ("order" in edit ? [`${edit.order.name}/${edit.order.section}`] : [])),
  );
  const rank = ({ edit }: NewEntries["edits"][number]) => {
    if ("order" in edit) return 1;
    return "add" in edit && ordered.has(getSectionOf(edit.add.name)) ? 2 : 0;
  };
  return edits.toSorted((a, b) => rank(a) - rank(b));
}

/** Builds the edit; undefined when none is needed, or the reason why it is impossible. */
function planEdit(
  finding: DriftFinding,
  definition: Definition,
  declared: readonly ResourceDeclaration[],
  missing: Placeholders,
): Edit | string | undefined {
  const { name, pathParts: path } = finding;
  switch (finding.class) {
    case "pending":
      return 'the file is newer than the workspace: "workspacectl up" applies it';
    case "unverifiable":
      return "the service does not return the value, so there is nothing to accept";
    case "deleted":
      return definition.document === undefined ? undefined : { remove: { name } };
    case "added":
      return undefined;
    case "changed": {
      if (definition.document === undefined) return findOrder(finding, definition, declared);
      if (finding.live === undefined || finding.live === null) {
        // The service loses what it never shows only when it has no meaning any more.
        const { args = {} } = declared.find((one) => one.name === name) ?? {};
        return {
          unset: { name, path, evenPlaceholders: definition.writeOnly(args).includes(String(path[0])) },
        };
      }
      if (finding.secret)
        return { set: { name, path, value: missing.add(name, finding.path, definition.document.scalar) } };
      return { set: { name, path, value: translateToName(finding.live, finding, definition, declared) } };
    }
  }
}

/**
 * Whether a finding says too little to change the file. The report hides a list or a map with a secret as a whole, but only the secret
 * in it becomes a placeholder.
 */
export function needsLiveValue(
  { class: of, name, pathParts: [arg, ...inner], secret, live }: DriftFinding,
  declared: readonly ResourceDeclaration[],
): boolean {
  if (of !== "changed" || !secret || live === undefined || live === null) return false;
  const object = declared.find((one) => one.name === name);
  if (object?.definition.document === undefined) return false;
  return inner.length > 0 || !["string", "number"].includes(typeof object.args[String(arg)]);
}

/** Builds the edit for a changed order of list items, which a resource of its own manages. */
function findOrder(
  finding: DriftFinding,
  { type }: Definition,
  declared: readonly ResourceDeclaration[],
): Edit | undefined {
  const item = definitions.find(({ document }) => document?.order?.type === type);
  const { labels = {}, live } = finding;
  if (item?.document === undefined || !Array.isArray(live)) return undefined;
  const { section, keyedBy } = item.document;
  const { sharedKey } = item;
  const name = getSectionOf(finding.name);
  const items = declared.filter((one) => getSectionOf(one.name) === `${name}/${section}`);
  const keyOf = (label: string | undefined) =>
    items.find(({ args }) => (args[sharedKey?.key ?? ""] ?? args[keyedBy]) === label)?.name;
  const keys = (live as unknown[])
    .map((id) => keyOf(labels[String(id)]))
    .filter((key) => key !== undefined)
    .map(getLastKey);
  return { order: { name, section, keys } };
}

/** Replaces ids of declared objects in a value by their keys in the file. */
function translateToName(
  value: unknown,
  { labels = {}, pathParts: [arg] }: DriftFinding,
  definition: Definition,
  declared: readonly ResourceDeclaration[],
): unknown {
  const reference = definition.references[String(arg)];
  if (reference === undefined) return value;
  const types = [reference.to, ...Object.values(reference.each ?? {}).map(({ to }) => to)];
  const keyOf = (id: number) => {
    const label = labels[String(id)];
    const of = declared.find((one) => types.includes(one.definition.type) && isNamed(one, label));
    return label === undefined ? id : of ? getLastKey(of.name) : label;
  };
  return mapDeep(value, (part) => (typeof part === "number" ? keyOf(part) : part));
}

/** Whether an entry has a key, in any spelling. */
function isNamed({ definition, args }: ResourceDeclaration, label: unknown): boolean {
  const { keyedBy = "" } = definition.document ?? {};
  return isSameSpelling(getSpelling(definition, keyedBy), args[keyedBy], label);
}

interface NewEntries {
  readonly edits: readonly { readonly edit: Edit; readonly finding: DriftFinding | undefined }[];
  /** Secrets that cannot be read. */
  readonly needed: readonly Needed[];
  /** Entries of deleted objects whose place another object of the same name takes. */
  readonly replaced: readonly string[];
  /** Findings without an entry of their own. */
  readonly left: readonly { readonly finding: DriftFinding; readonly why: string }[];
}

/** Findings whose edits need more than the report says. */
export interface FromWorkspace {
  /** Objects without an entry. */
  readonly unmanaged: readonly DriftFinding[];
  /** All objects without an entry, also those that are not to be accepted. */
  readonly added: readonly DriftFinding[];
  /** Arguments of declared objects whose values the report hides. */
  readonly hidden: readonly DriftFinding[];
}

/** Reads the workspace, and builds the entries of unmanaged objects and the edits of hidden values, as an export onto the file would. */
export async function buildEditsFromWorkspace(
  { unmanaged: findings, added, hidden }: FromWorkspace,
  existing: Existing,
  connection: Connection,
  io: Port,
): Promise<NewEntries> {
  const found = await readConnection(connection, {}, listExpectedIn(existing), io);
  const whole = { ...found, adopts: true, unmanaged: listUnmanagedIn(added, existing, found) };
  const wanted = new Map(findings.map((finding) => [finding.name, finding]));
  // Only a plan of the whole file tells which objects an entry contains.
  const plan = patchPlan(existing, { ...whole, scoped: true });
  const chosen = new Set<string>();
  for (const { edit, objects = [] } of plan.subjects)
    if ("add" in edit && wanted.has(edit.add.name)) for (const name of objects) chosen.add(name);
  // What was created anew under the name of a declared object takes over its entry.
  const anew = plan.pairs.filter(({ live }) => wanted.has(live.name));
  const changed = new Set(hidden.map(({ name }) => name));
  const concerned = new Set(
    plan.pairs.filter(({ declared }) => changed.has(declared.name)).map(({ live }) => live.name),
  );
  const limited: LiveWorkspace = {
    ...whole,
    scoped: true,
    scope: {
      ...whole.scope,
      includes: ({ name }) =>
        chosen.has(name) || concerned.has(name) || anew.some(({ live }) => isWithin(name, live.name)),
    },
  };
  const { subjects, needed, pairs, open } = patchPlan(existing, limited);
  const values = listEditsOfHidden(hidden, subjects, open);
  const adoptions = pairs
    .filter(({ declared: { definition, args } }) => !definition.adoptsExisting && args["adopt"] !== true)
    .map(({ declared: { name } }) => ({ edit: { set: { name, path: ["adopt"], value: true } }, name }));
  const edits = [...subjects, ...adoptions].flatMap(({ edit, name }) => {
    const pair = anew.find(({ declared }) => isWithin(name, declared.name));
    if (pair === undefined && !("add" in edit)) return [];
    return [{ edit, finding: wanted.get(pair?.live.name ?? name) }];
  });
  const written = [...edits, ...values.edits].map(({ edit }) => edit);
  const names = new Set(edits.map(({ finding }) => finding?.name));
  const left = findings
    .filter(({ name }) => !names.has(name) && ![...names].some((one) => one && name.startsWith(`${one}/`)))
    .map((finding) => ({ finding, why: explainSkipped(finding, whole) }));
  return {
    edits: [...edits, ...values.edits],
    needed: needed.filter(({ variable }) => written.some((edit) => refersToVariable(edit, variable))),
    left: [...left, ...values.left],
    replaced: anew.map(({ declared }) => declared.name),
  };
}

/** Finds the objects that share their name with a declared one, and are no declared ones. */
function listUnmanagedIn(
  added: readonly DriftFinding[],
  { declared }: Existing,
  { discovery }: LiveWorkspace,
): ReadonlySet<DiscoveredObject> {
  const names = new Set(declared.declarations.map(({ name }) => name));
  const other = added.filter(({ name }) => !names.has(name));
  const isOther = ({ definition, outputs }: DiscoveredObject) =>
    other.some(({ type, live }) => {
      const number = (live as Fields | undefined)?.[definition.sharedKey?.number ?? ""];
      return (
        type === definition.type && number !== undefined && number === outputs[definition.identity.state]
      );
    });
  return new Set(discovery.objects.filter(isOther));
}

/** Picks the edits of arguments whose values the report hides. */
function listEditsOfHidden(
  hidden: readonly DriftFinding[],
  subjects: PatchPlan["subjects"],
  open: PatchPlan["open"],
): Pick<NewEntries, "edits" | "left"> {
  const edits: { edit: Edit; finding: DriftFinding }[] = [];
  const left: { finding: DriftFinding; why: string }[] = [];
  for (const finding of hidden) {
    const { name, pathParts } = finding;
    const arg = String(pathParts[0]);
    const subject = subjects.find((one) => one.name === name && one.change?.arg === arg);
    const unclear = open.find((one) => one.name === name && one.arg === arg);
    if (subject !== undefined) edits.push({ edit: subject.edit, finding });
    else left.push({ finding, why: unclear?.why ?? "the file and the workspace do not differ any more" });
  }
  return { edits, left };
}

/** Whether an edit writes a placeholder of an environment variable. */
export function refersToVariable(edit: Edit, variable: string): boolean {
  let found = false;
  mapDeep(edit, (part) => {
    found ||= part instanceof AsWritten && collectVariablesIn(part.text).includes(variable);
    return part;
  });
  return found;
}

function explainSkipped({ type, name }: DriftFinding, { discovery, declared }: LiveWorkspace): string {
  const gap = [...discovery.gaps, ...declared.gaps].find((one) => one.type === type && one.name === name);
  return gap?.reason ?? "it is not in the workspace any more, or what contains it is not in the file";
}
