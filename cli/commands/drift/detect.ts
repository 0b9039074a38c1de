/** Compares a workspace file, the state of its stack and the live workspace. Writes neither state nor workspace. */
import { randomBytes, scryptSync } from "node:crypto";
import { getShortName } from "../../../workspace-file/load/files.js";
import { findDefinitionAt, parseLogicalName } from "../../engine/urn.js";
import {
  openReadOnlySession,
  openRequestCounter,
  READ_ONLY_VARIABLE,
  type ManagedObject,
  type ReadOnlySession,
  type Search,
} from "../../../provider/index.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";
import { note, type Io } from "../../terminal/io.js";
import { debugLines } from "../../connection/api-client.js";
import { openStack, type OpenStack, type StackOptions } from "../../engine/stack/open.js";
import { runOperation } from "../../engine/stack/operations.js";
import { followRenames } from "../../engine/stack/renames.js";
import { listDriftFindings, describeIncomplete, buildUnmanagedName } from "./findings.js";
import { readIgnoreFile } from "./ignore.js";
import { driftFailOn, type DriftReport, type FindingClass } from "./model.js";
import { type Observed, listExistingObjects } from "../../engine/plan/observed.js";
import { createDriftReport } from "./report.js";
import { findPlaceOfFinding } from "../../reporters/finding-place.js";
import type { Warning } from "../../reporters/published.js";
import { findScopesFor, formatScopesText } from "../../reporters/scopes.js";
import type { AddedScope } from "./classes.js";
import type { MapTree } from "../../../workspace-file/index.js";
import { findSharedSecret } from "../../engine/stack/shared-secret.js";
import { WORKSPACE } from "../../../provider/definition/placement.js";
import { listEntries, type Entry } from "../../../workspace-file/load/entries.js";
import { isOwned, mayOwnIn } from "../../../workspace-file/load/owns.js";

export interface DetectOptions extends StackOptions {
  /** Where to look for unmanaged objects. */
  readonly added?: AddedScope;
  readonly failOn?: readonly FindingClass[];
  /** The ignore file, if it is not the one next to the workspace file. */
  readonly ignore?: string;
}

/** A report and its sources. */
export interface Detected {
  readonly report: DriftReport;
  readonly open: OpenStack;
  readonly declared: LoadedFile;
}

export async function detectDrift(options: DetectOptions, io: Io): Promise<Detected> {
  const began = Date.now();
  const ignores = readIgnoreFile(options.ignore, options.file);
  const open = await openStack(options, { program: true, readOnly: true }, io);
  const { connection, stack, name } = open;
  const declared = open.file.declared!;
  const { key, lasting } = reportKey(open);
  const look = openReadOnlySession(connection, {
    debug: debugLines(io),
    reads: stack.reads,
    requestCounter: openRequestCounter(io.env),
  });
  const { state, recorded, objects, searched } = await compare(look).finally(() => look.close());
  const { steps, unverifiable, labels } = recorded;
  const seen = { objects, steps, unverifiable, searched, labels };
  const found = listDriftFindings(seen).map((one) => ({ ...one, place: findPlaceOfFinding(one, declared) }));
  const report = createDriftReport({
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    stack: name,
    file: options.file,
    declared: declared.declarations.map((declaration) => declaration.name),
    findings: found,
    incomplete: describeIncomplete(seen),
    warnings: [...state.warnings, ...recorded.notes.map((message): Warning => ({ code: "engine", message }))],
    notWatched: open.stack.notWatched,
    suppressions: ignores,
    failOn: options.failOn ?? driftFailOn,
    lasting,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
  return { report, open, declared };

  async function compare(look: ReadOnlySession) {
    const state = await readState(open);
    for (const { type, reason } of await look.checkReadPermissions(state.objects))
      note(
        io,
        `The token may not read any ${type}${formatScopesText({ reason: "", ...findScopesFor(reason) })}: ${reason}`,
      );
    const variables = { [READ_ONLY_VARIABLE]: key };
    // A protected object does not fail a comparison, because nothing is deleted.
    const preview = { command: "preview", refresh: true, tolerant: true, variables } as const;
    const recorded = await followRenames(open, io, () => runOperation(stack, preview, io));
    const { observed: objects } = recorded;
    const search = searchFor(options.added ?? "declared", declared.tree, objects);
    const { owns } = declared;
    const reads = (list: string) => mayOwnIn(owns, list);
    const { found, unlisted } = await look.findUnmanaged({
      ...search,
      reads,
      renames: stack.renames,
    });
    // Another file may have created the rest.
    const owned = found.filter((one) => isOwned(owns, buildUnmanagedName(one)));
    return { state, recorded, objects, searched: { found: owned, unlisted } };
  }
}

/** Reads the objects in the state. */
async function readState(open: OpenStack): Promise<{ objects: ManagedObject[]; warnings: Warning[] }> {
  const { resources = [], pending_operations: pending = [] } = await open.state();
  const objects = resources.flatMap(({ urn, type, id, outputs }) => {
    const known = findDefinitionAt({ type });
    if (known === undefined || id === undefined || outputs === undefined) return [];
    return [{ type: known.type, name: parseLogicalName(urn), id, outputs }];
  });
  const killed: Warning = {
    code: "killed-run",
    message:
      "A run was interrupted. Its unfinished operations are resolved by the next preview or up, and are not part of this report",
  };
  return { objects, warnings: pending.length > 0 ? [killed] : [] };
}

export interface ReportKey {
  /** In hexadecimal. */
  readonly key: string;
  /** The next run has the same key, so the fingerprints of both can be compared. */
  readonly lasting: boolean;
}

/** Derives the key from a secret that only people with access to the secrets of the stack know. */
export function reportKey(open: Pick<OpenStack, "cli" | "connection" | "name">): ReportKey {
  const { baseUrl, workspace } = open.connection;
  const secret = findSharedSecret(open);
  const salt = ["workspacectl drift", baseUrl, workspace, getShortName(open.name)].join("\n");
  if (secret === undefined) return { key: randomBytes(32).toString("hex"), lasting: false };
  return { key: scryptSync(secret, salt, 32).toString("hex"), lasting: true };
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
  const includes = (type: string, parent: string) =>
    scope === "all" || (scope === "declared" && places.has(describePlace(type, parent)));
  // Objects in the state are identified by id: another object of the same name is unmanaged.
  const live = new Set(objects.filter((object) => object.live !== undefined).map(({ name }) => name));
  const unowned = entries.filter((entry) => !live.has(findNameNow(entry, objects)));
  return {
    managed: listExistingObjects(objects),
    named: unowned.map((entry) => createNamedObject(entry, objects)),
    includes,
  };
}

function createNamedObject(
  { definition, key, written, parent }: Entry,
  objects: readonly Observed[],
): Search["named"][number] {
  const given = written[definition.document?.keyedBy ?? ""];
  return {
    type: definition.type,
    key: typeof given === "string" ? given : key,
    parent: parent && findNameNow(parent, objects),
  };
}

/** Follows renames: an object whose old name the file no longer contains is observed under its new one. */
function findNameNow({ name, formerNames }: Entry, objects: readonly Observed[]): string {
  const names = [name, ...formerNames];
  return names.find((one) => objects.some((object) => object.name === one)) ?? name;
}

const getParentType = ({ parent }: Entry) => parent?.definition.type ?? WORKSPACE;
const describePlace = (type: string, parent: string) => `${type} in ${parent}`;
