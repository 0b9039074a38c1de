/** Compares the file, the state and the workspace within one object, property by property. */
import { diffLeaves, isReordering } from "../../diff/structural-diff.js";
import {
  hasSecret,
  hasUnknown,
  HIDDEN,
  isSameDeclared,
  isSameNested,
  isSameValue,
} from "../../diff/values.js";
import { getDefault } from "../../provider/index.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { SecretValue } from "../../text/json-value.js";
import type { Observed, ObservedSide } from "./planned-objects.js";

/** A property that differs. */
interface DriftDifference {
  readonly path: PropertyPath;
  /** The workspace was changed outside. Otherwise the file is not applied yet. */
  readonly outside: boolean;
  readonly declared: unknown;
  readonly applied: unknown;
  readonly live: unknown;
  readonly secret: boolean;
}

interface Three {
  readonly declared: unknown;
  readonly applied: unknown;
  readonly live: unknown;
}

/** Lists the differences of an existing object, without those that follow from other changes. */
export function listDriftDifferences(object: Observed): DriftDifference[] {
  const { definition, declared, applied, live } = object;
  if (applied === undefined || live === undefined) return [];
  const names = new Set([declared, applied, live].flatMap((side) => Object.keys(side?.args ?? {})));
  for (const name of ["workspace", ...definition.clientOnly]) names.delete(name);
  return [...names].flatMap((name) => {
    const three = {
      // An object that the file no longer declares cannot be compared.
      declared: (declared ?? live).args[name],
      applied: applied.args[name],
      live: live.args[name],
    };
    if (Object.values(three).some(hasSecret)) return compareSecret(name, object, three);
    const usual = getDefault(definition, (declared ?? live).args, name);
    const found = compareInside(name, three, definition.sets.includes(name), (a, b, orderFree) =>
      isSameDeclared(a, b, usual, orderFree),
    );
    return object.open.has(name) ? found.map((one) => ({ ...one, secret: true })) : found;
  });
}

/**
 * Compares the fingerprints of a secret. A run without fingerprints relies on the engine, which names what the provider found. Otherwise
 * no difference is reported.
 */
function compareSecret(name: string, object: Observed, three: Three): DriftDifference[] {
  const of = (side: ObservedSide | undefined, value: unknown) =>
    value === undefined || value === null ? null : side?.fingerprints[name];
  const prints = {
    declared: of(object.declared ?? object.live, three.declared),
    applied: of(object.applied, three.applied),
    live: of(object.live, three.live),
  };
  if (hasUnknown(three.declared)) return [];
  if (Object.values(prints).includes(undefined)) {
    // A value that only the file makes secret can be read on both other sides.
    const isReadable = ![three.applied, three.live].some(hasSecret);
    const isChanged = isReadable
      ? !isSameValue(three.applied, three.live)
      : object.changedSecrets.includes(name) && object.declared !== object.live;
    if (!isChanged) return [];
    // What one side declares secret is shown of none.
    const masked = (value: unknown) => (value === undefined || value === null ? value : HIDDEN);
    const { declared, applied, live } = three;
    return [
      {
        path: [name],
        outside: true,
        secret: true,
        declared: masked(declared),
        applied: masked(applied),
        live: masked(live),
      },
    ];
  }
  const shown = (value: unknown) => (typeof value === "string" ? new SecretValue(value) : value);
  return compareLeaf([name], prints, false, isSameValue).map(
    ({ path, outside, declared, applied, live }) => ({
      path,
      outside,
      secret: true,
      declared: shown(declared),
      applied: shown(applied),
      live: shown(live),
    }),
  );
}

type Same = (a: unknown, b: unknown, orderFree: boolean) => boolean;

/** Within a value, a missing part differs from one that is switched off. */
const isSameInside: Same = (a, b) => isSameNested(a, b);

/** Lists the differences within one argument. */
function compareInside(
  name: string,
  { declared, applied, live }: Three,
  orderFree: boolean,
  same: Same,
): DriftDifference[] {
  const leaves = diffLeaves([declared, applied, live], { path: [name], orderFree, isReordering });
  return [...leaves].flatMap(({ path, values, orderFree: free }) => {
    const [said, before, now] = values;
    return compareLeaf(
      path,
      { declared: said, applied: before, live: now },
      free,
      path.length === 1 ? same : isSameInside,
    );
  });
}

function compareLeaf(
  path: PropertyPath,
  { declared, applied, live }: Three,
  orderFree: boolean,
  same: Same,
): DriftDifference[] {
  const outside = !same(applied, live, orderFree);
  // A value that is known only after another change follows from that change, which is reported separately.
  if (hasUnknown(declared)) {
    if (!outside) return [];
    return [{ path, outside, declared: applied, applied, live, secret: false }];
  }
  if (same(declared, live, orderFree)) return [];
  return [{ path, outside, declared, applied, live, secret: false }];
}
