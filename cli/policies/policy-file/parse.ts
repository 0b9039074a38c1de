/** Parses a policy, and compiles its rules. */
import { existsSync, statSync } from "node:fs";
import { readText } from "../../../trust/checkout-files.js";
import { createDocumentRules } from "../../config-files/expression-rules.js";
import { parseFile } from "../../config-files/yaml-file.js";
import { CliError } from "../../errors.js";
import { planRulesOf, type Policy } from "./rules.js";
import { policySchema } from "./schema.js";

/** @throws {CliError} when there is no such file, {WorkspaceFileError} with all its problems */
export function parsePolicy(path: string, ofFleet: boolean): Policy {
  if (!existsSync(path) || statSync(path).isDirectory())
    throw new CliError(`there is no policy ${path}`, "use a file with guards and rules (docs/policy.md)");
  const text = readText(path, { named: !ofFleet });
  const { data, tree } = parseFile(policySchema, path, text);
  const { guards = {}, documentRules: ofDocument = {}, planRules = {} } = data;
  const errors = Object.entries(ofDocument).map(
    ([code, rule]) => [code, { ...rule, severity: "error" }] as const,
  );
  return {
    path,
    guards,
    text,
    ofFleet,
    documentRules: createDocumentRules(Object.fromEntries(errors), "documentRules", tree),
    planRules: planRulesOf(planRules, "planRules", tree),
  };
}
