/** Checks a plan before it is applied: guards, name conflicts and the request budget. */
import { ADOPT_VARIABLE, readRequestCounter } from "../../provider/index.js";
import { checkAdministrator } from "../connection/preflight.js";
import { findContents, type UnmanagedContent, withListed } from "../plan/contained-objects.js";
import { describeHidden, listHiddenObjects } from "../plan/hidden-objects.js";
import { findMissingSecrets, type MissingSecret } from "../plan/missing-secrets.js";
import { listRemediesFor, type NameConflict, withExisting } from "../plan/name-conflicts.js";
import { listNewlyReadable } from "../plan/newly-readable.js";
import type { Observed, PlannedObject } from "../plan/planned-objects.js";
import type { Drift, PlanStep, RecordedPlan } from "../plan/record-plan.js";
import { findPossibleRenames, followRenames, listNotMoved, type PossibleRename } from "../plan/renames.js";
import {
  isLimited,
  refuseOutside,
  type SelectedObjects,
  type SelectionOptions,
  selectObjects,
  withOutside,
} from "../plan/selected-objects.js";
import { findUsedObjects } from "../plan/used-objects.js";
import type { Port } from "../port.js";
import { hasFleet } from "../stack/fleet-turn.js";
import type { OpenStack } from "../stack/open-stack.js";
import {
  listProtectedIn,
  type OperationResult,
  type ProtectedObject,
  runOperation,
  setProtection,
} from "../stack/run-operations.js";
import { listRetainedIn } from "../stack/state.js";
import { findOtherRun, type StateVersion } from "../stack/state-version.js";
import { accessLookup } from "./access-impact/live-access.js";
import { type AccessImpact, accessImpact } from "./access-impact/planned.js";
import { listDeletes, matchNamedForDeletion } from "./guards/deletes.js";
import { judgePlan } from "./guards/judge.js";
import {
  chooseRecord,
  collectGuardsInForce,
  describeKept,
  isRecorded,
  listLoosened,
  parseRecordedGuards,
  serializeGuards,
} from "./guards/record.js";
import { type Allowances, DEFAULT_RESERVE, type Loosened, type Verdict } from "./guards/types.js";
import { fingerprintPlan, fingerprintScope, type PlanFingerprint } from "./plan-fingerprint.js";
import type { AppliedPolicies } from "./policy-file/read.js";
import { type Budget, computeReserve, estimate } from "./request-budget.js";

export interface CheckOptions extends Allowances, SelectionOptions {
  readonly refresh: boolean;
  /** Percentage of the hour's requests to leave to others. */
  readonly reserve?: number;
}

/** An approval names its fingerprint. */
export interface CheckedPlan extends OperationResult, PlanFingerprint {
  /** Names that other objects already have, on which `up` would fail. */
  readonly taken: readonly NameConflict[];
  /** Possible causes of the conflicts, with their remedies. */
  readonly remedies: readonly string[];
  /** What no file declares in the objects that are deleted. */
  readonly contents: readonly UnmanagedContent[];
  /** Secrets without which `up` cannot apply it. */
  readonly missingSecrets: readonly MissingSecret[];
  readonly verdicts: readonly Verdict[];
  readonly budget: Budget;
  /** Access that people gain or lose. */
  readonly access: AccessImpact;
  /** Objects that were probably renamed in the file alone. */
  readonly possibleRenames: readonly PossibleRename[];
  /** The objects to which it is limited; absent when it concerns all. */
  readonly selection?: SelectedObjects | undefined;
  /** Guards that allow something that they refused at the last `up`. */
  readonly loosened: readonly Loosened[];
  /** Whether the state contains the guards that are in force. */
  readonly guardsRecorded: boolean;
  /** The state that it was made from; absent where the command applies nothing. */
  readonly madeFrom?: StateVersion | undefined;
  /** URNs of objects named for deletion, which are not protected during this run. */
  readonly unprotected: readonly string[];
}

