/** Applies the guards of a workspace file to a plan of an open stack. */
import type { Io } from "../../terminal/io.js";
import type { PlannedObject } from "../../engine/plan/objects.js";
import { fileIdentity, readAppliedFrom } from "../../engine/stack/applied-from.js";
import type { OpenStack } from "../../engine/stack/open.js";
import { gatherFacts } from "./facts.js";
import { evaluateGuards, type Allowances, type Verdict } from "./index.js";

export async function judgePlan(
  open: OpenStack,
  allowances: Allowances,
  objects: readonly PlannedObject[],
  io: Io,
): Promise<Verdict[]> {
  const settings = open.file.guards();
  const facts = await gatherFacts(objects, settings, open.connection, { ...io, env: open.io.env });
  const file = fileIdentity(open.file.file, open.project);
  const deletes = objects.some(({ operation }) => operation === "delete");
  const appliedFrom = deletes ? await readAppliedFrom(open.cli, open.name) : undefined;
  return evaluateGuards({
    objects,
    settings,
    allowances,
    now: new Date(),
    ...facts,
    ...(file === undefined ? {} : { file }),
    ...(appliedFrom === undefined ? {} : { appliedFrom }),
  });
}
