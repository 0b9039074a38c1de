/** Compares a workspace file, the state of its stack and the live workspace. Writes neither state nor workspace. */
import { randomBytes } from "node:crypto";
import { parseLogicalName } from "../../components/urn.js";
import { withIgnored } from "../../diff/ignored-changes.js";
import {
  type ManagedObject,
  openReadOnlySession,
  READ_ONLY_VARIABLE,
  type ReadOnlySession,
  type Search,
} from "../../provider/index.js";
import { getAddress } from "../../resources/definition/context.js";
import { findParentArg, WORKSPACE } from "../../resources/definition/placement.js";
import type { MapTree } from "../../workspace-file/index.js";
import { type Entry, listEntries } from "../../workspace-file/load/entries.js";
import { getShortName } from "../../workspace-file/load/files.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { isOwned, mayOwnIn } from "../../workspace-file/load/owns.js";
import { describeReading } from "../connection/api-client.js";
import { AutomationError } from "../errors.js";
import { describeHidden, listHiddenObjects } from "../plan/hidden-objects.js";
import { listExistingObjects, type Observed } from "../plan/planned-objects.js";
import { followRenames } from "../plan/renames.js";
import { note, type Port } from "../port.js";
import type { AddedScope, FindingClass } from "../report/finding-classes.js";
import type { Warning } from "../report/report-schemas.js";
import { findPlaceOfFinding } from "../report/report-view.js";
import { findScopesFor, formatScopesText } from "../report/scopes.js";
import { withSigns } from "../signs-of-life.js";
import type { StackOptions } from "../stack/locate-stack.js";
import { type OpenStack, openStack } from "../stack/open-stack.js";
import { deriveKey, findSharedSecret } from "../stack/passphrase.js";
import { type OperationResult, runOperation } from "../stack/run-operations.js";
import { isManaged } from "../stack/state.js";
import { getNamedFile } from "../stack/user-program.js";
import { findDefinitionAt, isObject } from "../urn.js";
import { buildUnmanagedName, describeIncomplete, listDriftFindings } from "./drift-findings.js";
import { createDriftReport, driftFailOn, type DriftReport, readIgnoreFile } from "./drift-report.js";

interface DetectOptions extends StackOptions {
  /** Where to look for unmanaged objects. */
  readonly added?: AddedScope;
  readonly failOn?: readonly FindingClass[];
  /** The ignore file, if it is not the one next to the workspace file. */
  readonly ignore?: string;
}

/** A report and its sources. */
interface Detected {
  readonly report: DriftReport;
  readonly open: OpenStack;
  /** Absent for a program, of which only the state is compared. */
  readonly declared: LoadedFile | undefined;
}