/** Runs a preview and checks it. @param planFile where Pulumi writes its own plan */
export async function requireCheckedPlan(
  open: OpenStack,
  options: CheckOptions & AppliedPolicies,
  io: Port,
  planFile?: string,
): Promise<CheckedPlan> {
  const settings = open.file.guards();
  const inForce = collectGuardsInForce(settings, options.policies, open.file.declared);
  const { policies } = options;
  const recorded = parseRecordedGuards(open.stack.outputsInState);
  const run = { isPart: isLimited(options), isOfFleet: hasFleet(open.io.env), policies };
  const record = chooseRecord(inForce, recorded, run);
  // A preview registers them too, so that Pulumi's own plan contains them.
  open.stack.outputs = serializeGuards(record);
  const unprotected: string[] = [];
  const isNamed = matchNamedForDeletion(options, settings);
  for (;;) {
    const { refresh } = options;
    // Read first, so that whatever another run writes from now on is noticed.
    const madeFrom = open.changes ? await open.stack.readVersion() : undefined;
    const selection = await selectObjects(open, options);
    const preview = { command: "preview", refresh, plan: planFile, selection, tolerant: true } as const;
    const outcome = await followRenames(open, io, async () => {
      const planned = await runOperation(open.stack, preview, io);
      const isEmptied = ({ name, gone }: Drift) =>
        gone && selection?.outside.some((one) => one.name.startsWith(`${name}/`));
      // Only what is in an object without an id shows whether it was renamed, and a limited run does not read that.
      if (planned.drift.some(isEmptied))
        await runOperation(open.stack, { command: "preview", refresh, tolerant: true }, io).catch(() => {});
      return planned;
    });
    const replaced = listProtectedLosses(outcome);
    if (replaced.length > 0 && replaced.every(isNamed)) {
      const urns = replaced.map(({ urn }) => urn);
      await setProtection(open.cli, open.name, urns, false);
      unprotected.push(...urns);
      continue;
    }
    const refused = listProtectedIn(outcome.problems);
    // Pulumi protects an object from its release, too.
    const released = refused.length > 0 ? listRetainedIn(await open.state()) : new Set();
    const isLifted = (one: ProtectedObject) => released.has(one.urn) || isNamed(one);
    const lifted = refused.every(isLifted) ? refused : refused.filter(({ urn }) => released.has(urn));
    if (lifted.length > 0) {
      const urns = lifted.map(({ urn }) => urn);
      await setProtection(open.cli, open.name, urns, false);
      unprotected.push(...urns);
      continue;
    }
    const planned = [...outcome.steps, ...refused.map(createDeletionStep)];
    refuseOutside(planned, selection);
    const found = [...outcome.objects, ...refused.map((one) => toRefusedObject(one, outcome.observed))];
    const all = withOutside(found, selection);
    const listed = await withListed(
      { objects: all, steps: planned },
      open,
      open.io.env[ADOPT_VARIABLE] === "1",
    );
    const { objects, steps, taken, adoptions } = await withExisting(listed, open);
    outcome.writes.complete({ adoptions, removals: listed.removals });
    const changed = new Set(objects.flatMap(({ operation, type }) => (operation === "same" ? [] : [type])));
    await checkAdministrator(open.connection, changed, open.stack.reads, open.io);
    const where = { workspace: open.connection.workspace, stack: open.name, objects, named: open.named };
    // A state in which this run has lifted protection is not the one with which it began.
    const before = madeFrom ?? (unprotected.length === 0 ? open.versionAtStart() : undefined);
    const otherRun = taken.length > 0 ? await findOtherRun(open, before, io) : undefined;
    const others = taken.length > 0 && otherRun === undefined ? await open.otherStacks() : [];
    const remedies =
      otherRun !== undefined
        ? [otherRun.message]
        : taken.length > 0
          ? listRemediesFor(taken, { ...where, gone: listGone(outcome) }, others)
          : [];
    const { contents, notes } = await findContents(objects, open);
    const hidden = listHiddenObjects(outcome, open);
    const uses = await findUsedObjects(objects, open);
    const verdicts = await judgePlan(open, options, { objects, contents, hidden, uses }, io);
    const lookup = accessLookup(open.connection, { ...io, env: open.io.env }, open.stack.reads);
    const access = await accessImpact(objects, open.file.declared, lookup);
    const made = readRequestCounter(open.requestCounter);
    const { reads } = open.stack;
    const refreshes = outcome.changedOutside;
    const needed = await estimate({ objects, reads, refreshes, sizes: made.sizes }, open.connection);
    const reserve = computeReserve(made.left, options.reserve ?? DEFAULT_RESERVE);
    const budget = { made, needed, reserve, ...(made.left ? { left: made.left } : {}) };
    const { outputsInState } = open.stack;
    const loosened = listLoosened(inForce, parseRecordedGuards(outputsInState), objects, policies);
    return {
      ...outcome,
      notes: [
        ...outcome.notes,
        ...notes,
        ...describeHidden(hidden),
        ...(loosened.length > 0 ? describeKept(record, inForce) : []),
        ...listNewlyReadable(outcome.observed, objects),
        ...listNotMoved(objects, open.file.declared?.declarations ?? []),
      ],
      steps,
      objects,
      contents,
      taken,
      remedies,
      missingSecrets: findMissingSecrets(objects, open),
      verdicts,
      budget,
      access,
      possibleRenames: findPossibleRenames(objects, open.file.declared),
      ...fingerprintPlan({ objects, steps, loosened, contents }, fingerprintScope(open)),
      loosened,
      guardsRecorded: open.create !== undefined || !open.file.declared || isRecorded(record, outputsInState),
      selection,
      madeFrom,
      unprotected,
    };
  }
}

/** The protected objects that a plan deletes or replaces, where it contains them although Pulumi refuses that. */
function listProtectedLosses({ ignoresProtection, objects, observed }: OperationResult): ProtectedObject[] {
  if (ignoresProtection !== true) return [];
  const urns = new Map(observed.map(({ name, urn, urnInState }) => [name, urnInState ?? urn]));
  return listDeletes({ objects }).flatMap(({ type, name, protected: isProtected }) => {
    const urn = urns.get(name);
    return isProtected && urn !== undefined ? [{ urn, type, name }] : [];
  });
}

function createDeletionStep({ type, name }: ProtectedObject): PlanStep {
  return { operation: "delete", type, name, changes: [], replacedFor: [], reasons: [] };
}

function toRefusedObject({ type, name }: ProtectedObject, observed: readonly Observed[]): PlannedObject {
  const known = observed.find((one) => one.name === name);
  const before = known?.stateNow ?? known?.stateBefore ?? {};
  const inputs = known?.live?.args;
  return { operation: "delete", type, name, before, protected: true, ...(inputs ? { inputs } : {}) };
}

/** The names of what was deleted outside. */
const listGone = ({ drift }: Pick<RecordedPlan, "drift">): string[] =>
  drift.filter(({ gone }) => gone).map(({ name }) => name);
