/** Values that the service has hidden until now, and that everybody in the workspace can read after the plan. */
import type { Observed, PlannedObject } from "./planned-objects.js";

/** @param observed what the state contained before the refresh: somebody may have made a value readable, and the file may agree */
export function listNewlyReadable(
  observed: readonly Observed[],
  objects: readonly Pick<PlannedObject, "name" | "operation">[],
): string[] {
  const changing = new Set(
    objects
      .filter(({ operation }) => operation === "update" || operation === "replace")
      .map(({ name }) => name),
  );
  return observed.flatMap(({ name, definition, declared, stateBefore, stateNow }) => {
    const before = stateBefore ?? stateNow;
    if (declared === undefined || before === undefined || !changing.has(name)) return [];
    const { args } = declared;
    const hidden = new Set([...definition.masked(args), ...definition.writeOnly(args)]);
    return definition
      .masked(before)
      .filter((arg) => !hidden.has(arg) && args[arg] !== undefined)
      .map(
        (arg) =>
          `${name}: its ${arg} was encrypted, and is sent without encryption: everybody in the workspace can read it then. If it is a secret, declare it as encrypted again`,
      );
  });
}