export async function detectDrift(given: DetectOptions, io: Port): Promise<Detected> {
  const began = Date.now();
  const fromState = given.program !== undefined;
  const options = { ...given, fromState };
  const file = getNamedFile(given);
  const ignores = readIgnoreFile(options.ignore, file);
  const open = await openStack(options, { program: !fromState, readsAll: true }, io);
  const { connection, stack, name } = open;
  const { declared } = open.file;
  const { key, lasting } = reportKey(open);
  const look = openReadOnlySession(connection, { ...describeReading(io), reads: stack.reads });
  const { state, recorded, objects, searched } = await compare(look).finally(() => look.close());
  const { steps, unverifiable, labels } = recorded;
  const seen = { objects, steps, unverifiable, searched, labels };
  const found = listDriftFindings(seen).map((one) => ({
    ...one,
    ...(declared && { place: findPlaceOfFinding(one, declared) }),
  }));
  const report = createDriftReport({
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    stack: name,
    file,
    ...(fromState ? { comparedWith: "state" } : {}),
    declared: (declared?.declarations ?? objects).map(({ name, definition: { type } }) => ({ type, name })),
    findings: found,
    incomplete: describeIncomplete(seen),
    warnings: [
      ...state.warnings,
      ...recorded.notes.map((message): Warning => ({ code: "engine", message })),
      ...describeHidden(listHiddenObjects(recorded, open)).map((message): Warning => ({
        code: "perhaps-hidden",
        message,
      })),
    ],
    notWatched: open.stack.notWatched,
    suppressions: ignores,
    failOn: options.failOn ?? driftFailOn,
    lasting,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
  return { report, open, declared };

  async function compare(look: ReadOnlySession) {
    const all = await readState(open);
    const state = fromState ? chooseObjects(open, all) : all;
    for (const { type, reason } of await look.checkReadPermissions(state.objects))
      note(
        io,
        `The token may not read any ${type}${formatScopesText({ reason: "", ...findScopesFor(reason) })}: ${reason}`,
      );
    const variables = { [READ_ONLY_VARIABLE]: key };
    // A protected object does not fail a comparison, because nothing is deleted.
    const preview = fromState
      ? ({ command: "previewRefresh", target: state.targets, variables } as const)
      : ({ command: "preview", refresh: true, tolerant: true, variables } as const);
    const recorded = await followRenames(open, io, () => runOperation(stack, preview, io));
    const read = new Set(state.external.map(({ urn }) => urn));
    const observed = recorded.observed.filter(({ urn }) => !read.has(urn));
    const objects = fromState ? asDeclaredInState({ ...recorded, observed }) : observed;
    const scope = options.added ?? "declared";
    const search = declared ? searchFor(scope, declared.tree, objects) : searchForState(scope, objects);
    const owns = declared?.owns;
    const reads = (list: string) => mayOwnIn(owns, list);
    const wanted = { ...search, external: state.external, reads, renames: stack.renames };
    const { found, unlisted } = await withSigns(io, "Looking for objects that nobody declares", () =>
      look.findUnmanaged(wanted),
    );
    // Another file may have created the rest.
    const owned = found.filter((one) => isOwned(owns, buildUnmanagedName(one)));
    return { state, recorded, objects, searched: { found: owned, unlisted } };
  }
}

type ObjectInState = ManagedObject & { readonly urn: string };

interface ObjectsInState {
  readonly objects: readonly ObjectInState[];
  /** Objects that a program only reads. */
  readonly external: readonly ObjectInState[];
  /** The state contains objects of other packages. */
  readonly isMixed: boolean;
  readonly warnings: readonly Warning[];
  /** URNs to which the comparison is limited; absent when it concerns all. */
  readonly targets?: readonly string[];
}

/** Reads the objects in the state. */
async function readState(open: OpenStack): Promise<ObjectsInState> {
  const { resources = [], pending_operations: pending = [] } = await open.state();
  const found = resources.flatMap((one) => {
    const { urn, type, id, outputs } = one;
    const known = findDefinitionAt({ type });
    if (known === undefined || id === undefined || outputs === undefined || one.delete === true) return [];
    const object = { type: known.type, name: parseLogicalName(urn), id, outputs, urn };
    return [{ object, managed: isManaged(one) }];
  });
  const list = (managed: boolean) =>
    found.filter((one) => one.managed === managed).map(({ object }) => object);
  const isMixed = resources.some((one) => isObject(one) && findDefinitionAt(one) === undefined);
  const killed: Warning = {
    code: "killed-run",
    message:
      "A run was interrupted. Its unfinished operations are resolved by the next preview or up, and are not part of this report",
  };
  return {
    objects: list(true),
    external: list(false),
    isMixed,
    warnings: pending.length > 0 ? [killed] : [],
  };
}

/**
 * Chooses the objects of this workspace in the state of a program, which may also declare other workspaces and use other packages.
 * @throws {AutomationError} when there are none
 */
function chooseObjects({ connection, name }: OpenStack, state: ObjectsInState): ObjectsInState {
  const { baseUrl, workspace } = connection;
  const address = getAddress(baseUrl, workspace);
  const isHere = ({ outputs }: ManagedObject) => (outputs["address"] ?? address) === address;
  const [objects, external] = [state.objects.filter(isHere), state.external.filter(isHere)];
  const elsewhere = new Set(state.objects.filter((one) => !isHere(one)).map(getAddressOf));
  const others = [...elsewhere].sort().join(", ");
  if (objects.length === 0)
    throw new AutomationError(
      `the state of stack ${name} contains no object of workspace ${workspace} at ${baseUrl}`,
      elsewhere.size > 0
        ? `choose the connection to ${others} with --connection`
        : `choose another stack with --stack, or create the objects with "pulumi up"`,
    );
  const warning = `Objects of other workspaces are not part of this report: ${others}. Compare each with its own --connection`;
  return {
    ...state,
    objects,
    external,
    warnings: [
      ...state.warnings,
      ...(elsewhere.size > 0 ? [{ code: "other-workspace", message: warning } as const] : []),
    ],
    ...(state.isMixed || state.external.length > 0 || elsewhere.size > 0
      ? { targets: objects.map(({ urn }) => urn) }
      : {}),
  };
}

const getAddressOf = ({ outputs }: ManagedObject) => String(outputs["address"]);

/** What a program declared is what was last applied. Properties whose changes it ignores are as applied. */
function asDeclaredInState({
  observed,
  notWatched,
}: Pick<OperationResult, "observed" | "notWatched">): Observed[] {
  return observed.flatMap((object): Observed[] => {
    const { applied, live, name, definition } = object;
    if (applied === undefined) return [];
    const paths = notWatched.find((one) => one.name === name && one.type === definition.type)?.paths ?? [];
    const withoutIgnored = live && {
      args: withIgnored(live.args, applied.args, paths),
      fingerprints: withIgnored(live.fingerprints, applied.fingerprints, paths),
    };
    return [{ ...object, declared: applied, ...(withoutIgnored && { live: withoutIgnored }) }];
  });
}

interface ReportKey {
  /** In hexadecimal. */
  readonly key: string;
  /** The next run has the same key, so the fingerprints of both can be compared. */
  readonly lasting: boolean;
}

/** Derives the key from a secret that only people with access to the secrets of the stack know. */
export function reportKey(open: Pick<OpenStack, "cli" | "connection" | "name">): ReportKey {
  const secret = findSharedSecret(open);
  if (secret === undefined) return { key: randomBytes(32).toString("hex"), lasting: false };
  const key = deriveKey(secret, "drift", { ...open.connection, stack: getShortName(open.name) });
  return { key: key.toString("hex"), lasting: true };
}

/**
 * `declared` searches for every type that the file declares, in all parents of the same type (variables of all projects, when
 * one project's variable is declared); `all` searches for every type. Only the workspace itself and objects in the state are
 * searched, because external objects are managed elsewhere.
 */
export function searchFor(scope: AddedScope, tree: MapTree, objects: readonly Observed[]): Search {
  const entries = listEntries(tree);
  const places = new Set(
    entries
      .filter(({ external }) => !external)
      .map((entry) => describePlace(entry.definition.type, getParentType(entry))),
  );
  // Objects in the state are identified by id: another object of the same name is unmanaged, unless it stands in for a deleted one.
  const live = new Set(objects.filter((object) => object.live !== undefined).map(({ name }) => name));
  const gone = new Set(objects.filter((object) => object.applied && !object.live).map(({ name }) => name));
  const unowned = entries.filter((entry) => {
    const name = findNameNow(entry, objects);
    if (createsAnother(entry, entries)) return false;
    return !live.has(name) && (entry.external || entry.written["adopt"] === true || !gone.has(name));
  });
  return {
    managed: listExistingObjects(objects),
    named: unowned.map((entry) => createNamedObject(entry, objects)),
    includes: matchPlaces(scope, places),
  };
}

/** The same for the state of a program: it declares a type where it has an object of it. */
function searchForState(scope: AddedScope, objects: readonly Observed[]): Search {
  const places = new Set(
    objects.map(({ definition, applied }) =>
      describePlace(definition.type, findParentArg(definition, applied?.args ?? {})?.type ?? WORKSPACE),
    ),
  );
  return { managed: listExistingObjects(objects), named: [], includes: matchPlaces(scope, places) };
}

/** @param places where the declaration has objects of a type */
function matchPlaces(scope: AddedScope, places: ReadonlySet<string>): Search["includes"] {
  return (type, parent) =>
    scope === "all" || (scope === "declared" && places.has(describePlace(type, parent)));
}

function createNamedObject(
  { definition, key, written, parent }: Entry,
  objects: readonly Observed[],
): Search["named"][number] {
  const given = written[definition.document?.keyedBy ?? ""];
  const number = definition.sharedKey?.number;
  return {
    type: definition.type,
    ...(number === undefined || written[number] === undefined ? {} : { args: { [number]: written[number] } }),
    key: typeof given === "string" ? given : key,
    parent: parent && findNameNow(parent, objects),
  };
}

/** Whether the entry names no existing object, because it shares its name with others and says the number of none. */
function createsAnother({ definition, parent, written }: Entry, entries: readonly Entry[]): boolean {
  const { sharedKey, document } = definition;
  if (sharedKey === undefined || typeof written[sharedKey.number] === "number") return false;
  const isOfName = (one: Entry) =>
    one.definition === definition &&
    one.parent === parent &&
    one.written[document.keyedBy] === written[document.keyedBy];
  return entries.filter(isOfName).length > 1;
}

/** Follows renames: an object whose old name the file no longer contains is observed under its new one. */
function findNameNow({ name, formerNames }: Entry, objects: readonly Observed[]): string {
  const names = [name, ...formerNames];
  return names.find((one) => objects.some((object) => object.name === one)) ?? name;
}

const getParentType = ({ parent }: Entry) => parent?.definition.type ?? WORKSPACE;
const describePlace = (type: string, parent: string) => `${type} in ${parent}`;
