/** Compares a workspace file, the state of its stack and the live workspace. Writes neither state nor workspace. */
import { logicalNameOf } from "../../engine/urn.js";
import {
  definitions,
  lookAt,
  OBSERVER_VARIABLE,
  type Fields,
  type HeldObject,
  type Look,
} from "../../../provider/index.js";
import type { Declared } from "../../../workspace-file/load/index.js";
import { note, type Io } from "../../terminal/io.js";
import { debugLines } from "../../connection/api-client.js";
import { openStack, type OpenStack, type StackOptions } from "../../engine/stack/open.js";
import { compareStack } from "../../engine/stack/operations.js";
import { followingRenames, knownRenames } from "../../engine/stack/renames.js";
import { findingsOf, incompleteOf } from "./findings.js";
import { readIgnoreFile } from "./ignore.js";
import { fingerprintKey } from "./key.js";
import { labelsOf } from "./labels.js";
import { defaultFailOn, type DriftReport, type FindingClass, type Warning } from "./model.js";
import { Observations } from "./observed.js";
import { placeOfFinding } from "./locations.js";
import { reportOf } from "./report.js";
import { searchFor } from "./scope.js";
import { scopesFor } from "../../reporters/scopes.js";
import type { AddedScope } from "./classes.js";

export interface DetectOptions extends StackOptions {
  /** How far to look for what nobody declared. */
  readonly added?: AddedScope;
  readonly failOn?: readonly FindingClass[];
  /** The ignore file, when it is not the one beside the workspace file. */
  readonly ignore?: string;
}

/** The report, and what it was made of. */
export interface Detected {
  readonly report: DriftReport;
  readonly open: OpenStack;
  readonly declared: Declared;
}

export async function detectDrift(options: DetectOptions, io: Io): Promise<Detected> {
  const began = Date.now();
  const ignores = readIgnoreFile(options.ignore, options.file);
  const open = await openStack(options, { program: true, lookOnly: true }, io);
  const { connection, stack, name } = open;
  const debug = debugLines(io);
  const declared = open.file.declared!;
  const { key, lasting } = fingerprintKey(open);
  const look = lookAt(connection, debug);
  const { state, told, objects, searched } = await compare(look).finally(() => look.close());
  const { steps, unverifiable } = told;
  const seen = { objects, steps, unverifiable, searched, labels: labelsOf(objects) };
  const found = findingsOf(seen).map((one) => ({ ...one, place: placeOfFinding(one, declared) }));
  const report = reportOf({
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    stack: name,
    file: options.file,
    declared: declared.declarations.map((declaration) => declaration.name),
    findings: found,
    incomplete: incompleteOf(seen),
    warnings: [...state.warnings, ...told.notes.map((message): Warning => ({ code: "engine", message }))],
    ignores,
    failOn: options.failOn ?? defaultFailOn,
    lasting,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
  return { report, open, declared };

  async function compare(look: Look) {
    const state = await stateOf(open);
    for (const { type, reason } of await look.probe(state.objects)) note(io, deniedLine(type, reason));
    const { told, objects } = await followingRenames(open, io, async () => {
      const observations = new Observations();
      const { variables } = stack;
      stack.variables = { ...variables, [OBSERVER_VARIABLE]: key };
      const told = await compareStack(stack, observations.onEvent, io).finally(() => {
        // Whoever works on the stack after this may want to write.
        stack.variables = variables;
      });
      return { told, objects: observations.objects };
    });
    const search = searchFor(options.added ?? "declared", declared.tree, objects);
    const searched = await look.find({ ...search, renames: knownRenames(open) });
    return { state, told, objects, searched };
  }
}

function deniedLine(type: string, reason: string): string {
  const { scopes } = scopesFor(reason);
  const needs = scopes === undefined ? "" : ` (needs ${scopes.join(" and ")})`;
  return `The token may not read any ${type}${needs}: ${reason}`;
}

interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly outputs?: Fields;
}

/** What the state holds; no secret is decrypted. */
async function stateOf({ stack }: OpenStack): Promise<{ objects: HeldObject[]; warnings: Warning[] }> {
  const exported = await stack.exportStack();
  const { resources = [], pending_operations: pending = [] } = exported.deployment as {
    resources?: readonly StateResource[];
    pending_operations?: readonly unknown[];
  };
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
