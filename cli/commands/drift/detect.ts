/** Compares a workspace file, the state of its stack and the live workspace. Writes neither state nor workspace. */
import { randomBytes, scryptSync } from "node:crypto";
import { logicalNameOf } from "../../engine/urn.js";
import {
  definitions,
  openReadOnlySession,
  OBSERVER_VARIABLE,
  type HeldObject,
  type ReadOnlySession,
} from "../../../provider/index.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";
import { note, type Io } from "../../terminal/io.js";
import { debugLines } from "../../connection/api-client.js";
import { openStack, type OpenStack, type StackOptions } from "../../engine/stack/open.js";
import { compareStack } from "../../engine/stack/operations.js";
import { followingRenames, knownRenames } from "../../engine/stack/renames.js";
import { driftFindings, incompleteOf } from "./findings.js";
import { readIgnoreFile } from "./ignore.js";
import { labelsOf } from "./labels.js";
import { driftFailOn, type DriftReport, type FindingClass, type DriftFinding } from "./model.js";
import { Observations } from "./observed.js";
import { driftReport } from "./report.js";
import { searchFor } from "./scope.js";
import type { Warning } from "../../reporters/published.js";
import { scopesFor, scopesText } from "../../reporters/scopes.js";
import type { AddedScope } from "./classes.js";
import type { Location } from "../../../workspace-file/index.js";
import { sharedSecret } from "../../engine/stack/shared-secret.js";

export interface DetectOptions extends StackOptions {
  /** Where to look for unmanaged objects. */
  readonly added?: AddedScope;
  readonly failOn?: readonly FindingClass[];
  /** The ignore file, if it is not the one beside the workspace file. */
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
  const look = openReadOnlySession(connection, { debug: debugLines(io), reads: stack.reads });
  const { state, told, objects, searched } = await compare(look).finally(() => look.close());
  const { steps, unverifiable } = told;
  const seen = { objects, steps, unverifiable, searched, labels: labelsOf(objects) };
  const found = driftFindings(seen).map((one) => ({ ...one, place: placeOfFinding(one, declared) }));
  const report = driftReport({
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    stack: name,
    file: options.file,
    declared: declared.declarations.map((declaration) => declaration.name),
    findings: found,
    incomplete: incompleteOf(seen),
    warnings: [...state.warnings, ...told.notes.map((message): Warning => ({ code: "engine", message }))],
    ignores,
    failOn: options.failOn ?? driftFailOn,
    lasting,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
  return { report, open, declared };

  async function compare(look: ReadOnlySession) {
    const state = await stateOf(open);
    for (const { type, reason } of await look.probe(state.objects))
      note(
        io,
        `The token may not read any ${type}${scopesText({ reason, ...scopesFor(reason) })}: ${reason}`,
      );
    const { told, objects } = await followingRenames(open, io, async () => {
      const observations = new Observations();
      const { variables } = stack;
      stack.variables = { ...variables, [OBSERVER_VARIABLE]: key };
      const told = await compareStack(stack, observations.onEvent, io).finally(() => {
        // Later operations on the stack may write.
        stack.variables = variables;
      });
      return { told, objects: observations.objects };
    });
    const search = searchFor(options.added ?? "declared", declared.tree, objects);
    const searched = await look.find({ ...search, renames: knownRenames(open) });
    return { state, told, objects, searched };
  }
}

/** Reads the objects in the state. */
async function stateOf(open: OpenStack): Promise<{ objects: HeldObject[]; warnings: Warning[] }> {
  const { resources = [], pending_operations: pending = [] } = await open.state();
  const objects = resources.flatMap(({ urn, type, id, outputs }) => {
    const known = definitions.find((one) => type.endsWith(`workspace-automation:${one.type}`));
    if (known === undefined || id === undefined || outputs === undefined) return [];
    return [{ type: known.type, name: logicalNameOf(urn), id, outputs }];
  });
  const killed: Warning = {
    code: "killed-run",
    message: "A run was killed: what it had begun is settled by the next preview or up, and not seen here",
  };
  return { objects, warnings: pending.length > 0 ? [killed] : [] };
}

/** Locates the declaration of a finding; for an unmanaged object, the section where it would be declared. */
export function placeOfFinding(
  { name, type, pathParts }: Pick<DriftFinding, "name" | "type" | "pathParts">,
  { declarations, placeOf }: LoadedFile,
): Location {
  const own = declarations.find((declaration) => declaration.name === name);
  if (own !== undefined) return placeOf([...own.path, ...pathParts], pathParts.length === 0);
  const above = declarations
    .filter((declaration) => name.startsWith(`${declaration.name}/`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const section = definitions.find((definition) => definition.type === type)?.document?.section;
  return placeOf([...(above?.path ?? []), ...(section === undefined ? [] : [section])], true);
}

export interface ReportKey {
  /** In hexadecimal. */
  readonly key: string;
  /** The next run has the same key, so the fingerprints of both can be compared. */
  readonly lasting: boolean;
}

/** Derives the key from what only those know who may read the secrets of the stack. */
export function reportKey(open: Pick<OpenStack, "cli" | "connection" | "name">): ReportKey {
  const { baseUrl, workspace } = open.connection;
  const secret = sharedSecret(open);
  const salt = ["workspacectl drift", baseUrl, workspace, open.name.split("/").at(-1)].join("\n");
  if (secret === undefined) return { key: randomBytes(32).toString("hex"), lasting: false };
  return { key: scryptSync(secret, salt, 32).toString("hex"), lasting: true };
}
