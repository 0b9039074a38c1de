/** Finds where the document uses a value, and whether the overlay contains it. */
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { getLocation, getPositionAt } from "../../../workspace-file/index.js";
import { locateSteps, type LocationStep } from "../../../workspace-file/edit/index.js";
import { CliError } from "../../errors.js";
import type { Use } from "./missing-in-target.js";
import type { ReplicationTarget, View } from "./target-document.js";

export interface LocatedUse extends Use {
  readonly steps: readonly LocationStep[];
  readonly value: string | number;
  /** The overlay contains the value. */
  readonly own: boolean;
}

/** Uses of the same value, all in the overlay or all in the common file. */
export type Uses = readonly [LocatedUse, ...LocatedUse[]];

type Declaration = View["declared"]["declarations"][number];

/** @param values selects values of a declaration, with their paths */
export function findUses(
  { tree, declared }: View,
  target: ReplicationTarget,
  values: (declaration: Declaration) => readonly { path: PropertyPath; value: unknown }[],
): Uses[] {
  const groups = new Map<string, [LocatedUse, ...LocatedUse[]]>();
  for (const declaration of declared.declarations)
    for (const { path, value } of values(declaration)) {
      if (typeof value !== "string" && typeof value !== "number") continue;
      const { name } = declaration;
      const place = getLocation(getPositionAt(tree, [...declaration.path, ...path]));
      const steps = [...locateSteps(name), ...path.map(createUseStep)];
      const found = { name, place, steps, value, own: target.isOwn(place) };
      const key = JSON.stringify([value, found.own]);
      const group = groups.get(key);
      if (group) group.push(found);
      else groups.set(key, [found]);
    }
  return [...groups.values()];
}

/** Overrides a value in the overlay, wherever it is used. @throws {CliError} when the overlay cannot be edited there */
export function overrideUses(target: ReplicationTarget, uses: Uses, value: string | number): void {
  for (const { name, steps } of uses) {
    if (target.overlay.say(steps, value)) continue;
    throw new CliError(
      `${target.overlayFile} refers to ${name} in a form that cannot be changed`,
      `write ${JSON.stringify(value)} there yourself`,
    );
  }
}

const createUseStep = (part: string | number): LocationStep =>
  typeof part === "number" ? { index: part } : { key: part };
