/** Builds plans for tests of the guards. */
import type { PlannedObject } from "../../../../automation/plan/planned-objects.js";
import { evaluateGuards } from "../../../../automation/policy/guards/judge.js";
import type { Judged } from "../../../../automation/policy/guards/types.js";
import type { Fields } from "../../../../provider/index.js";

type Operation = PlannedObject["operation"];

export function object(
  operation: Operation,
  type: string,
  name: string,
  before: Fields = {},
  after: Fields = {},
): PlannedObject {
  return {
    operation,
    type,
    name,
    ...(operation === "create" ? {} : { before }),
    ...(operation === "delete" || operation === "release" ? {} : { after }),
  };
}

/** Plans the operation for the given number of objects of a section. */
export function many(
  operation: Operation,
  count: number,
  type = "Group",
  section = "groups",
): PlannedObject[] {
  return Array.from({ length: count }, (_, index) =>
    object(operation, type, `${section}/${section}-${index}`),
  );
}

export function member(operation: Operation, email: string, before: boolean, after: boolean, memberId = 1) {
  return object(
    operation,
    "WorkspaceMember",
    `members/${email}`,
    { email, admin: before, memberId },
    { email, admin: after },
  );
}

export function judge(objects: readonly PlannedObject[], more: Partial<Judged> = {}) {
  return evaluateGuards({ objects, settings: {}, allowances: {}, ...more });
}

/** Returns the codes of the guards that refuse the plan. */
export function refusing(objects: readonly PlannedObject[], more: Partial<Judged> = {}): string[] {
  return judge(objects, more)
    .filter(({ ignored }) => !ignored)
    .map(({ guard }) => guard);
}
