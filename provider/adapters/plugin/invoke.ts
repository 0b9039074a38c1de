/** Calls a function of the package for the engine. */
import { asSecret, withoutMarks } from "../../../diff/values.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { looksSecret } from "../../../resources/definition/secrets/mask.js";
import { ProviderError } from "../../../resources/errors.js";
import type { Session } from "../../connection/session.js";
import { callFunction, parseFunctionArgs } from "../../discovery/functions/define.js";
import { findFunction, functions } from "../../discovery/functions/read-functions.js";
import type { Props } from "../secret-marks.js";

interface InvokeResult {
  readonly returned: Props;
  readonly failures: readonly string[];
}

/** @throws {ProviderError} for a function that the package does not have */
export async function invoke(token: string, marked: Props, session: Session): Promise<InvokeResult> {
  const name = /^workspace-automation:index(?:\/\w+)?:(\w+)$/.exec(token)?.[1] ?? token;
  const names = Object.keys(functions);
  const definition = findFunction(name);
  if (definition === undefined)
    throw new ProviderError(
      "refused",
      `unknown function "${token}"`,
      suggestOr(name, names, `the functions are ${names.join(", ")}`),
    );
  const args = withoutMarks(marked) as Props;
  const { api, workspace } = session.context(args);
  const { parsed, failures } = parseFunctionArgs(definition, args, { workspace, known: session.known });
  if (failures.length > 0) return { returned: {}, failures };
  const response = await callFunction(definition, api, workspace, parsed);
  const returned = Object.entries(response).map(([key, value]) => [
    key,
    looksSecret(value) ? asSecret(value) : value,
  ]);
  return { returned: Object.fromEntries(returned) as Props, failures: [] };
}
