/** The form of a policy (guards and rules that a workspace file can only tighten), and how one is parsed and compiled. */
import { existsSync, statSync } from "node:fs";
import { z } from "zod";
import { readText } from "../../../trust/checkout-files.js";
import { guardSettings } from "../../../workspace-file/document/guard-settings.js";
import { parseFile } from "../../config-files/checked-files.js";
import { createDocumentRules, documentRule, ruleCode } from "../../config-files/expression-rules.js";
import { AutomationError } from "../../errors.js";
import { planRule, planRulesOf, type Policy, resourceType } from "./cel-rules.js";

/** The settings of a workspace file. What a policy does not give is not restricted, so there are no usual values. */
const guards = z
  .strictObject(
    Object.fromEntries(
      Object.entries<z.ZodType>(guardSettings.shape).map(([name, one]) => [
        name,
        one.meta({ default: undefined }),
      ]),
    ) as unknown as typeof guardSettings.shape,
  )
  .extend({
    protectedKinds: z
      .array(resourceType)
      .optional()
      .meta(z.globalRegistry.get(guardSettings.shape.protectedKinds) ?? {}),
  });

export const policySchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    guards: guards
      .optional()
      .describe(
        "Settings of the guards, as in a workspace file. No option and no workspace file overrides them.",
      ),
    documentRules: z
      .record(ruleCode, z.strictObject(documentRule))
      .optional()
      .describe("Rules about the workspace file, by their codes."),
    planRules: z
      .record(ruleCode, planRule)
      .optional()
      .describe("Rules about each operation of a plan, by their codes."),
  })
  .meta({
    title: "Policy",
    description: "What no change of a workspace file may do, for `--policy` of `workspacectl`.",
  });

/** @throws {AutomationError} when there is no such file, {WorkspaceFileError} with all its problems */
export function parsePolicy(path: string, ofFleet: boolean): Policy {
  if (!existsSync(path) || statSync(path).isDirectory())
    throw new AutomationError(
      `there is no policy file ${path}`,
      "correct the path after --policy. docs/policy.md says what the file contains",
    );
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
