/** What the check of an object's arguments finds, for the engine. */
import { maskTexts } from "../../client/index.js";
import { isSameJson } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { isImportRun } from "../../resources/definition/import-mode.js";
import { listSecretTexts } from "../../resources/definition/secrets/mask.js";
import { formatProblemLine, validateArgs } from "../../resources/definition/validate.js";

/** @param before arguments in the state */
export function listCheckFailures(
  definition: Definition,
  before: Fields,
  args: Fields,
  env: NodeJS.ProcessEnv,
): { property: string; reason: string }[] {
  // An imported object lacks the arguments that the service hides. It needs them only when it is changed.
  const isUnchanged = Object.keys(before).length > 0 && isSameJson(before, args);
  const problems = validateArgs(definition, args).filter(
    // The import of a referenced object has failed and was reported: a second error would end the run.
    ({ code }) => !((isImportRun(env) || isUnchanged) && code === "required"),
  );
  const secrets = problems.length > 0 ? listSecretTexts(definition, args) : [];
  // The engine prints the value of the named property, secret or not: the path goes into the reason.
  return problems.map((problem) => ({
    property: "",
    reason: maskTexts(formatProblemLine(problem), secrets),
  }));
}
